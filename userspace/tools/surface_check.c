// SPDX-License-Identifier: MIT
/* faa-surface check: checks a table of surfaces, coordinates and expected offsets. */
#include "surface_tool.h"
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 64

enum column {
	COLUMN_LAYOUT,
	COLUMN_DIM,
	COLUMN_EL_SIZE,
	COLUMN_WIDTH,
	COLUMN_HEIGHT,
	COLUMN_DEPTH,
	COLUMN_LAYERS,
	COLUMN_PITCH,
	COLUMN_LOG2_GOBS_H,
	COLUMN_LOG2_GOBS_D,
	COLUMN_NUM_LEVELS,
	COLUMN_LEVEL,
	COLUMN_X,
	COLUMN_Y,
	COLUMN_Z,
	COLUMN_LAYER,
	/* Expected values. */
	COLUMN_X_BYTE,
	COLUMN_EFF_LOG2_GOBS_H,
	COLUMN_EFF_LOG2_GOBS_D,
	COLUMN_LEVEL_OFFSET,
	COLUMN_LAYER_STRIDE,
	COLUMN_OFF_TX1,
	COLUMNS_NEEDED,
	/* Optional. */
	COLUMN_NOTE = COLUMNS_NEEDED,
	COLUMNS,
};

static const char *const check_names[COLUMNS] = {
	"layout",
	"dim",
	"el_size",
	"width",
	"height",
	"depth",
	"layers",
	"pitch",
	"log2_gobs_h",
	"log2_gobs_d",
	"num_levels",
	"level",
	"x",
	"y",
	"z",
	"layer",
	"x_byte",
	"eff_log2_gobs_h",
	"eff_log2_gobs_d",
	"level_offset",
	"layer_stride",
	"off_tx1",
	"note",
};

struct table {
	const char *path;
	unsigned int line;
	/* Position of each column, -1 for none, and the cells of the line. */
	int position[COLUMNS];
	char *cell[MAX_COLUMNS];
	unsigned int cells;
	unsigned int passed;
	unsigned int failed;
	bool json;
};

/* Prints the beginning of an object about the line; @column may be NULL. */
static void check_print_json_line(const struct table *table, const char *column)
{
	printf("{\"line\": %u, ", table->line);
	if (column)
		printf("\"column\": \"%s\", ", column);
}

static bool check_complain(const struct table *table, const char *column, const char *what)
{
	if (table->json) {
		check_print_json_line(table, column);
		printf("\"reason\": ");
		tool_print_json_string(what);
		printf("}\n");
	}
	fprintf(stderr, "%s:%u: %s%s%s\n", table->path, table->line, column ? column : "",
		column ? ": " : "", what);
	return false;
}

/* Cells between tabs. */
static bool check_split(struct table *table, char *line)
{
	table->cells = 0;
	line[strcspn(line, "\r\n")] = '\0';
	while (line) {
		if (table->cells == MAX_COLUMNS)
			return check_complain(table, NULL, "more than 64 columns");
		table->cell[table->cells++] = strsep(&line, "\t");
	}
	return true;
}

static bool check_take_names(struct table *table)
{
	unsigned int i, column;

	for (column = 0; column < COLUMNS; column++) {
		table->position[column] = -1;
		for (i = 0; i < table->cells; i++) {
			if (strcmp(table->cell[i], check_names[column]))
				continue;
			if (table->position[column] >= 0)
				return check_complain(table, check_names[column],
						      "this column is there twice");
			table->position[column] = (int)i;
		}
		if (table->position[column] < 0 && column < COLUMNS_NEEDED)
			return check_complain(table, check_names[column],
					      "there is no such column");
	}
	return true;
}

/* A cell of the line, NULL if the line has too few. */
static const char *check_cell(const struct table *table, enum column column)
{
	int position = table->position[column];

	return position < 0 || (unsigned int)position >= table->cells ? NULL :
									table->cell[position];
}

static bool check_number(const struct table *table, enum column column, uint64_t max,
			 uint64_t *value)
{
	const char *text = check_cell(table, column);

	if (!text)
		return check_complain(table, check_names[column],
				      "the line ends before this column");
	return surface_number(text, max, value) ||
	       check_complain(table, check_names[column], "not a number, or too large");
}

static bool check_number32(const struct table *table, enum column column, uint32_t *value)
{
	uint64_t wide;
	bool ok = check_number(table, column, UINT32_MAX, &wide);

	*value = (uint32_t)wide;
	return ok;
}

static bool check_take_surface(const struct table *table, struct faa_surface_desc *desc)
{
	const char *layout = check_cell(table, COLUMN_LAYOUT), *dim = check_cell(table, COLUMN_DIM);
	const char *size = check_cell(table, COLUMN_EL_SIZE);
	int version = layout ? surface_version(layout) : -1, type = dim ? surface_type(dim) : -1;
	int texel = size ? surface_texel(size) : -1;

	if (version < 0)
		return check_complain(table, "layout", "blocklinear, pitch or buffer is expected");
	if (type < 0)
		return check_complain(table, "dim",
				      "1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY or 3D is expected");
	if (texel < 0)
		return check_complain(table, "el_size", "no texel has so many bytes");
	desc->version = (enum faa_header_version)version;
	desc->type = (enum faa_texture_type)type;
	desc->texel = (enum faa_texel)texel;
	return check_number(table, COLUMN_WIDTH, UINT64_MAX, &desc->width) &&
	       check_number32(table, COLUMN_HEIGHT, &desc->height) &&
	       check_number32(table, COLUMN_DEPTH, &desc->depth) &&
	       check_number32(table, COLUMN_LAYERS, &desc->layers) &&
	       check_number32(table, COLUMN_PITCH, &desc->pitch) &&
	       check_number32(table, COLUMN_LOG2_GOBS_H, &desc->log2_gobs_y) &&
	       check_number32(table, COLUMN_LOG2_GOBS_D, &desc->log2_gobs_z) &&
	       check_number32(table, COLUMN_NUM_LEVELS, &desc->levels);
}

static bool check_take_place(const struct table *table, struct faa_surface_at *at, uint64_t *x)
{
	return check_number32(table, COLUMN_LEVEL, &at->level) &&
	       check_number(table, COLUMN_X, UINT32_MAX, x) &&
	       check_number32(table, COLUMN_Y, &at->y) && check_number32(table, COLUMN_Z, &at->z) &&
	       check_number32(table, COLUMN_LAYER, &at->layer);
}

/* Compares a cell with the computed value; false if the cell is malformed. */
static bool check_compare(const struct table *table, enum column column, uint64_t computed,
			  bool *right)
{
	uint64_t expected;

	if (!check_number(table, column, UINT64_MAX, &expected))
		return false;
	/* A surface without layers has no layer stride; a table may have 0. */
	if (column == COLUMN_LAYER_STRIDE && !expected &&
	    !strcmp(check_cell(table, COLUMN_LAYERS), "1"))
		return true;
	if (expected == computed)
		return true;
	*right = false;
	if (table->json) {
		check_print_json_line(table, check_names[column]);
		printf("\"expected\": %" PRIu64 ", \"computed\": %" PRIu64 "}\n", expected,
		       computed);
	} else {
		printf("%s:%u: %s: expected %" PRIu64 ", computed %" PRIu64 "\n", table->path,
		       table->line, check_names[column], expected, computed);
	}
	return true;
}

/* Explains a line with a note: it is about the one rule on which implementations differ. */
static void check_explain(const struct table *table, const struct faa_surface_layout *layout,
			  const struct faa_surface_at *at, uint64_t offset)
{
	const struct faa_surface_level *level = &layout->level[at->level];
	const char *note = check_cell(table, COLUMN_NOTE);

	if (!note || !*note)
		return;
	if (table->json) {
		check_print_json_line(table, NULL);
		printf("\"note\": ");
		tool_print_json_string(note);
		printf(", \"offset\": %" PRIu64 ", \"gobs_height\": %u, \"gobs_depth\": %u}\n",
		       offset, level->log2_gobs_y, level->log2_gobs_z);
		return;
	}
	printf("%s:%u: '%s': offset %" PRIu64, table->path, table->line, note, offset);
	if (!at->level && (level->log2_gobs_y != layout->desc.log2_gobs_y ||
			   level->log2_gobs_z != layout->desc.log2_gobs_z))
		printf(", since blocks are made smaller at level 0 too: 2^%u x 2^%u GOBs become 2^%u x 2^%u",
		       layout->desc.log2_gobs_y, layout->desc.log2_gobs_z, level->log2_gobs_y,
		       level->log2_gobs_z);
	printf("\n");
}

static bool check_line(struct table *table)
{
	struct faa_surface_desc desc = { .width = 0 };
	struct faa_surface_layout layout;
	const struct faa_surface_level *level;
	struct faa_surface_at at;
	bool right = true;
	uint64_t x, offset;
	const char *why;

	if (!check_take_surface(table, &desc) || !check_take_place(table, &at, &x))
		return false;
	if (faa_surface_layout(&desc, &layout, &why))
		return check_complain(table, NULL, why);
	at.x = x * layout.texel_bytes;
	offset = faa_surface_offset(&layout, &at);
	if (offset == UINT64_MAX)
		return check_complain(table, NULL, "the coordinates are outside of the surface");
	level = &layout.level[at.level];
	if (!check_compare(table, COLUMN_X_BYTE, at.x, &right) ||
	    !check_compare(table, COLUMN_EFF_LOG2_GOBS_H, level->log2_gobs_y, &right) ||
	    !check_compare(table, COLUMN_EFF_LOG2_GOBS_D, level->log2_gobs_z, &right) ||
	    !check_compare(table, COLUMN_LEVEL_OFFSET, level->offset, &right) ||
	    !check_compare(table, COLUMN_LAYER_STRIDE, layout.layer_stride, &right) ||
	    !check_compare(table, COLUMN_OFF_TX1, offset, &right))
		return false;
	check_explain(table, &layout, &at, offset);
	return right;
}

/* The first line has the names; each other line that is not empty has a surface and coordinates. */
static bool check_file(struct table *table, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	bool ok = true;

	while (ok && getline(&line, &size, file) >= 0) {
		table->line++;
		ok = check_split(table, line);
		if (ok && table->line == 1)
			ok = check_take_names(table);
		else if (ok && (table->cells > 1 || *table->cell[0]))
			*(check_line(table) ? &table->passed : &table->failed) += 1;
	}
	free(line);
	if (ok && !table->line)
		ok = check_complain(table, NULL, "the file is empty");
	if (ok && table->line == 1)
		ok = check_complain(table, NULL, "there are no rows after the names");
	return ok && !ferror(file);
}

static void check_print_result(const struct table *table, bool ok)
{
	if (table->json)
		printf("{\"passed\": %u, \"failed\": %u, \"check\": %s}\n", table->passed,
		       table->failed, ok ? "true" : "false");
	else
		printf("%u passed, %u failed\n", table->passed, table->failed);
}

int surface_check(const char *path, bool json)
{
	struct table table = { .path = path, .json = json };
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	bool ok;

	if (!file) {
		fprintf(stderr, "faa-surface: %s: %s\n", path, strerror(errno));
		return 1;
	}
	ok = check_file(&table, file) && !table.failed;
	if (ferror(file))
		fprintf(stderr, "faa-surface: %s: cannot be read\n", path);
	if (file != stdin)
		fclose(file);
	fflush(stderr);
	check_print_result(&table, ok);
	return ok ? 0 : 1;
}
