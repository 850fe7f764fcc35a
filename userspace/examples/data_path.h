/* SPDX-License-Identifier: MIT */
#ifndef DATA_PATH_H
#define DATA_PATH_H

#include <stddef.h>

/**
 * data_path() - path of a file that is installed with the examples
 * @name: its name in share/faa, such as photo.png
 * @path: receives the path, which begins with the directory of this program
 * @size: bytes at @path; a longer path is truncated
 */
void data_path(const char *name, char *path, size_t size);

#endif /* DATA_PATH_H */
