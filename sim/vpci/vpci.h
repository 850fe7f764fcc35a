/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: libvpci, PCI devices for User Mode Linux
 *
 * A program with this library is a PCI Express function of a User Mode Linux kernel: the kernel
 * connects to a UNIX socket of the program (vhost-user), sends accesses to configuration space and
 * BARs as messages (PCI over virtio), and receives MSI-X messages. DMA reads and writes the guest's
 * memory, which is mapped into the program. The library has configuration space, the MSI-X table
 * and all checks; the program has registers and functions, in C, C++ or verilated RTL.
 *
 * ``vpci_main()`` is the whole program of a simple device. Programs with a loop of their own call
 * vpci_create(), vpci_connect() and vpci_run().
 *
 * One thread: no function may be called by two threads at a time, and none but vpci_main() blocks.
 * The library is static and has no stable binary interface: a device is compiled with the header of
 * the library that it is linked with. All values are numbers of the host, which has the byte order
 * of the guest. Functions return 0 or a negative error number, if not said otherwise.
 */
#ifndef VPCI_H
#define VPCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** VPCI_BARS - base address registers of a function. */
#define VPCI_BARS 6
/** VPCI_MAX_VECTORS - MSI-X vectors that a function can have. A User Mode Linux guest has 32. */
#define VPCI_MAX_VECTORS 64
/** VPCI_MIN_BAR - size of the smallest BAR, in bytes. */
#define VPCI_MIN_BAR 16u
/** VPCI_MAX_BAR - size of the largest BAR, in bytes: the window of a guest. */
#define VPCI_MAX_BAR (256u << 20)

/** enum vpci_bar_flags - properties of a BAR */
enum vpci_bar_flags {
	/** @VPCI_BAR_64: 64-bit address; the next BAR is its upper half, and has size 0. */
	VPCI_BAR_64 = 1 << 0,
	/** @VPCI_BAR_PREFETCH: reads have no side effects. */
	VPCI_BAR_PREFETCH = 1 << 1,
	/** @VPCI_BAR_WORDS: a write of parts of a 32-bit word is refused, with a log line. */
	VPCI_BAR_WORDS = 1 << 2,
};

/** struct vpci_bar - a memory BAR */
struct vpci_bar {
	/** @size: bytes, a power of two from VPCI_MIN_BAR to VPCI_MAX_BAR; 0 = no BAR. */
	uint32_t size;
	/** @flags: of enum vpci_bar_flags. */
	unsigned int flags;
};

/** enum vpci_flags - capabilities of a function; all of them are PCI Express endpoints */
enum vpci_flags {
	/** @VPCI_PM: power management, with the states D0 and D3hot. */
	VPCI_PM = 1 << 0,
	/** @VPCI_FLR: function-level reset. */
	VPCI_FLR = 1 << 1,
	/** @VPCI_ATOMIC_OPS: the function can request AtomicOps; the guest can enable them. */
	VPCI_ATOMIC_OPS = 1 << 2,
	/**
	 * @VPCI_ATOMIC_ROUTE: AtomicOp Requester Enable is initially set, as below a hypervisor
	 * that knows a path to memory with AtomicOps; with VPCI_ATOMIC_OPS only.
	 */
	VPCI_ATOMIC_ROUTE = 1 << 3,
};

/** struct vpci_config - description of a function */
struct vpci_config {
	/** @vendor: vendor ID. */
	uint16_t vendor;
	/** @device: device ID. */
	uint16_t device;
	/** @subsystem_vendor: subsystem vendor ID. */
	uint16_t subsystem_vendor;
	/** @subsystem: subsystem ID. */
	uint16_t subsystem;
	/** @class_code: base class, subclass and interface, 24 bits. */
	uint32_t class_code;
	/** @revision: revision ID. */
	uint8_t revision;
	/** @flags: of enum vpci_flags. */
	unsigned int flags;
	/** @bar: the BARs. */
	struct vpci_bar bar[VPCI_BARS];
	/** @vectors: MSI-X vectors, up to VPCI_MAX_VECTORS; 0 = no MSI-X. */
	unsigned int vectors;
	/** @msix_bar: BAR of the MSI-X table and pending bits, which may have registers, too. */
	unsigned int msix_bar;
	/** @msix_table: offset of the table in @msix_bar, a multiple of 8; 16 bytes per vector. */
	uint32_t msix_table;
	/** @msix_pba: offset of the pending bits in @msix_bar, a multiple of 8; 8 bytes. */
	uint32_t msix_pba;
};

/** enum vpci_reset - cause of a reset */
enum vpci_reset {
	/** @VPCI_RESET_POWER: a guest connects. */
	VPCI_RESET_POWER,
	/** @VPCI_RESET_FLR: function-level reset. */
	VPCI_RESET_FLR,
	/** @VPCI_RESET_D0: the guest changes the power state from D3hot to D0. */
	VPCI_RESET_D0,
};

/** enum vpci_event_kind - kind of an event */
enum vpci_event_kind {
	/** @VPCI_CONFIG_READ: read of configuration space; addr, len, value. */
	VPCI_CONFIG_READ,
	/** @VPCI_CONFIG_WRITE: write of configuration space, not yet done; addr, len, value. */
	VPCI_CONFIG_WRITE,
	/** @VPCI_BAR_READ: read of BAR unit; addr = offset, len, value. */
	VPCI_BAR_READ,
	/** @VPCI_BAR_WRITE: write of BAR unit, not yet done; addr = offset, len, value. */
	VPCI_BAR_WRITE,
	/** @VPCI_DMA_READ: the device has read memory; addr, len, value. */
	VPCI_DMA_READ,
	/** @VPCI_DMA_WRITE: the device has written memory; addr, len, value. */
	VPCI_DMA_WRITE,
	/** @VPCI_DMA_ATOMIC: AtomicOp; addr, len, value = previous value. */
	VPCI_DMA_ATOMIC,
	/** @VPCI_DMA_ERROR: rejected DMA; addr, len. */
	VPCI_DMA_ERROR,
	/** @VPCI_IRQ_REQUEST: the device requests vector unit. */
	VPCI_IRQ_REQUEST,
	/** @VPCI_IRQ_SENT: the message of vector unit is sent; addr, len, value = data. */
	VPCI_IRQ_SENT,
	/** @VPCI_IRQ_DROPPED: request of vector unit while MSI-X is off, or that does not exist. */
	VPCI_IRQ_DROPPED,
	/** @VPCI_BAD_MESSAGE: refused message; unit = operation, addr, len, value = BAR. */
	VPCI_BAD_MESSAGE,
};

/** struct vpci_event - an access, an interrupt or a DMA transfer */
struct vpci_event {
	/** @kind: kind of the event. */
	enum vpci_event_kind kind;
	/** @unit: BAR, vector or operation. */
	unsigned int unit;
	/** @addr: address or offset. */
	uint64_t addr;
	/** @len: bytes. */
	uint32_t len;
	/** @value: value, the first 8 bytes of a longer one. */
	uint64_t value;
};

/** struct vpci_ops - functions of the device; all get the pointer @ctx of vpci_create() */
struct vpci_ops {
	/**
	 * @read: read the 32-bit word at @offset, a multiple of 4, of a BAR; longer and shorter
	 * reads are composed of it. NULL: all words are 0.
	 */
	uint32_t (*read)(void *ctx, unsigned int bar, uint64_t offset);
	/**
	 * @write: write the 32-bit word at @offset, a multiple of 4, of a BAR. Bit i of @bytes:
	 * byte i is written. NULL: writes have no effect.
	 */
	void (*write)(void *ctx, unsigned int bar, uint64_t offset, uint32_t value,
		      unsigned int bytes);
	/**
	 * @reset: reset the function, before configuration space and MSI-X are reset. Return: 0, or
	 * -errno: the function keeps its state (VPCI_RESET_POWER: the guest is turned away).
	 * NULL: a reset does nothing, and is none at VPCI_RESET_D0.
	 */
	int (*reset)(void *ctx, enum vpci_reset cause);
	/**
	 * @step: execute a part of the work, for up to about 30 us, such as some clock cycles.
	 * Return: whether there is more; if not, it is not called again before the next access of
	 * the guest. NULL: all work is done in @write.
	 */
	bool (*step)(void *ctx);
	/** @event: is told each event; NULL: events are not told. */
	void (*event)(void *ctx, const struct vpci_event *event);
};

/** struct vpci_stats - counters since vpci_create() */
struct vpci_stats {
	/** @messages: messages of the guest. */
	uint64_t messages;
	/** @bad_messages: messages that were refused. */
	uint64_t bad_messages;
	/** @irqs_requested: interrupts requested by the device. */
	uint64_t irqs_requested;
	/** @irqs_sent: messages sent to the guest. */
	uint64_t irqs_sent;
	/** @dma_errors: DMA accesses rejected. */
	uint64_t dma_errors;
};

struct vpci;

/**
 * vpci_main() - a device as a program: listens at a socket, serves a guest, and ends after it
 * @config: description of the function
 * @ops: functions of the device
 * @ctx: passed to them
 * @vpci: out: the device, before the first call of @ops; NULL again at the end
 * @argc: number of the arguments of main()
 * @argv: the arguments: ``--socket=PATH`` (required), ``--qtest=PATH`` (vpci_use_qemu()),
 *        ``--keep`` (serve further guests), ``--verbose``, ``--help``
 *
 * SIGTERM and SIGINT end it, too.
 *
 * Return: exit status of the program: 0; 1 after a message; 2 for wrong arguments.
 */
int vpci_main(const struct vpci_config *config, const struct vpci_ops *ops, void *ctx,
	      struct vpci **vpci, int argc, char **argv);

/**
 * vpci_create() - create a function without a guest
 * @config: its description, of which a copy is kept
 * @ops: functions of the device, which outlive it
 * @ctx: passed to them
 *
 * Return: the function; NULL with errno set, EINVAL after a line in the log that names the field of
 * @config.
 */
struct vpci *vpci_create(const struct vpci_config *config, const struct vpci_ops *ops, void *ctx);

/**
 * vpci_use_qemu() - the guest is one of QEMU, not of User Mode Linux. Before the first guest.
 * @vpci: the function; its BARs become 32-bit ones, since QEMU's proxy knows no others
 * @path: UNIX socket at which QEMU's -qtest connects, which delivers interrupts; the caller unlinks
 *        it
 *
 * vpci_connect() then takes the connection of QEMU's x-pci-proxy-dev.
 *
 * Return: as vpci_listen().
 */
int vpci_use_qemu(struct vpci *vpci, const char *path);

/** vpci_destroy() - disconnect the guest and free @vpci; NULL is allowed. */
void vpci_destroy(struct vpci *vpci);

/**
 * vpci_listen() - listen at a UNIX socket
 * @path: path of the socket, which accepts connections as soon as it exists; a stale socket is
 * replaced
 *
 * Return: the listening file; -EADDRINUSE if another process listens there, or @path is no socket;
 * -ENAMETOOLONG; or another -errno.
 */
int vpci_listen(const char *path);

/**
 * vpci_connect() - reset the function and serve the guest at @sock, which @vpci owns from then on.
 * Return: 0; -errno of &vpci_ops.reset or of the system, with @sock closed.
 */
int vpci_connect(struct vpci *vpci, int sock);

/** vpci_connected() - whether there is a guest. */
bool vpci_connected(const struct vpci *vpci);

/** vpci_fd() - a file that is readable when the guest has work for @vpci; @vpci owns it. */
int vpci_fd(const struct vpci *vpci);

/**
 * vpci_run() - do all pending work, with steps of the device, for about a millisecond at most.
 * Return: true if it has to be called again at once; false if the caller may wait for vpci_fd().
 */
bool vpci_run(struct vpci *vpci);

/**
 * vpci_poll() - handle messages of the guest and pending interrupts, without steps of the device.
 * Return: 0; -ECONNRESET if the guest has gone.
 */
int vpci_poll(struct vpci *vpci);

/**
 * vpci_serve() - the part of vpci_poll() that needs no system call: accesses and interrupts, not
 * the connection. Return: number of accesses.
 */
unsigned int vpci_serve(struct vpci *vpci);

/**
 * vpci_set_polling() - with @polling the guest does not notify accesses, which saves it a system
 * call each: the caller calls vpci_serve() all the time. After the end of it, vpci_serve() has to
 * be called once more.
 */
void vpci_set_polling(struct vpci *vpci, bool polling);

/** vpci_stats() - counters. */
const struct vpci_stats *vpci_stats(const struct vpci *vpci);

/**
 * vpci_raise() - request an interrupt
 * @vpci: the function
 * @vector: number of the vector
 *
 * It is sent as soon as the guest has enabled bus mastering, unmasked the vector and has a buffer
 * for it; until then it is pending, and further requests are merged with it.
 *
 * Return: 0; -ENXIO, with a line in the log, if there is no such vector; -EACCES while MSI-X is
 * off, and the request is lost.
 */
int vpci_raise(struct vpci *vpci, unsigned int vector);

/** vpci_msix_enabled() - whether the guest has enabled MSI-X. */
bool vpci_msix_enabled(const struct vpci *vpci);

/** vpci_hold() - do not send @vector before vpci_release(); others overtake it. */
void vpci_hold(struct vpci *vpci, unsigned int vector);
/** vpci_release() - end vpci_hold(), without sending. */
void vpci_release(struct vpci *vpci, unsigned int vector);
/** vpci_deliver() - send pending interrupts, as far as possible. */
void vpci_deliver(struct vpci *vpci);

/**
 * vpci_dma_read() - read the guest's memory
 * @vpci: the function
 * @addr: DMA address (guest physical)
 * @buf: destination
 * @len: bytes
 *
 * Aligned words of 8, 4, 2 and 1 bytes are read atomically: a word that the guest writes at the
 * same time is old or new.
 *
 * Return: 0; -EACCES while bus mastering is off; -EFAULT if some of it is not memory. Then @buf is
 * undefined, and the log has a line.
 */
int vpci_dma_read(struct vpci *vpci, uint64_t addr, void *buf, size_t len);

/**
 * vpci_dma_write() - write the guest's memory; as vpci_dma_read(), and nothing is written on
 * failure. The guest sees writes in the order of the calls.
 */
int vpci_dma_write(struct vpci *vpci, uint64_t addr, const void *buf, size_t len);

/**
 * vpci_dma_write_bytes() - as vpci_dma_write() for up to 64 bytes, those with a bit in @bytes.
 * Return: also -EINVAL for more than 64 bytes.
 */
int vpci_dma_write_bytes(struct vpci *vpci, uint64_t addr, const void *buf, size_t len,
			 uint64_t bytes);

/**
 * vpci_dma_cas() - AtomicOp compare and swap, atomic with respect to the guest's processors
 * @vpci: the function
 * @addr: DMA address, a multiple of @size
 * @size: 2, 4 or 8 bytes
 * @expected: in: the value to compare with; out: the previous value
 * @desired: stored if they were equal
 *
 * Sequentially consistent.
 *
 * Return: as vpci_dma_read(); -EACCES also while AtomicOps are off; -EFAULT also for an address
 * that is not aligned, or another size.
 */
int vpci_dma_cas(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t *expected,
		 uint64_t desired);

/** vpci_dma_swap() - AtomicOp swap, @old: out: the previous value; else as vpci_dma_cas(). */
int vpci_dma_swap(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t value,
		  uint64_t *old);

/** vpci_dma_add() - AtomicOp fetch and add, modulo 2^(8 * @size); else as vpci_dma_swap(). */
int vpci_dma_add(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t value,
		 uint64_t *old);

/**
 * struct vpci_clock - simulated time (time-travel=ext): the device decides when the accesses of a
 * guest arrive
 */
struct vpci_clock {
	/** @kicked: the guest has added an access, or buffers for interrupts. */
	void (*kicked)(void *ctx);
	/**
	 * @wait: serve the guest's clock until the file @fd is readable. Return: 0, or -errno if
	 * the clock has gone.
	 */
	int (*wait)(void *ctx, int fd);
};

/**
 * vpci_use_clock() - vpci_poll() only receives messages; the caller calls vpci_carry_out(),
 * vpci_collect() and vpci_deliver(). Before the first guest.
 * @vpci: the function
 * @clock: functions of the clock, which outlive @vpci
 * @ctx: passed to them
 */
void vpci_use_clock(struct vpci *vpci, const struct vpci_clock *clock, void *ctx);

/**
 * vpci_carry_out() - carry out waiting accesses in order. *@posted becomes the number of writes
 * since the last read, whose buffers the guest has to collect. Return: number of accesses.
 */
unsigned int vpci_carry_out(struct vpci *vpci, unsigned int *posted);

/** vpci_collect() - let the guest collect the buffers of its writes. */
void vpci_collect(struct vpci *vpci);

/**
 * vpci_set_log() - lines on standard error begin with @name (default: the program's)
 * @name: a string that stays
 * @verbose: print those of vpci_debug(), too
 */
void vpci_set_log(const char *name, bool verbose);
/** vpci_warn() - print one line to standard error about a problem that does not stop the device. */
void vpci_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** vpci_debug() - print one line to standard error, if verbose. */
void vpci_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif /* VPCI_H */
