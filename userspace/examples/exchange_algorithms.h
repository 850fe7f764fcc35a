/* SPDX-License-Identifier: MIT */
/*
 * A bounded queue and a ticket lock, for streams and for threads of the host. This file is included
 * once for each, with
 *
 *   THREAD	struct faa_stream, or struct faa_host_thread
 *   NAME(x)	name of the function x for it
 *   LANES	lanes that take items at the same time
 *   PAUSE()	command or statement of a waiting loop
 *
 * No include guard: it is meant to be included twice.
 *
 * Registers; those after R1, R3, R5 are the high halves of 64-bit addresses: ticket, item, and
 * awaited value.
 */
#define REG_TICKET 0
#define REG_CELL   2
#define REG_ITEM   4
#define REG_PLACE  6
#define REG_SEEN   8
#define REG_WANTED 9
#define REG_LEFT   10
#define REG_COUNT  11

/* R@d = @base + ((R@index & @mask) << @shift), as an address; the register after R@index is 0. */
static void NAME(address)(THREAD *t, uint8_t d, uint8_t index, uint32_t mask, uint32_t shift,
			  uint64_t base)
{
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_AND, FAA_TYPE_U64, LANES, faa_reg(d), faa_reg(index), faa_imm(mask));
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_SHL, FAA_TYPE_U64, LANES, faa_reg(d), faa_reg(d), faa_imm(shift));
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_ADD, FAA_TYPE_U64, LANES, faa_reg(d), faa_reg(d), faa_imm(base));
}

/*
 * Takes the next LANES tickets of @counter, and waits until the sequence number of each one's cell
 * is the ticket + @turn. @own is the address of a word that no other thread uses.
 *
 * The tickets of a warp follow each other, as one lane takes them and hands them on through @own.
 * If each lane took its own, other threads could take any number between them, on a device that
 * serves a warp in parts; a lane could then wait for a cell that becomes free only after another
 * lane of its warp, which waits with it.
 */
static void NAME(take_cell)(THREAD *t, const struct exchange *x, uint64_t counter, uint32_t turn,
			    uint64_t own)
{
	struct faa_atomic_object next = faa_atomic_at(FAA_TYPE_U32, faa_imm(counter), 0);
	struct faa_atomic_object sequence =
		faa_atomic_each(FAA_TYPE_U32, LANES, faa_reg(REG_CELL), 0);

	faa_atomic_fetch_add_explicit(t, faa_reg(REG_TICKET), next, faa_imm(LANES),
				      FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
	FAA_ON(t, st)(t, FAA_TYPE_U32, 1, faa_imm(own), 0, faa_reg(REG_TICKET));
	FAA_ON(t, ld)(t, FAA_TYPE_U32, LANES, faa_reg(REG_TICKET), faa_imm(own), 0);
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, LANES, faa_reg(REG_TICKET), faa_reg(REG_TICKET),
	 faa_affine(0, 1));
	NAME(address)(t, REG_CELL, REG_TICKET, EXCHANGE_CELLS - 1, 3, x->cells);
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, LANES, faa_reg(REG_WANTED), faa_reg(REG_TICKET),
	 faa_imm(turn));
	FAA_REPEAT_WHILE(t, 0, FAA_CMP_NE, FAA_TYPE_U32, LANES, faa_reg(REG_SEEN),
			 faa_reg(REG_WANTED))
	{
		PAUSE();
		faa_atomic_load_explicit(t, faa_reg(REG_SEEN), sequence, FAA_MEMORY_ORDER_ACQUIRE,
					 FAA_THREAD_SCOPE_SYSTEM);
	}
}

/* Passes the cell on to the waiter for the ticket + @turn. */
static void NAME(give_cell)(THREAD *t, uint32_t turn)
{
	FAA_ON(t, alu)
	(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, LANES, faa_reg(REG_WANTED), faa_reg(REG_TICKET),
	 faa_imm(turn));
	faa_atomic_store_explicit(t, faa_atomic_each(FAA_TYPE_U32, LANES, faa_reg(REG_CELL), 0),
				  faa_reg(REG_WANTED), FAA_MEMORY_ORDER_RELEASE,
				  FAA_THREAD_SCOPE_SYSTEM);
}

/* Initialises registers, which hold values of an earlier job. */
static void NAME(begin)(THREAD *t, uint32_t rounds)
{
	FAA_ON(t, mov)(t, FAA_TYPE_U64, LANES, faa_reg(REG_TICKET), faa_imm(0));
	FAA_ON(t, mov)(t, FAA_TYPE_U64, LANES, faa_reg(REG_ITEM), faa_imm(0));
	FAA_ON(t, mov)(t, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_imm(rounds));
}

/* Puts LANES * @rounds items: @first, @first + 1, ... @own: see take_cell. */
static void NAME(produce)(THREAD *t, const struct exchange *x, uint32_t first, uint32_t rounds,
			  uint64_t own)
{
	NAME(begin)(t, rounds);
	FAA_ON(t, mov)(t, FAA_TYPE_U32, LANES, faa_reg(REG_ITEM), faa_affine(first, 1));
	FAA_REPEAT_WHILE(t, 1, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_imm(0))
	{
		NAME(take_cell)(t, x, x->tail, 0, own);
		FAA_ON(t, st)(t, FAA_TYPE_U32, LANES, faa_reg(REG_CELL), 4, faa_reg(REG_ITEM));
		NAME(give_cell)(t, 1);
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, LANES, faa_reg(REG_ITEM), faa_reg(REG_ITEM),
		 faa_imm(LANES));
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_SUB, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_reg(REG_LEFT),
		 faa_imm(1));
	}
}

/* Gets LANES * @rounds items, and counts each. @own: see take_cell. */
static void NAME(consume)(THREAD *t, const struct exchange *x, uint32_t rounds, uint64_t own)
{
	struct faa_atomic_object count =
		faa_atomic_each(FAA_TYPE_U32, LANES, faa_reg(REG_PLACE), 0);

	NAME(begin)(t, rounds);
	FAA_REPEAT_WHILE(t, 1, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_imm(0))
	{
		NAME(take_cell)(t, x, x->head, 1, own);
		FAA_ON(t, ld)(t, FAA_TYPE_U32, LANES, faa_reg(REG_ITEM), faa_reg(REG_CELL), 4);
		NAME(give_cell)(t, EXCHANGE_CELLS);
		/* A wrong item must not be counted outside of the table. */
		NAME(address)(t, REG_PLACE, REG_ITEM, x->item_mask, 2, x->counts);
		faa_atomic_fetch_add_explicit(t, faa_none(), count, faa_imm(1),
					      FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_SUB, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_reg(REG_LEFT),
		 faa_imm(1));
	}
}

/*
 * @rounds times: takes the lock, adds 1 to a plain counter, writes the old value to the log at the
 * ticket's index, and passes the lock on.
 */
static void NAME(work_locked)(THREAD *t, const struct exchange *x, uint32_t rounds)
{
	struct faa_atomic_object next = faa_atomic_at(FAA_TYPE_U32, faa_imm(x->lock), 0);
	struct faa_atomic_object serving = faa_atomic_at(FAA_TYPE_U32, faa_imm(x->lock), 4);

	NAME(begin)(t, rounds);
	FAA_REPEAT_WHILE(t, 1, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_imm(0))
	{
		faa_atomic_fetch_add_explicit(t, faa_reg(REG_TICKET), next, faa_imm(1),
					      FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
		FAA_REPEAT_WHILE(t, 0, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(REG_SEEN),
				 faa_reg(REG_TICKET))
		{
			PAUSE();
			faa_atomic_load_explicit(t, faa_reg(REG_SEEN), serving,
						 FAA_MEMORY_ORDER_ACQUIRE, FAA_THREAD_SCOPE_SYSTEM);
		}
		FAA_ON(t, ld)(t, FAA_TYPE_U32, 1, faa_reg(REG_COUNT), faa_imm(x->lock), 8);
		NAME(address)(t, REG_PLACE, REG_TICKET, x->item_mask, 2, x->log);
		FAA_ON(t, st)(t, FAA_TYPE_U32, 1, faa_reg(REG_PLACE), 0, faa_reg(REG_COUNT));
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, 1, faa_reg(REG_COUNT), faa_reg(REG_COUNT),
		 faa_imm(1));
		FAA_ON(t, st)(t, FAA_TYPE_U32, 1, faa_imm(x->lock), 8, faa_reg(REG_COUNT));
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_ADD, FAA_TYPE_U32, 1, faa_reg(REG_SEEN), faa_reg(REG_SEEN),
		 faa_imm(1));
		faa_atomic_store_explicit(t, serving, faa_reg(REG_SEEN), FAA_MEMORY_ORDER_RELEASE,
					  FAA_THREAD_SCOPE_SYSTEM);
		FAA_ON(t, alu)
		(t, FAA_ALU_OP_SUB, FAA_TYPE_U32, 1, faa_reg(REG_LEFT), faa_reg(REG_LEFT),
		 faa_imm(1));
	}
}

#undef REG_TICKET
#undef REG_CELL
#undef REG_ITEM
#undef REG_PLACE
#undef REG_SEEN
#undef REG_WANTED
#undef REG_LEFT
#undef REG_COUNT
