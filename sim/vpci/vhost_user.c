// SPDX-License-Identifier: Apache-2.0
#include "vhost_user.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/virtio_config.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vpci.h"

enum vhost_user_request {
	VU_GET_FEATURES = 1,
	VU_SET_FEATURES = 2,
	VU_SET_OWNER = 3,
	VU_RESET_OWNER = 4,
	VU_SET_MEM_TABLE = 5,
	VU_SET_VRING_NUM = 8,
	VU_SET_VRING_ADDR = 9,
	VU_SET_VRING_BASE = 10,
	VU_GET_VRING_BASE = 11,
	VU_SET_VRING_KICK = 12,
	VU_SET_VRING_CALL = 13,
	VU_SET_VRING_ERR = 14,
	VU_GET_PROTOCOL_FEATURES = 15,
	VU_SET_PROTOCOL_FEATURES = 16,
	VU_GET_QUEUE_NUM = 17,
	VU_SET_VRING_ENABLE = 18,
	VU_SET_SLAVE_REQ_FD = 21,
	VU_GET_CONFIG = 24,
	VU_SET_CONFIG = 25,
	VU_VRING_KICK = 35,
};

#define VU_VERSION	   1u
#define VU_FLAG_VERSION	   3u
#define VU_FLAG_REPLY	   4u
#define VU_FLAG_NEED_REPLY 8u

#define VU_F_PROTOCOL_FEATURES	30
#define VU_PROTOCOL_F_REPLY_ACK 3
#define VU_PROTOCOL_F_SLAVE_REQ 5
#define VU_PROTOCOL_F_CONFIG	9
#define VU_PROTOCOL_F_INBAND	14
/* The request to the front end of vhost_user_call(). */
#define VU_VRING_CALL 4

#define VU_FEATURES (1ull << VIRTIO_F_VERSION_1 | 1ull << VU_F_PROTOCOL_FEATURES)
#define VU_PROTOCOL_FEATURES                                                 \
	(1ull << VU_PROTOCOL_F_REPLY_ACK | 1ull << VU_PROTOCOL_F_SLAVE_REQ | \
	 1ull << VU_PROTOCOL_F_CONFIG)

#define VU_VRING_INDEX_MASK 0xffull
#define VU_VRING_NO_FD	    0x100ull

struct vring_state_msg {
	uint32_t index;
	uint32_t num;
};

struct vring_addr_msg {
	uint32_t index;
	uint32_t flags;
	uint64_t desc;
	uint64_t used;
	uint64_t avail;
	uint64_t log;
};

struct mem_region_msg {
	uint64_t guest_addr;
	uint64_t size;
	uint64_t user_addr;
	uint64_t mmap_offset;
};

struct mem_table_msg {
	uint32_t count;
	uint32_t padding;
	struct mem_region_msg region[GUEST_MEM_MAX_REGIONS];
};

struct config_msg {
	uint32_t offset;
	uint32_t size;
	uint32_t flags;
};

/* Result of a handler: done, rejected, or already replied to. */
enum verdict { VERDICT_OK, VERDICT_REFUSED, VERDICT_ANSWERED };

void vhost_user_init(struct vhost_user *vu,
		     void (*kick_changed)(void *ctx, unsigned int queue, int fd), void *ctx)
{
	memset(vu, 0, sizeof(*vu));
	vu->sock = -1;
	vu->request_fd = -1;
	vu->kick_changed = kick_changed;
	vu->ctx = ctx;
	for (unsigned int i = 0; i < VHOST_USER_MAX_QUEUES; i++)
		virtq_init(&vu->queue[i], &vu->mem);
}

static void vhost_user_set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

void vhost_user_connect(struct vhost_user *vu, int sock)
{
	vhost_user_set_nonblocking(sock);
	vu->sock = sock;
}

static void vhost_user_close_fds(struct vhost_user *vu)
{
	while (vu->fd_count)
		close(vu->fds[--vu->fd_count]);
}

/* The file received with the message, now owned by the caller; -1: none. */
static int vhost_user_take_fd(struct vhost_user *vu)
{
	return vu->fd_count ? vu->fds[--vu->fd_count] : -1;
}

void vhost_user_disconnect(struct vhost_user *vu)
{
	void (*kicked)(void *ctx, unsigned int queue);
	bool inband;

	vhost_user_close_fds(vu);
	for (unsigned int i = 0; i < VHOST_USER_MAX_QUEUES; i++) {
		if (vu->queue[i].kick_fd >= 0)
			vu->kick_changed(vu->ctx, i, -1);
		virtq_reset(&vu->queue[i]);
	}
	guest_mem_clear(&vu->mem);
	if (vu->request_fd >= 0)
		close(vu->request_fd);
	if (vu->sock >= 0)
		close(vu->sock);
	inband = vu->inband;
	kicked = vu->kicked;
	vhost_user_init(vu, vu->kick_changed, vu->ctx);
	vu->inband = inband;
	vu->kicked = kicked;
}

static void vhost_user_reply(struct vhost_user *vu, const void *payload, uint32_t size)
{
	struct {
		struct vhost_user_header header;
		uint8_t payload[VHOST_USER_MAX_PAYLOAD];
	} msg = {
		.header = { vu->header.request, VU_VERSION | VU_FLAG_REPLY, size },
	};

	memcpy(msg.payload, payload, size);
	/* If the front end does not read its replies, the next receive detects it. */
	if (send(vu->sock, &msg, sizeof(msg.header) + size, MSG_NOSIGNAL) < 0)
		vpci_warn("answering request %" PRIu32 " failed: %s", vu->header.request,
			  strerror(errno));
}

static enum verdict vhost_user_reply_u64(struct vhost_user *vu, uint64_t value)
{
	vhost_user_reply(vu, &value, sizeof(value));
	return VERDICT_ANSWERED;
}

static enum verdict vhost_user_refuse(const struct vhost_user *vu, const char *why)
{
	vpci_warn("vhost-user request %" PRIu32 " (%" PRIu32 " bytes) refused: %s",
		  vu->header.request, vu->header.size, why);
	return VERDICT_REFUSED;
}

/* Copies the payload to @dst if it has exactly this size. */
static bool vhost_user_payload_is(const struct vhost_user *vu, void *dst, size_t size)
{
	if (vu->header.size != size)
		return false;
	memcpy(dst, vu->payload, size);
	return true;
}

static uint64_t vhost_user_protocol_features(const struct vhost_user *vu)
{
	return VU_PROTOCOL_FEATURES | (vu->inband ? 1ull << VU_PROTOCOL_F_INBAND : 0);
}

static enum verdict vhost_user_set_features(struct vhost_user *vu)
{
	uint64_t features;

	if (!vhost_user_payload_is(vu, &features, sizeof(features)))
		return vhost_user_refuse(vu, "the payload must be 8 bytes");
	if (features & ~VU_FEATURES)
		return vhost_user_refuse(vu, "it accepts features that were not offered");
	vu->features = features;
	/* Without protocol features, queues are initially enabled. */
	if (!(features >> VU_F_PROTOCOL_FEATURES & 1))
		for (unsigned int i = 0; i < VHOST_USER_MAX_QUEUES; i++)
			vu->queue[i].enabled = true;
	return VERDICT_OK;
}

static enum verdict vhost_user_set_protocol_features(struct vhost_user *vu)
{
	uint64_t features;

	if (!vhost_user_payload_is(vu, &features, sizeof(features)))
		return vhost_user_refuse(vu, "the payload must be 8 bytes");
	if (features & ~vhost_user_protocol_features(vu))
		return vhost_user_refuse(vu, "it accepts protocol features that were not offered");
	vu->protocol_features = features;
	return VERDICT_OK;
}

static void vhost_user_map_queue(struct vhost_user *vu, unsigned int index)
{
	if (!virtq_map(&vu->queue[index]))
		vpci_warn(
			"the rings of queue %u are not in shared memory or not aligned: the queue is stopped",
			index);
}

static enum verdict vhost_user_set_mem_table(struct vhost_user *vu)
{
	struct mem_table_msg table = { 0 };

	if (vu->header.size < 8 || vu->header.size > sizeof(table))
		return vhost_user_refuse(vu, "the payload is no memory table");
	memcpy(&table, vu->payload, vu->header.size);
	if (table.count > GUEST_MEM_MAX_REGIONS || table.count > vu->fd_count ||
	    vu->header.size < 8 + table.count * sizeof(table.region[0]))
		return vhost_user_refuse(vu,
					 "it names more ranges than it describes or has files for");

	guest_mem_clear(&vu->mem);
	for (unsigned int i = 0; i < table.count; i++) {
		const struct mem_region_msg *r = &table.region[i];
		int err = guest_mem_add(&vu->mem, r->guest_addr, r->user_addr, r->size,
					r->mmap_offset, vu->fds[i]);

		vpci_debug("memory 0x%" PRIx64 "..0x%" PRIx64 ": %s", r->guest_addr,
			   r->guest_addr + r->size - 1, err ? strerror(-err) : "mapped");
		if (err)
			vpci_warn("memory range %u (0x%" PRIx64 " bytes at 0x%" PRIx64
				  ") cannot be mapped: %s",
				  i, r->size, r->guest_addr, strerror(-err));
	}
	for (unsigned int i = 0; i < VHOST_USER_MAX_QUEUES; i++)
		vhost_user_map_queue(vu, i);
	return vu->mem.count == table.count ? VERDICT_OK : VERDICT_REFUSED;
}

/* The queue of a {index, number} payload, or NULL. */
static struct virtq *vhost_user_state_queue(struct vhost_user *vu, struct vring_state_msg *state)
{
	if (!vhost_user_payload_is(vu, state, sizeof(*state)) ||
	    state->index >= VHOST_USER_MAX_QUEUES)
		return NULL;
	return &vu->queue[state->index];
}

static enum verdict vhost_user_set_vring_num(struct vhost_user *vu)
{
	struct vring_state_msg state;
	struct virtq *vq = vhost_user_state_queue(vu, &state);

	if (!vq || !state.num || state.num > VIRTQ_MAX_SIZE || state.num & (state.num - 1))
		return vhost_user_refuse(vu,
					 "it must name queue 0 or 1 and a power of two up to 1024");
	vq->num = state.num;
	vhost_user_map_queue(vu, state.index);
	return VERDICT_OK;
}

static enum verdict vhost_user_set_vring_base(struct vhost_user *vu)
{
	struct vring_state_msg state;
	struct virtq *vq = vhost_user_state_queue(vu, &state);

	if (!vq || state.num > UINT16_MAX)
		return vhost_user_refuse(vu, "it must name queue 0 or 1 and a 16-bit index");
	vq->last_avail = (uint16_t)state.num;
	vq->used_idx = (uint16_t)state.num;
	vq->broken = false;
	return VERDICT_OK;
}

static enum verdict vhost_user_get_vring_base(struct vhost_user *vu)
{
	struct vring_state_msg state;
	struct virtq *vq = vhost_user_state_queue(vu, &state);

	if (!vq) {
		vhost_user_refuse(vu, "it must name queue 0 or 1");
		state = (struct vring_state_msg){ 0 };
	} else {
		/* A request for the index stops the queue. */
		vq->enabled = false;
		state.num = vq->last_avail;
	}
	vhost_user_reply(vu, &state, sizeof(state));
	return VERDICT_ANSWERED;
}

static enum verdict vhost_user_set_vring_addr(struct vhost_user *vu)
{
	struct vring_addr_msg addr;

	if (!vhost_user_payload_is(vu, &addr, sizeof(addr)) || addr.index >= VHOST_USER_MAX_QUEUES)
		return vhost_user_refuse(vu, "it must name queue 0 or 1 and be 40 bytes");
	vu->queue[addr.index].desc_addr = addr.desc;
	vu->queue[addr.index].avail_addr = addr.avail;
	vu->queue[addr.index].used_addr = addr.used;
	vu->queue[addr.index].has_addr = true;
	vhost_user_map_queue(vu, addr.index);
	return VERDICT_OK;
}

static enum verdict vhost_user_set_vring_enable(struct vhost_user *vu)
{
	struct vring_state_msg state;
	struct virtq *vq = vhost_user_state_queue(vu, &state);

	if (!vq || state.num > 1)
		return vhost_user_refuse(vu, "it must name queue 0 or 1 and be 0 or 1");
	vq->enabled = state.num;
	/* Kicks may have been disabled when the queue was stopped. */
	virtq_set_notify(vq, true);
	return VERDICT_OK;
}

static enum verdict vhost_user_set_vring_fd(struct vhost_user *vu)
{
	unsigned int index;
	struct virtq *vq;
	uint64_t value;
	int fd = -1;

	if (!vhost_user_payload_is(vu, &value, sizeof(value)) ||
	    (value & VU_VRING_INDEX_MASK) >= VHOST_USER_MAX_QUEUES)
		return vhost_user_refuse(vu, "it must name queue 0 or 1 and be 8 bytes");
	index = (unsigned int)(value & VU_VRING_INDEX_MASK);
	vq = &vu->queue[index];
	if (!(value & VU_VRING_NO_FD)) {
		fd = vhost_user_take_fd(vu);
		if (fd < 0)
			return vhost_user_refuse(vu, "the file that it promises did not come");
		vhost_user_set_nonblocking(fd);
	}
	if (vu->header.request == VU_SET_VRING_CALL) {
		if (vq->call_fd >= 0)
			close(vq->call_fd);
		vq->call_fd = fd;
	} else if (vu->header.request == VU_SET_VRING_KICK) {
		if (vq->kick_fd >= 0) {
			vu->kick_changed(vu->ctx, index, -1);
			close(vq->kick_fd);
		}
		vq->kick_fd = fd;
		if (fd >= 0)
			vu->kick_changed(vu->ctx, index, fd);
	} else if (fd >= 0) {
		/* The error file is not used: errors go to the log. */
		close(fd);
	}
	return VERDICT_OK;
}

static enum verdict vhost_user_kick(struct vhost_user *vu)
{
	struct vring_state_msg state;

	if (!vu->inband || !vhost_user_state_queue(vu, &state))
		return vhost_user_refuse(vu, "it must name queue 0 or 1, and be agreed on");
	vu->kicked(vu->ctx, state.index);
	return VERDICT_OK;
}

static enum verdict vhost_user_set_request_fd(struct vhost_user *vu)
{
	int fd = vhost_user_take_fd(vu);

	if (fd < 0)
		return vhost_user_refuse(vu, "the file that it promises did not come");
	if (vu->request_fd >= 0)
		close(vu->request_fd);
	vu->request_fd = fd;
	return VERDICT_OK;
}

static enum verdict vhost_user_get_config(struct vhost_user *vu)
{
	struct config_msg config;

	/*
	 * The device has only PCI configuration: virtio configuration reads as zero. An empty reply
	 * means "error".
	 */
	if (vu->header.size < sizeof(config)) {
		vhost_user_refuse(vu, "the payload is too short");
		vhost_user_reply(vu, NULL, 0);
		return VERDICT_ANSWERED;
	}
	memset(vu->payload + sizeof(config), 0, vu->header.size - sizeof(config));
	vhost_user_reply(vu, vu->payload, vu->header.size);
	return VERDICT_ANSWERED;
}

static enum verdict vhost_user_handle_request(struct vhost_user *vu)
{
	switch (vu->header.request) {
	case VU_GET_FEATURES:
		return vhost_user_reply_u64(vu, VU_FEATURES);
	case VU_SET_FEATURES:
		return vhost_user_set_features(vu);
	case VU_SET_OWNER:
	case VU_RESET_OWNER:
		return VERDICT_OK;
	case VU_SET_MEM_TABLE:
		return vhost_user_set_mem_table(vu);
	case VU_SET_VRING_NUM:
		return vhost_user_set_vring_num(vu);
	case VU_SET_VRING_ADDR:
		return vhost_user_set_vring_addr(vu);
	case VU_SET_VRING_BASE:
		return vhost_user_set_vring_base(vu);
	case VU_GET_VRING_BASE:
		return vhost_user_get_vring_base(vu);
	case VU_SET_VRING_KICK:
	case VU_SET_VRING_CALL:
	case VU_SET_VRING_ERR:
		return vhost_user_set_vring_fd(vu);
	case VU_GET_PROTOCOL_FEATURES:
		return vhost_user_reply_u64(vu, vhost_user_protocol_features(vu));
	case VU_SET_PROTOCOL_FEATURES:
		return vhost_user_set_protocol_features(vu);
	case VU_GET_QUEUE_NUM:
		return vhost_user_reply_u64(vu, VHOST_USER_MAX_QUEUES);
	case VU_SET_VRING_ENABLE:
		return vhost_user_set_vring_enable(vu);
	case VU_VRING_KICK:
		return vhost_user_kick(vu);
	case VU_SET_SLAVE_REQ_FD:
		return vhost_user_set_request_fd(vu);
	case VU_GET_CONFIG:
		return vhost_user_get_config(vu);
	case VU_SET_CONFIG:
		return vhost_user_refuse(vu, "there is no virtio configuration to write");
	default:
		return vhost_user_refuse(vu, "it is not known here");
	}
}

static void vhost_user_handle_message(struct vhost_user *vu)
{
	bool ack;
	enum verdict verdict;

	vpci_debug("vhost-user request %" PRIu32 ", %" PRIu32 " bytes, %u files",
		   vu->header.request, vu->header.size, vu->fd_count);
	verdict = vhost_user_handle_request(vu);
	/*
	 * Evaluated after the request: Linux expects that the request which accepts REPLY_ACK is
	 * acknowledged, too.
	 */
	ack = vu->protocol_features >> VU_PROTOCOL_F_REPLY_ACK & 1 &&
	      vu->header.flags & VU_FLAG_NEED_REPLY;
	if (ack && verdict != VERDICT_ANSWERED)
		vhost_user_reply_u64(vu, verdict == VERDICT_REFUSED);
	vhost_user_close_fds(vu);
}

/* Stores the files of a control message, up to VHOST_USER_MAX_FDS. */
static void vhost_user_keep_fds(struct vhost_user *vu, struct msghdr *msg)
{
	for (struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg); cmsg; cmsg = CMSG_NXTHDR(msg, cmsg)) {
		size_t count = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(fd), sizeof(fd));
			if (vu->fd_count < VHOST_USER_MAX_FDS)
				vu->fds[vu->fd_count++] = fd;
			else
				close(fd);
		}
	}
}

/* Reads up to @len bytes to @dst. Return: their number, 0: none available, or -errno. */
static ssize_t vhost_user_receive_bytes(struct vhost_user *vu, void *dst, size_t len)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(VHOST_USER_MAX_FDS * sizeof(int))];
	} control;
	struct iovec iov = { dst, len };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(vu->sock, &msg, MSG_CMSG_CLOEXEC);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -ECONNRESET;
	if (got == 0)
		return -ECONNRESET;
	vhost_user_keep_fds(vu, &msg);
	return got;
}

static int vhost_user_check_header(const struct vhost_user *vu)
{
	if ((vu->header.flags & VU_FLAG_VERSION) != VU_VERSION) {
		vpci_warn("vhost-user request %" PRIu32 " has version %" PRIu32
			  ", only 1 is known: connection closed",
			  vu->header.request, vu->header.flags & VU_FLAG_VERSION);
		return -EPROTO;
	}
	if (vu->header.size > VHOST_USER_MAX_PAYLOAD) {
		vpci_warn("vhost-user request %" PRIu32 " has a payload of %" PRIu32
			  " bytes, more than %d: connection closed",
			  vu->header.request, vu->header.size, VHOST_USER_MAX_PAYLOAD);
		return -EPROTO;
	}
	return 0;
}

int vhost_user_receive(struct vhost_user *vu)
{
	const size_t head = sizeof(vu->header);

	for (;;) {
		uint8_t *dst = vu->received < head ? (uint8_t *)&vu->header + vu->received :
						     vu->payload + (vu->received - head);
		size_t want = vu->received < head ? head - vu->received :
						    head + vu->header.size - vu->received;
		ssize_t got = vhost_user_receive_bytes(vu, dst, want);
		int err;

		if (got <= 0)
			return (int)got;
		vu->received += (size_t)got;
		if (vu->received < head)
			continue;
		if (vu->received == head) {
			err = vhost_user_check_header(vu);
			if (err)
				return err;
		}
		if (vu->received == head + vu->header.size) {
			vu->received = 0;
			vhost_user_handle_message(vu);
		}
	}
}

int vhost_user_call(struct vhost_user *vu, unsigned int queue)
{
	const struct {
		struct vhost_user_header header;
		struct vring_state_msg state;
	} msg = {
		.header = { VU_VRING_CALL, VU_VERSION | VU_FLAG_NEED_REPLY, sizeof(msg.state) },
		.state = { .index = queue },
	};

	if (send(vu->request_fd, &msg, sizeof(msg), MSG_NOSIGNAL) != sizeof(msg))
		return -ECONNRESET;
	return 0;
}

int vhost_user_called(struct vhost_user *vu)
{
	struct {
		struct vhost_user_header header;
		uint64_t result;
	} __attribute__((packed)) answer;

	if (recv(vu->request_fd, &answer, sizeof(answer), MSG_WAITALL) != sizeof(answer))
		return -ECONNRESET;
	return answer.result ? -EPROTO : 0;
}
