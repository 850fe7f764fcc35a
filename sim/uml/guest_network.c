// SPDX-License-Identifier: Apache-2.0
#include "guest.h"
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

/* Guest n has the address 10.250.0.(n + 1). */
#define NETWORK_ADDRESS(guest) (0x0afa0001u + (guest))
#define NETWORK_MASK	       0xffffff00u
#define NETWORK_HOSTS	       "/dev/shm/faa-etc-hosts"

static int network_set(int fd, const char *name, unsigned long request, uint32_t address)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(address) };
	struct ifreq ifr = { 0 };

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	memcpy(&ifr.ifr_addr, &in, sizeof(in));
	return ioctl(fd, request, &ifr);
}

static int network_up(int fd, const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_UP | IFF_RUNNING };

	strncpy(ifr.ifr_name, name, sizeof(ifr.ifr_name) - 1);
	return ioctl(fd, SIOCSIFFLAGS, &ifr);
}

/* /etc/hosts of this guest, and the list for MPI; the host's files stay as they are. */
static bool network_write_names(const struct job *job)
{
	FILE *hosts = fopen(NETWORK_HOSTS, "we"), *list = fopen(GUEST_HOSTFILE, "we");
	bool ok = hosts && list;

	if (hosts)
		fputs("127.0.0.1 localhost\n", hosts);
	for (unsigned int i = 0; ok && i < job->guests; i++) {
		struct in_addr address = { .s_addr = htonl(NETWORK_ADDRESS(i)) };

		fprintf(hosts, "%s " GUEST_NAME "\n", inet_ntoa(address), i);
		fprintf(list, GUEST_NAME " slots=1\n", i);
	}
	ok = (!hosts || fclose(hosts) == 0) && ok;
	return (!list || fclose(list) == 0) && ok;
}

static void network_join(const struct job *job, int fd)
{
	char name[16];
	int length = snprintf(name, sizeof(name), GUEST_NAME, job->guest);

	sethostname(name, (size_t)length);
	if (network_set(fd, "vec0", SIOCSIFADDR, NETWORK_ADDRESS(job->guest)) ||
	    network_set(fd, "vec0", SIOCSIFNETMASK, NETWORK_MASK) || network_up(fd, "vec0"))
		guest_fail("cannot bring up the network between the guests: %s", strerror(errno));
	if (!network_write_names(job) || mount(NETWORK_HOSTS, "/etc/hosts", NULL, MS_BIND, NULL))
		guest_fail("cannot give the guests names in /etc/hosts: %s", strerror(errno));
}

void guest_network(const struct job *job)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	/* The debug kernel has no network. */
	if (fd < 0 && job->guests)
		guest_fail("the kernel has no network: %s", strerror(errno));
	if (fd < 0)
		return;
	network_up(fd, "lo");
	if (job->guests)
		network_join(job, fd);
	close(fd);
}
