/* SPDX-License-Identifier: MIT */
/**
 * DOC: Surfaces
 *
 * Images for faa_stream_suatom(): layout of the texels, texture headers, the header pool and the
 * constant bank of a program. Documentation/surfaces.rst has the rules; the part about memory
 * alone, without a device, comes first. A program includes faa.h.
 *
 * Threads: a surface, a pool and a bank belong to one thread at a time. The pure functions may be
 * called from any.
 */
#ifndef FAA_SURFACE_H
#define FAA_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

struct faa_bo;
struct faa_vm;
struct faa_stream;

/* ------------------------------------------------------------------------------------------------
 * Layout
 */

/**
 * struct faa_surface_desc - description of a surface
 *
 * Members that its version or type does not have are 0; sizes 0 count as 1.
 */
struct faa_surface_desc {
	/** @version: layout: rows (PITCH), blocks of GOBs (BLOCKLINEAR), one row (ONE_D_BUFFER). */
	enum faa_header_version version;
	/** @type: dimensions, and whether there are layers or cubes. */
	enum faa_texture_type type;
	/** @texel: code of the texel, which has 1 to 16 bytes. */
	enum faa_texel texel;
	/**
	 * @data_type: type of the texel's components; SD32 and SD64 are signed with
	 * FAA_DATA_TYPE_SINT.
	 */
	enum faa_data_type data_type;
	/** @width: texels of a row, up to 65536; of a buffer up to 2^32. */
	uint64_t width;
	/** @height: rows, up to 65536. */
	uint32_t height;
	/** @depth: slices of THREE_D, up to 16384. */
	uint32_t depth;
	/**
	 * @layers: of arrays, up to 16384; faces of CUBEMAP: 6; of CUBEMAP_ARRAY: a multiple of 6,
	 * up to 98304.
	 */
	uint32_t layers;
	/** @levels: mip levels of BLOCKLINEAR, up to 16. */
	uint32_t levels;
	/**
	 * @log2_gobs_y: BLOCKLINEAR: a block is 2^@log2_gobs_y GOBs of 8 rows high, 0..5; less in
	 * small levels.
	 */
	uint32_t log2_gobs_y;
	/** @log2_gobs_z: BLOCKLINEAR: a block is 2^@log2_gobs_z GOBs deep, 0..5. */
	uint32_t log2_gobs_z;
	/**
	 * @pitch: PITCH: bytes from row to row, a multiple of 32, at most 2097120; 0 = the smallest
	 * that holds a row.
	 */
	uint32_t pitch;
};

/** struct faa_surface_level - a mip level */
struct faa_surface_level {
	/** @width, @height, @depth: its size, texels. */
	uint64_t width;
	uint32_t height;
	uint32_t depth;
	/**
	 * @log2_gobs_y, @log2_gobs_z: size of its blocks, which is less than that of @desc in small
	 * levels.
	 */
	uint32_t log2_gobs_y;
	uint32_t log2_gobs_z;
	/** @row_gobs: GOBs of a row, BLOCKLINEAR. */
	uint32_t row_gobs;
	/** @block_rows: rows of blocks, BLOCKLINEAR. */
	uint32_t block_rows;
	/** @offset: of the level in its layer, bytes. */
	uint64_t offset;
	/** @size: bytes. */
	uint64_t size;
};

/** struct faa_surface_layout - the addresses of a surface's texels */
struct faa_surface_layout {
	/** @desc: the surface, without zeros for sizes and pitch. */
	struct faa_surface_desc desc;
	/** @dim: dimensions of surface operations on it. */
	enum faa_dim dim;
	/** @texel_bytes: bytes of a texel. */
	uint32_t texel_bytes;
	/** @align: alignment of its address, bytes: 512 (BLOCKLINEAR), 32 (PITCH) or 1. */
	uint32_t align;
	/** @layer_stride: bytes from layer to layer. */
	uint64_t layer_stride;
	/** @size: bytes of the whole surface. */
	uint64_t size;
	/** @level: as many as @desc.levels. */
	struct faa_surface_level level[FAA_SURFACE_LEVELS];
};

/**
 * faa_surface_layout() - compute the layout of a surface
 * @desc: the surface
 * @layout: out: the result
 * @why: out: the error in @desc, as a static text; NULL if there is none. May be NULL.
 *
 * Return: 0; -EINVAL.
 */
int faa_surface_layout(const struct faa_surface_desc *desc, struct faa_surface_layout *layout,
		       const char **why);

/**
 * faa_surface_dim() - dimensions of operations on a surface
 * @version: header version
 * @type: texture type
 *
 * Return: enum faa_dim; -EINVAL if there is none.
 */
int faa_surface_dim(enum faa_header_version version, enum faa_texture_type type);

/** faa_texel_bytes() - bytes of a texel, 0 for a code that surfaces cannot have. */
uint32_t faa_texel_bytes(uint32_t texel);

/** struct faa_surface_at - a byte of a surface */
struct faa_surface_at {
	uint32_t level;
	uint32_t layer;
	/** @x: bytes: texel * texel_bytes, or item of an operation * its size. */
	uint64_t x;
	/** @y: row. */
	uint32_t y;
	/** @z: slice. */
	uint32_t z;
};

/** faa_surface_offset() - offset of byte @at in the surface; UINT64_MAX if it is outside. */
uint64_t faa_surface_offset(const struct faa_surface_layout *layout,
			    const struct faa_surface_at *at);

/* ------------------------------------------------------------------------------------------------
 * Texels in memory
 */

/** struct faa_surface_box - texels of one level; slices are the surface's layers, or those in z */
struct faa_surface_box {
	uint32_t level;
	/** @x, @y, @slice: the first texel. */
	uint64_t x;
	uint32_t y;
	uint32_t slice;
	/** @width, @height, @slices: number of texels. */
	uint64_t width;
	uint32_t height;
	uint32_t slices;
};

/** struct faa_linear - an image in rows in the program's memory */
struct faa_linear {
	/** @texels: the first one. */
	void *texels;
	/** @row_bytes: from row to row; 0 = contiguous. */
	size_t row_bytes;
	/** @slice_bytes: from slice to slice; 0 = contiguous. */
	size_t slice_bytes;
};

/** faa_surface_box() - all texels of @level; an empty box if there is no such level. */
struct faa_surface_box faa_surface_box(const struct faa_surface_layout *layout, uint32_t level);

/**
 * faa_surface_write() - copy texels from rows to their places in the layout
 * @layout: layout
 * @surface: memory of the whole surface, @layout->size bytes
 * @box: the texels
 * @linear: source; it must not overlap the surface
 *
 * Return: 0; -EINVAL: the box goes beyond the level, or rows or slices of @linear overlap.
 */
int faa_surface_write(const struct faa_surface_layout *layout, void *surface,
		      const struct faa_surface_box *box, const struct faa_linear *linear);

/**
 * faa_surface_read() - copy texels from the layout to rows
 * @layout: layout
 * @surface: memory of the whole surface, @layout->size bytes
 * @box: the texels
 * @linear: destination; it must not overlap the surface
 *
 * Return: as faa_surface_write().
 */
int faa_surface_read(const struct faa_surface_layout *layout, const void *surface,
		     const struct faa_surface_box *box, const struct faa_linear *linear);

/* ------------------------------------------------------------------------------------------------
 * Texture headers
 */

/** FAA_HEADER_WORDS - 32-bit words of a texture header; bit n of it is bit n % 32 of word n / 32 */
#define FAA_HEADER_WORDS (FAA_TEXTURE_HEADER_BYTES / 4)

/** struct faa_header_field - a field of a texture header */
struct faa_header_field {
	/** @name: as in the specification, such as "WIDTH_MINUS_ONE". */
	const char *name;
	/** @high, @low: its bits. */
	uint8_t high;
	uint8_t low;
};

/**
 * faa_header_fields() - the fields of headers of a version, in order of their bits
 * @version: header version
 * @count: out: number of fields
 *
 * Return: NULL, and a @count of 0, for an unknown version.
 */
const struct faa_header_field *faa_header_fields(uint32_t version, size_t *count);

/**
 * faa_header_version() - HEADER_VERSION of a header
 * @header: FAA_HEADER_WORDS words
 *
 * Return: 0..7: enum faa_header_version or an unknown version.
 */
uint32_t faa_header_version(const uint32_t *header);

/**
 * faa_header_get() - read a field of a header
 * @header: FAA_HEADER_WORDS words
 * @name: name of the field in the version of @header
 * @value: out: its value
 *
 * Return: 0; -ENOENT: the version has no field of this name.
 */
int faa_header_get(const uint32_t *header, const char *name, uint32_t *value);

/**
 * faa_header_set() - set a field of a header
 * @header: FAA_HEADER_WORDS words
 * @name: name of the field in the version of @header
 * @value: its value
 *
 * Return: 0; -ENOENT: the version has no field of this name; -ERANGE: @value does not fit.
 */
int faa_header_set(uint32_t *header, const char *name, uint32_t value);

/** struct faa_surface_view - the part of a surface that a header shows: one level of some layers */
struct faa_surface_view {
	/**
	 * @type: that of the surface, or one with other layers: a layer of TWO_D_ARRAY as TWO_D,
	 * six as CUBEMAP, ...
	 */
	enum faa_texture_type type;
	/** @level: mip level. */
	uint32_t level;
	/** @first_layer: coordinate layer 0 is this one. */
	uint32_t first_layer;
	/** @layers: number of layers. */
	uint32_t layers;
};

/** faa_surface_view() - level 0 of all layers. */
struct faa_surface_view faa_surface_view(const struct faa_surface_layout *layout);

/**
 * faa_surface_encode() - make the header of a view
 * @layout: the surface
 * @view: the part of it
 * @va: address of the surface, a multiple of @layout->align
 * @header: out: FAA_HEADER_WORDS words; fields that surface operations ignore are 0
 * @why: out: the error, as a static text; NULL if there is none. May be NULL.
 *
 * The header has the address of the first layer and all levels, since the distance between layers
 * depends on them.
 *
 * Return: 0; -EINVAL.
 */
int faa_surface_encode(const struct faa_surface_layout *layout, const struct faa_surface_view *view,
		       uint64_t va, uint32_t *header, const char **why);

/**
 * faa_surface_decode() - the surface that a header describes, as a device sees it
 * @header: FAA_HEADER_WORDS words
 * @layout: out: the surface, with the layers of the header
 * @view: out: the level that it shows, and all layers
 * @va: out: address
 * @why: out: why a device cannot use it, as a static text; NULL if it can. May be NULL.
 *
 * Return: 0; -ENOENT: the surface is disabled: operations on it do nothing; -EINVAL: every
 * operation ends with BAD_HEADER.
 */
int faa_surface_decode(const uint32_t *header, struct faa_surface_layout *layout,
		       struct faa_surface_view *view, uint64_t *va, const char **why);

/** faa_header_disable() - make @header disable its surface: operations read 0, store nothing. */
void faa_header_disable(uint32_t *header);

/* ------------------------------------------------------------------------------------------------
 * Surfaces of a VM
 */

struct faa_surface;

/**
 * faa_surface_create() - allocate memory of a surface, zeroed, mapped for atomic operations
 * @vm: VM
 * @desc: the surface
 * @surface: out
 * @why: out: the error in @desc, as a static text. May be NULL.
 *
 * Return: 0; -EINVAL; errors of faa_bo_create(), faa_bo_map() and faa_vm_map().
 */
int faa_surface_create(struct faa_vm *vm, const struct faa_surface_desc *desc,
		       struct faa_surface **surface, const char **why);

/**
 * faa_surface_destroy() - unmap a surface and free its memory
 * @surface: surface; NULL is allowed. Jobs that use it must have ended.
 */
void faa_surface_destroy(struct faa_surface *surface);

/** faa_surface_info() - its layout; valid as long as @surface. */
const struct faa_surface_layout *faa_surface_info(const struct faa_surface *surface);

/** faa_surface_va() - its address. */
uint64_t faa_surface_va(const struct faa_surface *surface);

/** faa_surface_bo() - its memory, which begins at byte 0; the surface keeps its reference. */
struct faa_bo *faa_surface_bo(const struct faa_surface *surface);

/** faa_surface_upload() - faa_surface_write() to its memory. */
int faa_surface_upload(struct faa_surface *surface, const struct faa_surface_box *box,
		       const struct faa_linear *linear);

/**
 * faa_surface_download() - faa_surface_read() from its memory
 * @surface: surface; jobs that write to it should have ended
 * @box: the texels
 * @linear: destination
 *
 * Return: as faa_surface_write().
 */
int faa_surface_download(struct faa_surface *surface, const struct faa_surface_box *box,
			 const struct faa_linear *linear);

/* ------------------------------------------------------------------------------------------------
 * Header pool and constant bank
 *
 * A device caches words of both until a FENCE, CONFIG or SEM_WAIT of the stream or the end of the
 * job: change them only between jobs.
 */

struct faa_header_pool;

/**
 * faa_header_pool_create() - create a pool of texture headers, which are disabled at first
 * @vm: VM
 * @headers: 1..2^20
 * @pool: out
 *
 * Return: 0; -EINVAL; -ENOMEM; errors of faa_bo_create(), faa_bo_map() and faa_vm_map().
 */
int faa_header_pool_create(struct faa_vm *vm, uint32_t headers, struct faa_header_pool **pool);

/** faa_header_pool_destroy() - free it; jobs that use it must have ended. NULL is allowed. */
void faa_header_pool_destroy(struct faa_header_pool *pool);

/** faa_header_pool_add() - copy @header to the lowest free place; 0 and its index, or -ENOSPC. */
int faa_header_pool_add(struct faa_header_pool *pool, const uint32_t *header, uint32_t *index);

/** faa_header_pool_replace() - replace the header at @index; 0; -ENOENT: there is none. */
int faa_header_pool_replace(struct faa_header_pool *pool, uint32_t index, const uint32_t *header);

/** faa_header_pool_remove() - free @index and disable its surface; 0; -ENOENT: there is none. */
int faa_header_pool_remove(struct faa_header_pool *pool, uint32_t index);

/**
 * faa_header_pool_config() - add the CONFIG that makes a pool that of the queue
 * @pool: pool
 * @stream: stream
 *
 * Return: as faa_stream_config_headers().
 */
int faa_header_pool_config(const struct faa_header_pool *pool, struct faa_stream *stream);

struct faa_constant_bank;

/**
 * faa_constant_bank_create() - create a bank of handles, which are 0 at first
 * @vm: VM
 * @words: 1..FAA_CONSTANT_WORDS
 * @bank: out
 *
 * Return: 0; -EINVAL; -ENOMEM; errors of faa_bo_create(), faa_bo_map() and faa_vm_map().
 */
int faa_constant_bank_create(struct faa_vm *vm, uint32_t words, struct faa_constant_bank **bank);

/** faa_constant_bank_destroy() - free it; jobs that use it must have ended. NULL is allowed. */
void faa_constant_bank_destroy(struct faa_constant_bank *bank);

/**
 * faa_constant_bank_set() - set a word of a bank
 * @bank: bank
 * @index: index of the word
 * @value: its value, such as a header's index
 *
 * Return: 0; -EINVAL: there is no such word.
 */
int faa_constant_bank_set(struct faa_constant_bank *bank, uint32_t index, uint32_t value);

/**
 * faa_constant_bank_config() - add the CONFIG that makes a bank that of the queue
 * @bank: bank
 * @stream: stream
 *
 * Return: as faa_stream_config_bank().
 */
int faa_constant_bank_config(const struct faa_constant_bank *bank, struct faa_stream *stream);

#ifdef __cplusplus
}
#endif

#endif /* FAA_SURFACE_H */
