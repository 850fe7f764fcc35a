/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_WAVES_BUILD_H
#define FAA_VDEV_WAVES_BUILD_H

/**
 * waves_build() - find a program that has waveforms, and build it if it is missing
 * @root: build directory
 * @target: its path in @root
 * @plain: path in @root of the program without waveforms; the other one must not be older
 * @path: out: its path, PATH_MAX bytes
 *
 * Of several processes that need it, one builds, and the others wait. Messages go to standard
 * error.
 *
 * Return: 0, or -1 after a message.
 */
int waves_build(const char *root, const char *target, const char *plain, char *path);

#endif /* FAA_VDEV_WAVES_BUILD_H */
