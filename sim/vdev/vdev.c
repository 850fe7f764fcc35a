// SPDX-License-Identifier: Apache-2.0
#include "vdev.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "bridge.h"
#include "log.h"
#include "pcidev.h"
#include "simtime.h"
#include "vhost_user.h"

#define QUEUE_COMMAND 0
#define QUEUE_IRQ     1

/*
 * Simulated time of a clock cycle, and of a step of the model: polls are steps, too, so with short
 * steps a wait of seconds would take long.
 */
#define CYCLE_NS      10
#define MODEL_STEP_NS 1000

/*
 * A register read waits for the end of a slice, so slices are short. vdev_run() executes many of
 * them.
 */
#define SLICE_NS  30000
#define RUN_NS	  1000000
#define SLICE_MIN 1
#define SLICE_MAX 256

/* Tag of an epoll event: EVENT_KICK + queue, or the connection. */
enum event_tag {
	EVENT_KICK = 0,
	EVENT_SOCKET = VHOST_USER_MAX_QUEUES,
	EVENT_TIME_LISTENER,
	EVENT_TIME,
	EVENT_TAGS,
};

struct vdev {
	struct vhost_user vu;
	struct bridge bridge;
	int epoll;
	uint64_t slice;
	/* Shortest duration of a cycle. */
	uint64_t cycle_ns;
	/* The schedule of bridge.time. */
	struct simtime time;
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

/*
 * Notifies the guest of a queue. In simulated time the guest waits, and asks for the time before it
 * answers.
 */
static void vdev_call(struct vdev *vdev, unsigned int queue)
{
	struct virtq *vq = &vdev->vu.queue[queue];
	struct pollfd fds[2] = { { .fd = vdev->vu.request_fd, .events = POLLIN },
				 { .fd = vdev->time.link.sock, .events = POLLIN } };

	if (!vdev->bridge.time) {
		virtq_call(vq);
		return;
	}
	if (!virtq_wants_call(vq) || vhost_user_call(&vdev->vu, queue))
		return;
	do {
		poll(fds, 2, -1);
		if (fds[1].revents && timetravel_receive(&vdev->time.link))
			return;
	} while (!fds[0].revents);
	vhost_user_called(&vdev->vu);
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
		vdev_call(vdev, QUEUE_IRQ);
	}
	return true;
}

void vdev_destroy(struct vdev *vdev)
{
	if (!vdev)
		return;
	vhost_user_disconnect(&vdev->vu);
	timetravel_close(&vdev->time.link);
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

bool vdev_in_use(const struct vdev *vdev)
{
	return vdev_connected(vdev) || vdev->time.link.sock >= 0;
}

int vdev_fd(const struct vdev *vdev)
{
	return vdev->epoll;
}

/*
 * Carries out everything that waits in the command queue, in order. *@posted counts the accesses
 * since the last one whose answer the guest polls for: it reaps those before that as well.
 */
static void vdev_carry_out(void *ctx, unsigned int *posted)
{
	struct vdev *vdev = ctx;
	struct virtq *vq = &vdev->vu.queue[QUEUE_COMMAND];
	struct virtq_buffer buffer;
	int got;

	while ((got = virtq_pop(vq, &buffer)) != 0) {
		struct pcidev_result result = { .posted = true };

		if (got > 0)
			result = pcidev_handle(&vdev->bridge, &buffer);
		else
			vdev->bridge.stats.bad_messages++;
		virtq_push(vq, buffer.head, result.written);
		*posted = result.posted ? *posted + 1 : 0;
	}
}

static void vdev_serve_commands(struct vdev *vdev)
{
	unsigned int posted = 0;

	vdev_carry_out(vdev, &posted);
	if (posted)
		virtq_call(&vdev->vu.queue[QUEUE_COMMAND]);
}

static void vdev_call_commands(void *ctx)
{
	vdev_call(ctx, QUEUE_COMMAND);
}

static void vdev_kicked(void *ctx, unsigned int queue)
{
	struct vdev *vdev = ctx;

	(void)queue;
	simtime_kicked(&vdev->time);
}

/* The guest finds its notifications and its time in messages, and the device is its clock. */
static int vdev_open_time(struct vdev *vdev, const struct vdev_config *config)
{
	struct simtime *time = &vdev->time;
	uint64_t cycle_ns = config->cycle_ns;
	int err;

	time->bridge = &vdev->bridge;
	time->serve = vdev_carry_out;
	time->call = vdev_call_commands;
	time->ctx = vdev;
	vdev->bridge.time = time;
	vdev->vu.inband = true;
	vdev->vu.kicked = vdev_kicked;
	if (!cycle_ns)
		cycle_ns = strcmp(config->engine->name, "model") == 0 ? MODEL_STEP_NS : CYCLE_NS;
	err = simtime_init(time, config->time_socket, cycle_ns, config->mem.seed);
	return err ? err : vdev_watch(vdev, time->link.listener, EVENT_TIME_LISTENER);
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
	vdev->time.link.sock = vdev->time.link.listener = -1;
	vdev->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = vdev->epoll < 0 ?
		      -errno :
		      bridge_init(&vdev->bridge, config, &vdev->vu.mem, vdev_send_msix, vdev);
	if (!err && config->time_socket) {
		err = vdev_open_time(vdev, config);
		if (err) {
			bridge_fini(&vdev->bridge);
			recorder_destroy(vdev->bridge.recorder);
		}
	}
	if (err) {
		if (vdev->epoll >= 0)
			close(vdev->epoll);
		free(vdev);
		errno = -err;
		return NULL;
	}
	return vdev;
}

static void vdev_disconnect(struct vdev *vdev)
{
	vdev_debug("the front end is gone");
	vhost_user_disconnect(&vdev->vu);
	/* Nobody is left whose memory it could touch. */
	vdev->bridge.work = false;
}

static void vdev_accept_time(struct vdev *vdev)
{
	bool open = vdev->time.link.sock >= 0;

	timetravel_accept(&vdev->time.link);
	if (!open && vdev->time.link.sock >= 0)
		vdev_watch(vdev, vdev->time.link.sock, EVENT_TIME);
}

/* Handles what @tag is ready for; false: the front end is gone. */
static bool vdev_handle_event(struct vdev *vdev, uint32_t tag)
{
	uint64_t kicks;

	if (tag == EVENT_SOCKET) {
		if (vhost_user_receive(&vdev->vu)) {
			vdev_disconnect(vdev);
			return false;
		}
	} else if (tag == EVENT_TIME_LISTENER) {
		vdev_accept_time(vdev);
	} else if (tag == EVENT_TIME) {
		/* A function called for another event may have read the message already. */
		if (vdev->time.link.sock >= 0)
			timetravel_poll(&vdev->time.link);
	} else if (vdev->vu.queue[tag].kick_fd >= 0 &&
		   read(vdev->vu.queue[tag].kick_fd, &kicks, sizeof(kicks)) == 0) {
		/* End of file: it would be ready for ever. */
		vdev_kick_changed(vdev, tag, -1);
	}
	return true;
}

static void vdev_handle_events(struct vdev *vdev)
{
	struct epoll_event events[EVENT_TAGS];
	int count = epoll_wait(vdev->epoll, events, EVENT_TAGS, 0);

	for (int i = 0; i < count; i++)
		if (!vdev_handle_event(vdev, events[i].data.u32))
			return;
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
	if (vdev->bridge.time)
		return simtime_advance(&vdev->time);
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

uint64_t vdev_cycle(const struct vdev *vdev)
{
	return bridge_cycle(&vdev->bridge);
}

const struct vdev_stats *vdev_stats(const struct vdev *vdev)
{
	return &vdev->bridge.stats;
}

int vdev_write_events(const struct vdev *vdev, const char *path)
{
	return events_write(&vdev->bridge.events, path);
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
