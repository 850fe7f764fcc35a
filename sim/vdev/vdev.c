// SPDX-License-Identifier: Apache-2.0
#include "vdev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "bridge.h"
#include "log.h"
#include "pcidev.h"
#include "vhost_user.h"

#define QUEUE_COMMAND 0
#define QUEUE_IRQ     1

/*
 * A register read waits for the end of a slice, so slices are short. vdev_run() executes many of
 * them.
 */
#define SLICE_NS  30000
#define RUN_NS	  1000000
#define SLICE_MIN 1
#define SLICE_MAX 256

/* Tag of an epoll event: EVENT_KICK + queue, or the connection. */
enum event_tag { EVENT_KICK = 0, EVENT_SOCKET = VHOST_USER_MAX_QUEUES };

struct vdev {
	struct vhost_user vu;
	struct bridge bridge;
	int epoll;
	uint64_t slice;
	/* Shortest duration of a cycle. */
	uint64_t cycle_ns;
};

static uint64_t vdev_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void vdev_pause_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
				      .tv_nsec = (long)(ns % 1000000000u) },
		  NULL);
}

static int vdev_watch(struct vdev *vdev, int fd, uint32_t tag)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = tag };

	return epoll_ctl(vdev->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static void vdev_kick_changed(void *ctx, unsigned int queue, int fd)
{
	struct vdev *vdev = ctx;
	int err;

	if (fd < 0) {
		epoll_ctl(vdev->epoll, EPOLL_CTL_DEL, vdev->vu.queue[queue].kick_fd, NULL);
		return;
	}
	err = vdev_watch(vdev, fd, EVENT_KICK + queue);
	if (err)
		vdev_warn("the kick file of queue %u cannot be waited for: %s", queue,
			  strerror(-err));
}

static bool vdev_send_msix(void *ctx, const struct msix_message *message)
{
	struct vdev *vdev = ctx;
	struct virtq *vq = &vdev->vu.queue[QUEUE_IRQ];
	struct virtq_buffer buffer;
	uint32_t len = 0;

	/* Buffers that are too small go back empty; the message waits for a proper one. */
	while (!len) {
		int got = virtq_pop(vq, &buffer);

		if (!got)
			return false;
		if (got > 0)
			len = pcidev_send_msix(&buffer, message);
		virtq_push(vq, buffer.head, len);
		virtq_call(vq);
	}
	return true;
}

struct vdev *vdev_create(const struct vdev_config *config)
{
	struct vdev *vdev = calloc(1, sizeof(*vdev));
	int err;

	if (!vdev)
		return NULL;
	vhost_user_init(&vdev->vu, vdev_kick_changed, vdev);
	vdev->slice = SLICE_MIN;
	vdev->cycle_ns = config->pace ? 1000000000u / config->pace : 0;
	vdev->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = vdev->epoll < 0 ?
		      -errno :
		      bridge_init(&vdev->bridge, config, &vdev->vu.mem, vdev_send_msix, vdev);
	if (err) {
		if (vdev->epoll >= 0)
			close(vdev->epoll);
		free(vdev);
		errno = -err;
		return NULL;
	}
	return vdev;
}

void vdev_destroy(struct vdev *vdev)
{
	if (!vdev)
		return;
	vhost_user_disconnect(&vdev->vu);
	bridge_fini(&vdev->bridge);
	recorder_destroy(vdev->bridge.recorder);
	close(vdev->epoll);
	free(vdev);
}

int vdev_connect(struct vdev *vdev, int sock)
{
	int err = bridge_reset(&vdev->bridge);

	if (!err)
		err = vdev_watch(vdev, sock, EVENT_SOCKET);
	if (err) {
		close(sock);
		return err;
	}
	vhost_user_connect(&vdev->vu, sock);
	return 0;
}

bool vdev_connected(const struct vdev *vdev)
{
	return vdev->vu.sock >= 0;
}

int vdev_fd(const struct vdev *vdev)
{
	return vdev->epoll;
}

/* Carries out everything that waits in the command queue, in order. */
static void vdev_serve_commands(struct vdev *vdev)
{
	struct virtq *vq = &vdev->vu.queue[QUEUE_COMMAND];
	struct virtq_buffer buffer;
	bool tell = false;
	int got;

	while ((got = virtq_pop(vq, &buffer)) != 0) {
		struct pcidev_result result = { .posted = true };

		if (got > 0)
			result = pcidev_handle(&vdev->bridge, &buffer);
		else
			vdev->bridge.stats.bad_messages++;
		virtq_push(vq, buffer.head, result.written);
		/* A guest that polls for an answer reaps the posted buffers before it as well. */
		tell = result.posted;
	}
	if (tell)
		virtq_call(vq);
}

static void vdev_disconnect(struct vdev *vdev)
{
	vdev_debug("the front end is gone");
	vhost_user_disconnect(&vdev->vu);
	/* Nobody is left whose memory it could touch. */
	vdev->bridge.work = false;
}

static void vdev_handle_events(struct vdev *vdev)
{
	struct epoll_event events[1 + VHOST_USER_MAX_QUEUES];
	int count = epoll_wait(vdev->epoll, events, 1 + VHOST_USER_MAX_QUEUES, 0);

	for (int i = 0; i < count; i++) {
		uint32_t tag = events[i].data.u32;
		uint64_t kicks;

		if (tag == EVENT_SOCKET) {
			if (vhost_user_receive(&vdev->vu)) {
				vdev_disconnect(vdev);
				return;
			}
		} else if (vdev->vu.queue[tag].kick_fd >= 0 &&
			   read(vdev->vu.queue[tag].kick_fd, &kicks, sizeof(kicks)) == 0) {
			/* End of file: it would be ready for ever. */
			vdev_kick_changed(vdev, tag, -1);
		}
	}
}

/*
 * One slice of the engine, whose length is adapted to the time of the last one. Cycles differ in
 * cost (in the model: a poll or a warp), so the length grows slowly up to a limit, and shrinks at
 * once.
 */
static void vdev_step_slice(struct vdev *vdev)
{
	uint64_t least = vdev->slice * vdev->cycle_ns;
	uint64_t start = vdev_now_ns();
	uint64_t took;

	bridge_step(&vdev->bridge, vdev->slice);
	took = vdev_now_ns() - start;
	if (took < least) {
		vdev_pause_ns(least - took);
		took = least;
	}
	if (took > 2 * SLICE_NS)
		vdev->slice = vdev->slice * SLICE_NS / took;
	else if (took < SLICE_NS / 2)
		vdev->slice *= 2;
	if (vdev->slice < SLICE_MIN)
		vdev->slice = SLICE_MIN;
	else if (vdev->slice > SLICE_MAX)
		vdev->slice = SLICE_MAX;
}

bool vdev_run(struct vdev *vdev)
{
	struct virtq *commands = &vdev->vu.queue[QUEUE_COMMAND];
	uint64_t end = vdev_now_ns() + RUN_NS;

	vdev_handle_events(vdev);
	vdev_serve_commands(vdev);
	bridge_deliver(&vdev->bridge);
	/*
	 * While the engine works the ring is polled, which saves the guest a system call per
	 * access.
	 */
	if (vdev->bridge.work)
		virtq_set_notify(commands, false);
	while (vdev->bridge.work && vdev_now_ns() < end) {
		vdev_step_slice(vdev);
		vdev_serve_commands(vdev);
		bridge_deliver(&vdev->bridge);
	}
	if (vdev->bridge.work)
		return true;
	virtq_set_notify(commands, true);
	vdev_serve_commands(vdev);
	return vdev->bridge.work;
}

const struct vdev_stats *vdev_stats(const struct vdev *vdev)
{
	return &vdev->bridge.stats;
}

void vdev_dump(const struct vdev *vdev, FILE *file)
{
	recorder_dump(vdev->bridge.recorder, file);
}

int vdev_dump_trace(struct vdev *vdev, const char *path)
{
	if (!vdev->bridge.engine)
		return -ENODEV;
	return vdev->bridge.config.engine->dump_trace(vdev->bridge.engine, path);
}
