/* SPDX-License-Identifier: MIT */
/**
 * DOC: Exchange of updates in rounds
 *
 * Each round exchanges a batch of each rank: first a notice from every rank to every other one,
 * with the number of updates and whether something failed, then the blocks. The notices of a round
 * make the ranks agree on all that follows: whether the blocks are sent, and whether there is
 * another round. So all ranks start the same collectives in the same order.
 */
#ifndef MPI_EXCHANGE_H
#define MPI_EXCHANGE_H

#include <mpi.h>

#include "owner.h"

/** struct notice - what a rank tells another one in each round */
struct notice {
	/** @count: updates of its block for the other rank. */
	uint32_t count;
	/** @failed: something failed on this rank; all counts are 0. */
	uint32_t failed;
	/** @call: enum call_kind, and enum faa_atom_op times 256. */
	uint32_t call;
	/** @more: it has updates for another round. */
	uint32_t more;
};

/** struct exchange_sizes - bytes and places of the blocks of MPI_Ialltoallv() */
struct exchange_sizes {
	int *bytes;
	int *at;
};

/** struct exchange_slot - a batch on its way; owner_slot of the same number has what arrives */
struct exchange_slot {
	struct batch batch;
	struct notice *told, *heard;
	struct exchange_sizes sent, received;
	/** @returned: results of the batch. */
	uint8_t *returned;
	/** @blocks: the exchange of the blocks; MPI_REQUEST_NULL if there is none. */
	MPI_Request blocks;
	/** @owes_results: the results of the batch have not been exchanged yet. */
	bool owes_results;
};

/** struct exchange - see above */
struct exchange {
	/** @comm: communicator of the table alone. */
	MPI_Comm comm;
	int rank, ranks;
	struct batch_shape shape;
	struct owner *owner;
	/** @round: number of rounds so far. */
	uint64_t round;
	struct exchange_slot slots[OWNER_SLOTS];
	/** @own: what failed on this rank and the others do not know yet. */
	struct failure own;
};

/**
 * exchange_open() - memory for the exchange
 * @exchange: with comm, rank, ranks, shape and owner; otherwise zeroed
 *
 * Return: 0 or -ENOMEM; exchange_close() frees it in both cases.
 */
int exchange_open(struct exchange *exchange);

/** exchange_close() - free the memory; the communicator stays */
void exchange_close(struct exchange *exchange);

/**
 * exchange_agree() - learn of the failure of any rank
 * @exchange: exchange; collective
 * @agreed: out: the failure of the lowest rank that has one; error 0: none has
 *
 * Return: 0; -EIO: MPI failed, then @agreed is the own failure.
 */
int exchange_agree(struct exchange *exchange, struct failure *agreed);

/**
 * exchange_run() - exchange and submit all updates of a call
 * @exchange: exchange, whose own failure refuses the call on all ranks
 * @call: call
 * @agreed: out: as of exchange_agree()
 *
 * When it returns, the results are there. Updates without results may still be executed.
 *
 * Return: 0, also with a failure; -EIO as exchange_agree().
 */
int exchange_run(struct exchange *exchange, const struct call *call, struct failure *agreed);

/** exchange_finish() - wait for the jobs of this rank; what fails is the own failure */
void exchange_finish(struct exchange *exchange);

#endif /* MPI_EXCHANGE_H */
