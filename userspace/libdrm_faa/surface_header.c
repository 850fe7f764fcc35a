// SPDX-License-Identifier: MIT
/* Texture headers: fields by name, and conversion from and to surfaces. */
#include "error.h"
#include "surface_layout.h"

#include <errno.h>
#include <string.h>

#include "faa_texture.h"

#define FACES 6u

/* The fields of all versions, version by version, as in the description. */
#define FIELD(version, name, high, low) { #name, high, low },
static const struct faa_header_field header_fields[] = { FAA_TEXTURE_FIELDS(FIELD) };
#undef FIELD
#define VERSION(version, name, high, low) FAA_HEADER_VERSION_##version,
static const uint8_t header_versions[] = { FAA_TEXTURE_FIELDS(VERSION) };
#undef VERSION
#define FIELD_COUNT (sizeof(header_fields) / sizeof(header_fields[0]))

const struct faa_header_field *faa_header_fields(uint32_t version, size_t *count)
{
	size_t first, end;

	for (first = 0; first < FIELD_COUNT && header_versions[first] != version; first++)
		;
	for (end = first; end < FIELD_COUNT && header_versions[end] == version; end++)
		;
	*count = end - first;
	return *count ? &header_fields[first] : NULL;
}

static const struct faa_header_field *header_find(uint32_t version, const char *name)
{
	size_t count, i;
	const struct faa_header_field *list = faa_header_fields(version, &count);

	for (i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static uint32_t header_field_mask(const struct faa_header_field *field)
{
	return UINT32_MAX >> (31 - (field->high - field->low));
}

/* All fields are inside of a 32-bit word. */
static uint32_t header_take(const uint32_t *header, const struct faa_header_field *field)
{
	return header[field->low / 32] >> field->low % 32 & header_field_mask(field);
}

static void header_put(uint32_t *header, const struct faa_header_field *field, uint32_t value)
{
	uint32_t *word = &header[field->low / 32];

	*word = (*word & ~(header_field_mask(field) << field->low % 32)) | value << field->low % 32;
}

uint32_t faa_header_version(const uint32_t *header)
{
	/* The field has the same bits in all versions. */
	return header_take(header, header_find(FAA_HEADER_VERSION_BLOCKLINEAR, "HEADER_VERSION"));
}

static int header_no_field(const uint32_t *header, const char *name)
{
	return faa_fail(-ENOENT, "texture header: version %u has no field %s",
			faa_header_version(header), name);
}

int faa_header_get(const uint32_t *header, const char *name, uint32_t *value)
{
	const struct faa_header_field *field = header_find(faa_header_version(header), name);

	*value = field ? header_take(header, field) : 0;
	return field ? 0 : header_no_field(header, name);
}

int faa_header_set(uint32_t *header, const char *name, uint32_t value)
{
	const struct faa_header_field *field = header_find(faa_header_version(header), name);

	if (!field)
		return header_no_field(header, name);
	if (value & ~header_field_mask(field))
		return faa_fail(-ERANGE, "texture header: %s = 0x%x: it has %u bits", name, value,
				field->high - field->low + 1u);
	header_put(header, field, value);
	return 0;
}

/* A field of the header, 0 if its version has no such field. */
static uint32_t header_get(const uint32_t *header, const char *name)
{
	const struct faa_header_field *field = header_find(faa_header_version(header), name);

	return field ? header_take(header, field) : 0;
}

/* Sets a field to a value that fits; does nothing if @header's version has no such field. */
static void header_set(uint32_t *header, const char *name, uint32_t value)
{
	const struct faa_header_field *field = header_find(faa_header_version(header), name);

	if (field && !(value & ~header_field_mask(field)))
		header_put(header, field, value);
}

/* An empty header of @version. */
static void header_begin(uint32_t *header, uint32_t version)
{
	memset(header, 0, FAA_TEXTURE_HEADER_BYTES);
	header_put(header, header_find(version, "HEADER_VERSION"), version);
}

void faa_header_disable(uint32_t *header)
{
	header_begin(header, FAA_HEADER_VERSION_BLOCKLINEAR);
	header_set(header, "TEXTURE_TYPE", FAA_TEXTURE_TYPE_TWO_D_ARRAY);
	header_set(header, "RES_VIEW_MIN_MIP_LEVEL", 1);
	header_set(header, "RES_VIEW_MAX_MIP_LEVEL", 0);
}

/* ---- Encoding ---- */

struct faa_surface_view faa_surface_view(const struct faa_surface_layout *layout)
{
	struct faa_surface_view view = { layout->desc.type, 0, 0, layout->desc.layers };

	return view;
}

/* Family of a type; the layers of a surface may be shown as any type of the same family. */
static unsigned int header_family(enum faa_texture_type type)
{
	switch (type) {
	case FAA_TEXTURE_TYPE_ONE_D:
	case FAA_TEXTURE_TYPE_ONE_D_ARRAY:
		return 1;
	case FAA_TEXTURE_TYPE_THREE_D:
		return 3;
	case FAA_TEXTURE_TYPE_ONE_D_BUFFER:
		return 4;
	default:
		return 2;
	}
}

/* Whether a header has a field for a first level other than 0. */
static bool header_has_view_levels(enum faa_header_version version)
{
	return version == FAA_HEADER_VERSION_PITCH || version == FAA_HEADER_VERSION_BLOCKLINEAR;
}

/* The surface that the header describes: the layers of the view, all levels. */
static const char *header_describe(const struct faa_surface_layout *layout,
				   const struct faa_surface_view *view,
				   struct faa_surface_desc *desc)
{
	struct faa_surface_layout shown;
	const char *why;

	*desc = layout->desc;
	desc->type = view->type;
	desc->layers = view->layers;
	if (header_family(view->type) != header_family(layout->desc.type))
		return "view: a texture type of another dimension than the surface";
	if (!view->layers || view->first_layer > layout->desc.layers ||
	    view->layers > layout->desc.layers - view->first_layer)
		return "view: layers that the surface does not have";
	if (view->level >= layout->desc.levels)
		return "view: a level that the surface does not have";
	if (view->level && !header_has_view_levels(layout->desc.version))
		return "view: headers of this version show level 0 alone";
	faa_surface_layout(desc, &shown, &why);
	return why;
}

static void header_encode_address(uint32_t *header, uint64_t va)
{
	/* Low bits without a field are 0: the address is a multiple of the alignment. */
	header[1] |= (uint32_t)va;
	header[2] |= (uint32_t)(va >> 32);
}

static void header_encode_format(uint32_t *header, const struct faa_surface_desc *desc)
{
	header_set(header, "COMPONENTS", desc->texel);
	header_set(header, "R_DATA_TYPE", desc->data_type);
	header_set(header, "G_DATA_TYPE", desc->data_type);
	header_set(header, "B_DATA_TYPE", desc->data_type);
	header_set(header, "A_DATA_TYPE", desc->data_type);
	header_set(header, "TEXTURE_TYPE", desc->type);
}

/* DEPTH_MINUS_ONE + 1: slices, layers, or cubes. */
static uint32_t header_encoded_depth(const struct faa_surface_desc *desc)
{
	if (desc->type == FAA_TEXTURE_TYPE_CUBEMAP)
		return 1;
	if (desc->type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY)
		return desc->layers / FACES;
	return faa_surface_is_layered(desc->type) ? desc->layers : desc->depth;
}

static void header_encode_sizes(uint32_t *header, const struct faa_surface_desc *desc,
				uint32_t level)
{
	uint32_t width = (uint32_t)(desc->width - 1);

	if (desc->version == FAA_HEADER_VERSION_ONE_D_BUFFER) {
		header_set(header, "WIDTH_MINUS_ONE_BITS31TO16", width >> 16);
		header_set(header, "WIDTH_MINUS_ONE_BITS15TO0", width & 0xffff);
		return;
	}
	header_set(header, "WIDTH_MINUS_ONE", width);
	header_set(header, "HEIGHT_MINUS_ONE", desc->height - 1);
	header_set(header, "DEPTH_MINUS_ONE", header_encoded_depth(desc) - 1);
	header_set(header, "MAX_MIP_LEVEL", desc->levels - 1);
	/* Versions without these fields do not need them. */
	header_set(header, "RES_VIEW_MIN_MIP_LEVEL", level);
	header_set(header, "RES_VIEW_MAX_MIP_LEVEL", level);
	header_set(header, "PITCH_BITS20TO5", desc->pitch >> 5);
	header_set(header, "GOBS_PER_BLOCK_HEIGHT", desc->log2_gobs_y);
	header_set(header, "GOBS_PER_BLOCK_DEPTH", desc->log2_gobs_z);
}

int faa_surface_encode(const struct faa_surface_layout *layout, const struct faa_surface_view *view,
		       uint64_t va, uint32_t *header, const char **why)
{
	uint64_t end =
		va + view->first_layer * layout->layer_stride + view->layers * layout->layer_stride;
	struct faa_surface_desc desc;
	const char *wrong = header_describe(layout, view, &desc);

	if (!wrong && va % layout->align)
		wrong = "address: not a multiple of what the surface needs";
	if (!wrong && (va >> FAA_VA_BITS || end > 1ull << FAA_VA_BITS))
		wrong = "address: the surface ends above 2^48";
	if (!wrong && (unsigned int)desc.data_type > FAA_DATA_TYPE_FLOAT)
		wrong = "data type: 0 to 7";
	if (why)
		*why = wrong;
	if (wrong)
		return faa_fail(-EINVAL, "texture header: %s", wrong);
	header_begin(header, desc.version);
	header_encode_address(header, va + view->first_layer * layout->layer_stride);
	header_encode_format(header, &desc);
	header_encode_sizes(header, &desc, view->level);
	return 0;
}

/* ---- Decoding ---- */

static uint64_t header_decode_address(const uint32_t *header)
{
	uint64_t va = (uint64_t)header_get(header, "ADDRESS_BITS47TO32") << 32;

	/* A version has one of these. */
	va |= header_get(header, "ADDRESS_BITS31TO0");
	va |= (uint64_t)header_get(header, "ADDRESS_BITS31TO5") << 5;
	va |= (uint64_t)header_get(header, "ADDRESS_BITS31TO9") << 9;
	return va;
}

static void header_decode_depth(const uint32_t *header, struct faa_surface_desc *desc)
{
	uint32_t depth = header_get(header, "DEPTH_MINUS_ONE") + 1;

	desc->depth = 1;
	desc->layers = 1;
	if (desc->type == FAA_TEXTURE_TYPE_CUBEMAP)
		desc->layers = FACES;
	else if (desc->type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY)
		desc->layers = FACES * depth;
	else if (faa_surface_is_layered(desc->type))
		desc->layers = depth;
	else if (desc->type == FAA_TEXTURE_TYPE_THREE_D)
		desc->depth = depth;
}

static bool header_is_one_row(enum faa_texture_type type)
{
	return type == FAA_TEXTURE_TYPE_ONE_D || type == FAA_TEXTURE_TYPE_ONE_D_ARRAY ||
	       type == FAA_TEXTURE_TYPE_ONE_D_BUFFER;
}

static void header_decode_desc(const uint32_t *header, struct faa_surface_desc *desc)
{
	desc->version = (enum faa_header_version)faa_header_version(header);
	desc->type = (enum faa_texture_type)header_get(header, "TEXTURE_TYPE");
	desc->texel = (enum faa_texel)header_get(header, "COMPONENTS");
	desc->data_type = (enum faa_data_type)header_get(header, "R_DATA_TYPE");
	desc->levels = header_get(header, "MAX_MIP_LEVEL") + 1;
	desc->height = header_is_one_row(desc->type) ? 1 :
						       header_get(header, "HEIGHT_MINUS_ONE") + 1;
	header_decode_depth(header, desc);
	desc->width = (uint64_t)header_get(header, "WIDTH_MINUS_ONE") + 1;
	if (desc->version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		desc->width += (uint64_t)header_get(header, "WIDTH_MINUS_ONE_BITS31TO16") << 16 |
			       header_get(header, "WIDTH_MINUS_ONE_BITS15TO0");
	desc->pitch = header_get(header, "PITCH_BITS20TO5") << 5;
	desc->log2_gobs_y = header_get(header, "GOBS_PER_BLOCK_HEIGHT");
	desc->log2_gobs_z = header_get(header, "GOBS_PER_BLOCK_DEPTH");
}

/* Checks fields that must have one value and that the layout ignores. */
static const char *header_check_fields(const uint32_t *header, const struct faa_surface_desc *desc)
{
	if (header_get(header, "GOBS_PER_BLOCK_WIDTH"))
		return "GOBS_PER_BLOCK_WIDTH is not 0";
	if (header_get(header, "TILE_WIDTH_IN_GOBS"))
		return "TILE_WIDTH_IN_GOBS is not 0";
	if (header_get(header, "GOB3D"))
		return "GOB3D is not 0";
	/* For the layout 0 means: the smallest. */
	if (faa_surface_is_pitch(desc->version) && !desc->pitch)
		return "pitch: less than a row of texels";
	if (header_get(header, "RES_VIEW_MIN_MIP_LEVEL") > header_get(header, "MAX_MIP_LEVEL"))
		return "RES_VIEW_MIN_MIP_LEVEL is above MAX_MIP_LEVEL";
	return NULL;
}

int faa_surface_decode(const uint32_t *header, struct faa_surface_layout *layout,
		       struct faa_surface_view *view, uint64_t *va, const char **why)
{
	uint32_t level = header_get(header, "RES_VIEW_MIN_MIP_LEVEL");
	struct faa_surface_desc desc;
	const char *wrong;

	header_decode_desc(header, &desc);
	faa_surface_layout(&desc, layout, &wrong);
	*va = header_decode_address(header);
	*view = faa_surface_view(layout);
	view->level = level;
	if (level > header_get(header, "RES_VIEW_MAX_MIP_LEVEL")) {
		wrong = "disabled: RES_VIEW_MIN_MIP_LEVEL is above RES_VIEW_MAX_MIP_LEVEL";
		if (why)
			*why = wrong;
		return faa_fail(-ENOENT, "texture header: %s", wrong);
	}
	if (!wrong)
		wrong = header_check_fields(header, &desc);
	if (!wrong && *va + layout->size > 1ull << FAA_VA_BITS)
		wrong = "address: the surface ends above 2^48";
	if (why)
		*why = wrong;
	return wrong ? faa_fail(-EINVAL, "texture header: %s", wrong) : 0;
}
