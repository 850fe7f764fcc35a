/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Generated from spec/faa_regs.rdl by regen-regs.sh; do not edit. */
/**
 * DOC: Registers of faa, BAR 0
 *
 * FAA_REG_x is the byte offset of register x, FAA_REG_x(n) of the one in block n. Fields that do
 * not fill their register have FAA_REG_x_y_MASK (in place) and FAA_REG_x_y_SHIFT; constant
 * registers and fields have FAA_REG_x_VALUE and FAA_REG_x_y_VALUE. All registers are 32 bits wide.
 */
#ifndef FAA_REGS_H
#define FAA_REGS_H

/* Global block */

/* Magic: Always 0x21616166, `faa!` in little-endian ASCII. All-ones means that the link is dead. */
#define FAA_REG_MAGIC 0x00000u
#define FAA_REG_MAGIC_VALUE 0x21616166u

/*
 * Version: Version of the register map and the command stream. A driver refuses a major number
 * that it does not know.
 */
#define FAA_REG_VERSION 0x00004u
#define FAA_REG_VERSION_MINOR_MASK 0x0000ffffu
#define FAA_REG_VERSION_MINOR_SHIFT 0
#define FAA_REG_VERSION_MINOR_VALUE 0x00000000u
#define FAA_REG_VERSION_MAJOR_MASK 0xffff0000u
#define FAA_REG_VERSION_MAJOR_SHIFT 16
#define FAA_REG_VERSION_MAJOR_VALUE 0x00000002u

/* Cycle counter, low word: Clock cycles since reset. Read HI, LO, HI again until both HI agree. */
#define FAA_REG_CYCLE_LO 0x00008u

/* Cycle counter, high word */
#define FAA_REG_CYCLE_HI 0x0000cu

/* Configuration: Parameters of this build. */
#define FAA_REG_CONFIG0 0x00010u
/* Hardware queues. */
#define FAA_REG_CONFIG0_NUM_QUEUES_MASK 0x000000ffu
#define FAA_REG_CONFIG0_NUM_QUEUES_SHIFT 0
/* Compute units. */
#define FAA_REG_CONFIG0_NUM_CUS_MASK 0x0000ff00u
#define FAA_REG_CONFIG0_NUM_CUS_SHIFT 8
/* Warp slots of a CU. */
#define FAA_REG_CONFIG0_WARP_SLOTS_MASK 0x00ff0000u
#define FAA_REG_CONFIG0_WARP_SLOTS_SHIFT 16
/* Lanes of a warp. */
#define FAA_REG_CONFIG0_LANES_MASK 0xff000000u
#define FAA_REG_CONFIG0_LANES_SHIFT 24

/* Shared memory of a CU */
#define FAA_REG_SHARED_MAX 0x00014u

/* AXI data width, line of memory */
#define FAA_REG_AXI_WIDTH 0x00018u
/* Bits: 64, 128, 256 or 512. */
#define FAA_REG_AXI_WIDTH_BITS_MASK 0x0000ffffu
#define FAA_REG_AXI_WIDTH_BITS_SHIFT 0
/*
 * Bytes of a memory line inside the device: 16, 32 or 64. LINES_READ and LINES_WRITTEN count
 * such lines.
 */
#define FAA_REG_AXI_WIDTH_LINE_MASK 0xffff0000u
#define FAA_REG_AXI_WIDTH_LINE_SHIFT 16

/*
 * Shared memory unit: Parameters of the shared memory unit of this build; results do not depend
 * on them, PASSES and GROUPS do.
 */
#define FAA_REG_SHARED_UNIT 0x0001cu
/*
 * Lanes that enter per cycle: 4, 8, 16 or 32. Groups are formed among this many consecutive
 * lanes.
 */
#define FAA_REG_SHARED_UNIT_LANES_MASK 0x000000ffu
#define FAA_REG_SHARED_UNIT_LANES_SHIFT 0
/* Groups that one bank takes per cycle. */
#define FAA_REG_SHARED_UNIT_PUSH_MASK 0x0000ff00u
#define FAA_REG_SHARED_UNIT_PUSH_SHIFT 8
/* Cycles of the floating-point adder, 0 = none. */
#define FAA_REG_SHARED_UNIT_ADDER_MASK 0x00ff0000u
#define FAA_REG_SHARED_UNIT_ADDER_SHIFT 16

/* Features, low word: Capability bits, enum feature of the command description. */
#define FAA_REG_FEATURES_LO 0x00020u

/* Features, high word */
#define FAA_REG_FEATURES_HI 0x00024u

/* Status */
#define FAA_REG_STATUS 0x00028u
/* 1: no queue has work and no AXI transaction is outstanding. */
#define FAA_REG_STATUS_IDLE_MASK 0x00000001u
#define FAA_REG_STATUS_IDLE_SHIFT 0

/*
 * Event status: Sticky; write 1 to clear. A set bit that EVENT_ENABLE selects requests MSI-X
 * vector 0.
 */
#define FAA_REG_EVENT_STATUS 0x00030u
/* A TLB invalidation has completed. */
#define FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK 0x00000001u
#define FAA_REG_EVENT_STATUS_TLB_INV_DONE_SHIFT 0
/* A CU reset has completed. */
#define FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK 0x00000002u
#define FAA_REG_EVENT_STATUS_CU_RESET_DONE_SHIFT 1
/* A queue went to state KILLED. */
#define FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK 0x00000004u
#define FAA_REG_EVENT_STATUS_QUEUE_KILLED_SHIFT 2
/* A queue went to state ERROR. */
#define FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK 0x00000008u
#define FAA_REG_EVENT_STATUS_QUEUE_ERROR_SHIFT 3
/* A queue that was stopped with CONTROL.keep went to state DISABLED. */
#define FAA_REG_EVENT_STATUS_QUEUE_SAVED_MASK 0x00000010u
#define FAA_REG_EVENT_STATUS_QUEUE_SAVED_SHIFT 4

/* Event enable */
#define FAA_REG_EVENT_ENABLE 0x00034u
#define FAA_REG_EVENT_ENABLE_MASK_MASK 0x0000001fu
#define FAA_REG_EVENT_ENABLE_MASK_SHIFT 0

/* TLB invalidation: VM */
#define FAA_REG_TLB_INV_VMID 0x00040u
/* VM whose translations are invalidated. */
#define FAA_REG_TLB_INV_VMID_VMID_MASK 0x000000ffu
#define FAA_REG_TLB_INV_VMID_VMID_SHIFT 0

/* TLB invalidation: first byte, low word */
#define FAA_REG_TLB_INV_START_LO 0x00048u

/* TLB invalidation: first byte, high word */
#define FAA_REG_TLB_INV_START_HI 0x0004cu

/* TLB invalidation: last byte, low word */
#define FAA_REG_TLB_INV_LAST_LO 0x00050u

/* TLB invalidation: last byte, high word */
#define FAA_REG_TLB_INV_LAST_HI 0x00054u

/*
 * TLB invalidation: request: A write starts the invalidation of [first, last] of the VM; the
 * value is its completion number. One at a time: write only when TLB_INV_DONE equals the last
 * number written.
 */
#define FAA_REG_TLB_INV_REQUEST 0x00058u

/*
 * TLB invalidation: done: Completion number of the last finished invalidation: no access that
 * used the old translations is outstanding.
 */
#define FAA_REG_TLB_INV_DONE 0x0005cu

/* Compute units */
#define FAA_REG_CU_COUNT 8
#define FAA_REG_CU_STRIDE 0x200u

/* State */
#define FAA_REG_CU_STATE(n) (0x02000u + 0x200u * (n))
/* A job is running. */
#define FAA_REG_CU_STATE_BUSY_MASK 0x00000001u
#define FAA_REG_CU_STATE_BUSY_SHIFT 0
/* The CU is being reset. */
#define FAA_REG_CU_STATE_RESETTING_MASK 0x00000002u
#define FAA_REG_CU_STATE_RESETTING_SHIFT 1
/* The CU holds the context of queue `queue`. */
#define FAA_REG_CU_STATE_RESIDENT_MASK 0x00000004u
#define FAA_REG_CU_STATE_RESIDENT_SHIFT 2
/*
 * The job runs since cycle `start`; not yet while its context is moved, nor while its records
 * are written.
 */
#define FAA_REG_CU_STATE_RUNNING_MASK 0x00000008u
#define FAA_REG_CU_STATE_RUNNING_SHIFT 3
/* Queue that runs or is resident. */
#define FAA_REG_CU_STATE_QUEUE_MASK 0x0000ff00u
#define FAA_REG_CU_STATE_QUEUE_SHIFT 8

/* Control */
#define FAA_REG_CU_CONTROL(n) (0x02004u + 0x200u * (n))
/*
 * Write 1: stop the CU, wait for its outstanding AXI transactions, reset it. The running job
 * ends with CU_RESET, its queue goes to KILLED, the resident context is lost.
 */
#define FAA_REG_CU_CONTROL_RESET_MASK 0x00000001u
#define FAA_REG_CU_CONTROL_RESET_SHIFT 0

/* Program counter */
#define FAA_REG_CU_PC(n) (0x02008u + 0x200u * (n))

/* Elements retired by the running job: By all of its streams. */
#define FAA_REG_CU_PROGRESS(n) (0x0200cu + 0x200u * (n))

/*
 * Start of the running job, low word: Value of the cycle counter; valid while STATE.running is
 * 1. Read STATE, START, STATE: of one job if both STATE agree and the second START does, too.
 */
#define FAA_REG_CU_START_LO(n) (0x02010u + 0x200u * (n))

/* Start of the running job, high word */
#define FAA_REG_CU_START_HI(n) (0x02014u + 0x200u * (n))

#define FAA_REG_CU_SLOT_COUNT 4
/* Program counter */
#define FAA_REG_CU_SLOT_PC(n, s) (0x02020u + 0x200u * (n) + 0x8u * (s))

/* Elements retired by the stream */
#define FAA_REG_CU_SLOT_PROGRESS(n, s) (0x02024u + 0x200u * (n) + 0x8u * (s))

#define FAA_REG_CU_COUNTER_COUNT 32
/* Counter, low word */
#define FAA_REG_CU_COUNTER_LO(n, c) (0x02080u + 0x200u * (n) + 0x8u * (c))

/* Counter, high word */
#define FAA_REG_CU_COUNTER_HI(n, c) (0x02084u + 0x200u * (n) + 0x8u * (c))

/* Hardware queues */
#define FAA_REG_QUEUE_COUNT 16
#define FAA_REG_QUEUE_STRIDE 0x1000u

/*
 * Tail (doorbell): Producer index: number of descriptors ever put in the ring, modulo 2^32. A
 * write of a new value makes the queue runnable.
 */
#define FAA_REG_QUEUE_TAIL(n) (0x10000u + 0x1000u * (n))

/*
 * Head: Consumer index: number of descriptors whose job has ended, modulo 2^32. Goes to 0 when
 * the queue is enabled.
 */
#define FAA_REG_QUEUE_HEAD(n) (0x10004u + 0x1000u * (n))

/* Control */
#define FAA_REG_QUEUE_CONTROL(n) (0x10008u + 0x1000u * (n))
/*
 * 1: the queue runs. 0 to 1 starts it with HEAD 0 and the context that `slots` selects. 1 to 0
 * stops it before its next job; STATE becomes DISABLED when a running job has ended.
 */
#define FAA_REG_QUEUE_CONTROL_ENABLE_MASK 0x00000001u
#define FAA_REG_QUEUE_CONTROL_ENABLE_SHIFT 0
/*
 * Write 1: end the running job with KILLED at the next warp, command or poll; the queue goes to
 * state KILLED even when no job runs.
 */
#define FAA_REG_QUEUE_CONTROL_KILL_MASK 0x00000002u
#define FAA_REG_QUEUE_CONTROL_KILL_SHIFT 1
/*
 * With enable 0: the context is written to the save area before STATE becomes DISABLED, and
 * event QUEUE_SAVED reports it. A queue in state KILLED or ERROR stays there until keep is 0.
 */
#define FAA_REG_QUEUE_CONTROL_KEEP_MASK 0x00000004u
#define FAA_REG_QUEUE_CONTROL_KEEP_SHIFT 2
/*
 * When enable goes from 0 to 1: warp slots (a bit each) whose context is in the save area. Not
 * 0: shared memory is there too. 0: a fresh context, registers, predicates and shared memory all
 * zero. Bits of warp slots that the build lacks count as 0.
 */
#define FAA_REG_QUEUE_CONTROL_SLOTS_MASK 0x000000f0u
#define FAA_REG_QUEUE_CONTROL_SLOTS_SHIFT 4

/* State */
#define FAA_REG_QUEUE_STATE(n) (0x1000cu + 0x1000u * (n))
/* enum queue_state. */
#define FAA_REG_QUEUE_STATE_STATE_MASK 0x0000000fu
#define FAA_REG_QUEUE_STATE_STATE_SHIFT 0
/* CU that runs it, valid in state RUNNING. */
#define FAA_REG_QUEUE_STATE_CU_MASK 0x00000f00u
#define FAA_REG_QUEUE_STATE_CU_SHIFT 8

/* Ring address, low word: DMA address of the ring, multiple of 64. */
#define FAA_REG_QUEUE_RING_LO(n) (0x10010u + 0x1000u * (n))

/* Ring address, high word */
#define FAA_REG_QUEUE_RING_HI(n) (0x10014u + 0x1000u * (n))

/* Ring size */
#define FAA_REG_QUEUE_RING_SIZE(n) (0x10018u + 0x1000u * (n))
/* log2 of the number of 64-byte descriptors, 0..16. */
#define FAA_REG_QUEUE_RING_SIZE_LOG2_MASK 0x0000001fu
#define FAA_REG_QUEUE_RING_SIZE_LOG2_SHIFT 0

/* Configuration */
#define FAA_REG_QUEUE_CONFIG0(n) (0x1001cu + 0x1000u * (n))
/* 0 low .. 3 highest. */
#define FAA_REG_QUEUE_CONFIG0_PRIO_MASK 0x00000003u
#define FAA_REG_QUEUE_CONFIG0_PRIO_SHIFT 0
/* MSI-X vector of its completions. */
#define FAA_REG_QUEUE_CONFIG0_VECTOR_MASK 0x00001f00u
#define FAA_REG_QUEUE_CONFIG0_VECTOR_SHIFT 8
/* VM, tag of its translations: queues with one page table share one number. */
#define FAA_REG_QUEUE_CONFIG0_VMID_MASK 0x00ff0000u
#define FAA_REG_QUEUE_CONFIG0_VMID_SHIFT 16

/* Page table, low word: DMA address of the level 3 table, multiple of 4096. */
#define FAA_REG_QUEUE_PT_LO(n) (0x10020u + 0x1000u * (n))

/* Page table, high word */
#define FAA_REG_QUEUE_PT_HI(n) (0x10024u + 0x1000u * (n))

/*
 * Save area, low word: DMA address, multiple of 64; CONTEXT_BYTES for each warp slot of a CU +
 * SHARED_BYTES + COUNTER_BYTES bytes.
 */
#define FAA_REG_QUEUE_SAVE_LO(n) (0x10028u + 0x1000u * (n))

/* Save area, high word */
#define FAA_REG_QUEUE_SAVE_HI(n) (0x1002cu + 0x1000u * (n))

/*
 * Sequence number address, low word: DMA address of the 64-bit word that receives the sequence
 * number of each ended job, multiple of 8.
 */
#define FAA_REG_QUEUE_SEQNO_LO(n) (0x10030u + 0x1000u * (n))

/* Sequence number address, high word */
#define FAA_REG_QUEUE_SEQNO_HI(n) (0x10034u + 0x1000u * (n))

/* Shared memory */
#define FAA_REG_QUEUE_SHARED(n) (0x10038u + 0x1000u * (n))

/* Bytes of BAR 0 that the map covers. */
#define FAA_REG_BYTES 0x20000u

#endif /* FAA_REGS_H */
