/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_BIND_H__
#define __FAA_BIND_H__

#include <linux/types.h>

struct drm_faa_vm_bind;
struct drm_faa_vm_bind_op;
struct drm_file;
struct drm_gpuvm_ops;
struct faa_device;
struct faa_va;
struct faa_vm;

extern const struct drm_gpuvm_ops faa_gpuvm_ops;

bool faa_bind_range_ok(u64 va, u64 size, u64 va_range);
int faa_bind_check_op(const struct drm_faa_vm_bind_op *op);

int faa_bind_init_device(struct faa_device *faa);
int faa_bind(struct drm_file *file, struct faa_vm *vm, struct drm_faa_vm_bind *args);
void faa_bind_init_vm(struct faa_vm *vm);
void faa_bind_end(struct faa_vm *vm, int error);
void faa_bind_unlink(struct faa_va *va);

#endif
