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
#include "simtime.h"
#include "vpci.h"

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

/* Tag of an epoll event. */
enum event_tag {
	EVENT_FUNCTION,
	EVENT_TIME_LISTENER,
	EVENT_TIME,
	EVENT_TAGS,
};

struct vdev {
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

void vdev_destroy(struct vdev *vdev)
{
	if (!vdev)
		return;
	bridge_fini(&vdev->bridge);
	timetravel_close(&vdev->time.link);
	close(vdev->epoll);
	free(vdev);
}

int vdev_connect(struct vdev *vdev, int sock)
{
	return vpci_connect(vdev->bridge.vpci, sock);
}

bool vdev_connected(const struct vdev *vdev)
{
	return vpci_connected(vdev->bridge.vpci);
}

bool vdev_in_use(const struct vdev *vdev)
{
	return vdev_connected(vdev) || vdev->time.link.sock >= 0;
}

int vdev_fd(const struct vdev *vdev)
{
	return vdev->epoll;
}

static void vdev_kicked(void *ctx)
{
	struct vdev *vdev = ctx;

	simtime_kicked(&vdev->time);
}

/* Before the guest answers, it asks for the time. */
static int vdev_wait(void *ctx, int fd)
{
	struct vdev *vdev = ctx;
	struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
				 { .fd = vdev->time.link.sock, .events = POLLIN } };

	do {
		poll(fds, 2, -1);
		if (fds[1].revents && timetravel_receive(&vdev->time.link))
			return -ECONNRESET;
	} while (!fds[0].revents);
	return 0;
}

static uint64_t vdev_event_ns(void *ctx)
{
	const struct vdev *vdev = ctx;

	return simtime_event_ns(&vdev->time);
}

/* The guest finds its notifications and its time in messages, and the device is its clock. */
static int vdev_open_time(struct vdev *vdev, const struct vdev_config *config)
{
	static const struct vpci_clock clock = { .kicked = vdev_kicked, .wait = vdev_wait };
	struct simtime *time = &vdev->time;
	uint64_t cycle_ns = config->cycle_ns;
	int err;

	time->bridge = &vdev->bridge;
	vdev->bridge.time = time;
	recorder_use_clock(vdev->bridge.recorder, vdev_event_ns, vdev);
	vpci_use_clock(vdev->bridge.vpci, &clock, vdev);
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
	vdev->slice = SLICE_MIN;
	vdev->cycle_ns = config->pace ? 1000000000u / config->pace : 0;
	vdev->time.link.sock = vdev->time.link.listener = -1;
	vdev->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = vdev->epoll < 0 ? -errno : bridge_init(&vdev->bridge, config);
	if (!err) {
		err = vdev_watch(vdev, vpci_fd(vdev->bridge.vpci), EVENT_FUNCTION);
		if (!err && config->time_socket)
			err = vdev_open_time(vdev, config);
		if (!err && config->qtest_socket)
			err = vpci_use_qemu(vdev->bridge.vpci, config->qtest_socket);
		if (err)
			bridge_fini(&vdev->bridge);
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

static void vdev_accept_time(struct vdev *vdev)
{
	bool open = vdev->time.link.sock >= 0;

	timetravel_accept(&vdev->time.link);
	if (!open && vdev->time.link.sock >= 0)
		vdev_watch(vdev, vdev->time.link.sock, EVENT_TIME);
}

/* When the guest has gone, the engine stops, as it has no memory any more. */
static void vdev_check_guest(struct vdev *vdev)
{
	if (!vdev_connected(vdev))
		vdev->bridge.work = false;
}

static void vdev_handle_event(struct vdev *vdev, uint32_t tag)
{
	if (tag == EVENT_FUNCTION) {
		vpci_poll(vdev->bridge.vpci);
		vdev_check_guest(vdev);
	} else if (tag == EVENT_TIME_LISTENER) {
		vdev_accept_time(vdev);
	} else if (vdev->time.link.sock >= 0) {
		/* A function called for another event may have read the message already. */
		timetravel_poll(&vdev->time.link);
	}
}

static void vdev_handle_events(struct vdev *vdev)
{
	struct epoll_event events[EVENT_TAGS];
	int count = epoll_wait(vdev->epoll, events, EVENT_TAGS, 0);

	for (int i = 0; i < count; i++)
		vdev_handle_event(vdev, events[i].data.u32);
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

static void vdev_serve(struct vdev *vdev)
{
	vpci_serve(vdev->bridge.vpci);
	vdev_check_guest(vdev);
}

bool vdev_run(struct vdev *vdev)
{
	struct vpci *vpci = vdev->bridge.vpci;
	uint64_t end = vdev_now_ns() + RUN_NS;

	vdev_handle_events(vdev);
	if (vdev->bridge.time)
		return simtime_advance(&vdev->time);
	vdev_serve(vdev);
	/*
	 * While the engine works the ring is polled, which saves the guest a system call per
	 * access.
	 */
	if (vdev->bridge.work)
		vpci_set_polling(vpci, true);
	while (vdev->bridge.work && vdev_now_ns() < end) {
		vdev_step_slice(vdev);
		vdev_serve(vdev);
	}
	if (vdev->bridge.work)
		return true;
	vpci_set_polling(vpci, false);
	vdev_serve(vdev);
	return vdev->bridge.work;
}

uint64_t vdev_cycle(const struct vdev *vdev)
{
	return bridge_cycle(&vdev->bridge);
}

const struct vpci_stats *vdev_stats(const struct vdev *vdev)
{
	return vpci_stats(vdev->bridge.vpci);
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
