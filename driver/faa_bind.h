/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_BIND_H__
#define __FAA_BIND_H__

struct drm_faa_vm_bind;
struct drm_file;
struct faa_device;
struct faa_vm;

int faa_bind_init_device(struct faa_device *faa);
int faa_bind(struct drm_file *file, struct faa_vm *vm, struct drm_faa_vm_bind *args);
void faa_bind_init_vm(struct faa_vm *vm);
void faa_bind_end(struct faa_vm *vm, int error);
void faa_bind_close(struct faa_vm *vm);

#endif
