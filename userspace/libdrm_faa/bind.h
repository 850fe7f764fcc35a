/* SPDX-License-Identifier: MIT */
#ifndef FAA_BIND_H
#define FAA_BIND_H

#include "vm.h"

/** FAA_LARGE_PAGE - mappings of this size and more get addresses that are multiples of it */
#define FAA_LARGE_PAGE (2ull << 20)

/** faa_bind_check() - 0; -EINVAL, with a sentence: @bind is malformed for any VM. */
int faa_bind_check(const struct faa_bind *bind);

/** faa_bind_one() - one operation, at an address that need not be reserved; 0 or -errno. */
int faa_bind_one(struct faa_vm *vm, const struct faa_bind *bind);

/** faa_bind_anywhere() - reserve an address for @bind, bind there, and return it in @va. */
int faa_bind_anywhere(struct faa_vm *vm, struct faa_bind *bind, uint64_t *va);

#endif /* FAA_BIND_H */
