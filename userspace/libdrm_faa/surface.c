// SPDX-License-Identifier: MIT
/* Memory of surfaces. */
#include "error.h"
#include "vm.h"

#include <errno.h>
#include <stdlib.h>

struct faa_surface {
	struct faa_surface_layout layout;
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint64_t va;
	void *memory;
};

/* On failure faa_surface_destroy() releases the parts that exist. */
static int surface_take_memory(struct faa_surface *surface, struct faa_vm *vm)
{
	int ret;

	ret = faa_bo_create(vm->device, surface->layout.size, 0, &surface->bo);
	if (!ret)
		ret = faa_bo_map(surface->bo, &surface->memory);
	if (!ret)
		ret = faa_vm_map(vm, surface->bo, 0, 0, FAA_MAP_ATOMIC, &surface->va);
	if (!ret)
		surface->vm = faa_vm_ref(vm);
	return ret;
}

int faa_surface_create(struct faa_vm *vm, const struct faa_surface_desc *desc,
		       struct faa_surface **out, const char **why)
{
	struct faa_surface *surface;
	int ret;

	*out = NULL;
	if (why)
		*why = NULL;
	surface = calloc(1, sizeof(*surface));
	if (!surface)
		return faa_fail_memory("a surface");
	ret = faa_surface_layout(desc, &surface->layout, why);
	if (!ret)
		ret = surface_take_memory(surface, vm);
	if (ret)
		faa_surface_destroy(surface);
	else
		*out = surface;
	return ret;
}

void faa_surface_destroy(struct faa_surface *surface)
{
	if (!surface)
		return;
	if (surface->vm)
		faa_vm_drop(surface->vm, surface->va, faa_bo_size(surface->bo));
	faa_bo_unref(surface->bo);
	faa_vm_unref(surface->vm);
	free(surface);
}

const struct faa_surface_layout *faa_surface_info(const struct faa_surface *surface)
{
	return &surface->layout;
}

uint64_t faa_surface_va(const struct faa_surface *surface)
{
	return surface->va;
}

struct faa_bo *faa_surface_bo(const struct faa_surface *surface)
{
	return surface->bo;
}

int faa_surface_upload(struct faa_surface *surface, const struct faa_surface_box *box,
		       const struct faa_linear *linear)
{
	return faa_surface_write(&surface->layout, surface->memory, box, linear);
}

int faa_surface_download(struct faa_surface *surface, const struct faa_surface_box *box,
			 const struct faa_linear *linear)
{
	return faa_surface_read(&surface->layout, surface->memory, box, linear);
}
