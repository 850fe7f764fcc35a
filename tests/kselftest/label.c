// SPDX-License-Identifier: MIT
/* Names of buffer objects: length, visibility, and lifetime. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define MAX DRM_FAA_MAX_LABEL_BYTES

FIXTURE(label)
{
	int fd;
	uint32_t bo;
	char *shown;
};

FIXTURE_SETUP(label)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, bo_create(self->fd, 3 * PAGE, &self->bo));
}

FIXTURE_TEARDOWN(label)
{
	free(self->shown);
	close(self->fd);
}

/* List all objects; 0 or -errno. */
static int show(FIXTURE_DATA(label) *self)
{
	free(self->shown);
	self->shown = debugfs_read(self->fd, "bos");
	return self->shown ? 0 : -errno;
}

TEST_F(label, is_shown_with_its_buffer)
{
	char line[128];

	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, "histogram, red"));
	ASSERT_EQ(0, show(self));
	snprintf(line, sizeof(line), "size %u flags 0x0 pid %d handles 1 dma 0 label %s\n",
		 3 * PAGE, getpid(), "histogram, red");
	EXPECT_NE(NULL, strstr(self->shown, line))
	{
		TH_LOG("'%s' is not in '%s'", line, self->shown);
	}
}

TEST_F(label, a_new_one_replaces_it_and_none_removes_it)
{
	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, "first name"));
	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, "second name"));
	ASSERT_EQ(0, show(self));
	EXPECT_EQ(NULL, strstr(self->shown, "first name"));
	EXPECT_NE(NULL, strstr(self->shown, "second name"));
	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, NULL));
	ASSERT_EQ(0, show(self));
	EXPECT_EQ(NULL, strstr(self->shown, "second name"));
}

TEST_F(label, goes_with_its_buffer)
{
	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, "gone soon"));
	ASSERT_EQ(0, bo_close(self->fd, self->bo));
	ASSERT_EQ(0, show(self));
	EXPECT_EQ(NULL, strstr(self->shown, "gone soon"));
}

TEST_F(label, has_a_longest_length)
{
	char *text = malloc(MAX + 1);

	ASSERT_NE(NULL, text);
	memset(text, 'x', MAX);
	text[MAX - 1] = '\0';
	EXPECT_EQ(0, bo_set_label(self->fd, self->bo, text));
	text[MAX - 1] = 'x';
	text[MAX] = '\0';
	EXPECT_EQ(-E2BIG, bo_set_label(self->fd, self->bo, text));
	/* The previous label is kept. */
	ASSERT_EQ(0, show(self));
	EXPECT_NE(NULL, strstr(self->shown, "label xxxx"));
	EXPECT_EQ(0, bo_set_label(self->fd, self->bo, ""));
	free(text);
}

TEST_F(label, must_be_readable)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + PAGE, PAGE));
	EXPECT_EQ(-EFAULT, bo_set_label(self->fd, self->bo, (const char *)8));
	/* Of the kernel */
	EXPECT_EQ(-EFAULT, bo_set_label(self->fd, self->bo, (const char *)(UINTPTR_MAX - PAGE)));
	memset(pages, 'y', PAGE);
	EXPECT_EQ(-EFAULT, bo_set_label(self->fd, self->bo, pages + PAGE - 8));
	pages[PAGE - 1] = '\0';
	EXPECT_EQ(0, bo_set_label(self->fd, self->bo, pages + PAGE - 8));
	munmap(pages, PAGE);
}

/* One object is one line, whatever its name. */
TEST_F(label, control_characters_are_escaped)
{
	ASSERT_EQ(0, bo_set_label(self->fd, self->bo, "a\nsize 0\033[1m\377"));
	ASSERT_EQ(0, show(self));
	EXPECT_NE(NULL, strstr(self->shown, "label a\\x0asize 0\\x1b[1m\\xff\n"));
}

TEST_F(label, is_of_the_memory_not_of_the_handle)
{
	int other = faa_open(), dmabuf;
	uint32_t handle;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, prime_export(self->fd, self->bo, &dmabuf));
	ASSERT_EQ(0, prime_import(other, dmabuf, &handle));
	ASSERT_EQ(0, bo_set_label(other, handle, "named by another file"));
	close(dmabuf);
	close(other);
	ASSERT_EQ(0, show(self));
	EXPECT_NE(NULL, strstr(self->shown, "handles 1 dma 0 label named by another file\n"));
}

static int show_as_nobody(void *self)
{
	return show(self);
}

TEST_F(label, is_not_for_others_to_see)
{
	EXPECT_EQ(-EACCES, as_nobody(show_as_nobody, self));
}

TEST_HARNESS_MAIN
