// SPDX-License-Identifier: MIT
/* The plot as an image: one panel a channel, one bar a bin. */
#include "font.h"
#include "plot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SCALE	     2
#define GLYPH_WIDTH  ((FONT_WIDTH + 1) * SCALE)
#define GLYPH_HEIGHT (FONT_HEIGHT * SCALE)
#define BAR_WIDTH    3
#define LEFT	     104
#define RIGHT	     30
#define TOP	     48
#define PANEL_HEIGHT 180
#define PANEL_GAP    62
#define TICKS	     4

struct colour {
	uint8_t r, g, b;
};

static const struct colour plot_paper = { 255, 255, 255 }, plot_ink = { 40, 40, 40 },
			   grid = { 222, 222, 222 };

const char *plot_channel_name(uint32_t channels, uint32_t channel)
{
	static const char *const names[] = { "red", "green", "blue" };

	return channels == 1 ? "grey" : names[channel];
}

static struct colour plot_channel_colour(uint32_t channels, uint32_t channel)
{
	static const struct colour colours[] = { { 206, 48, 40 },
						 { 38, 148, 62 },
						 { 42, 86, 198 } };
	static const struct colour grey = { 96, 96, 96 };

	return channels == 1 ? grey : colours[channel];
}

static void plot_rectangle(struct image *image, uint32_t x0, uint32_t y0, uint32_t width,
			   uint32_t height, struct colour c)
{
	uint32_t x, y;

	for (y = y0; y < y0 + height && y < image->height; y++)
		for (x = x0; x < x0 + width && x < image->width; x++)
			memcpy(image->pixels + 3 * ((size_t)y * image->width + x), &c, 3);
}

static void plot_draw_text(struct image *image, uint32_t x, uint32_t y, const char *text)
{
	for (; *text; text++, x += GLYPH_WIDTH) {
		const unsigned char *rows = font_rows[toupper((unsigned char)*text) & 0x7f];
		unsigned int row, column;

		for (row = 0; row < FONT_HEIGHT; row++)
			for (column = 0; column < FONT_WIDTH; column++)
				if (rows[row] & (0x10 >> column))
					plot_rectangle(image, x + column * SCALE, y + row * SCALE,
						       SCALE, SCALE, plot_ink);
	}
}

/* Draws text that ends at @right, or is centred at @right. */
static void plot_draw_number(struct image *image, uint32_t right, uint32_t y, uint64_t number,
			     bool middle)
{
	char text[24];
	uint32_t width =
		snprintf(text, sizeof(text), "%llu", (unsigned long long)number) * GLYPH_WIDTH;

	plot_draw_text(image, right - (middle ? width / 2 : width), y, text);
}

static uint32_t plot_greatest(const uint32_t *bins)
{
	uint32_t max = 0;
	int i;

	for (i = 0; i < PLOT_BINS; i++)
		if (bins[i] > max)
			max = bins[i];
	return max;
}

/* The smallest 1, 2, 2.5 or 5 times a power of ten such that TICKS steps of it reach @max. */
static uint64_t plot_tick_step(uint64_t max)
{
	uint64_t power = 1;

	for (;; power *= 10) {
		if (power * TICKS >= max)
			return power;
		if (2 * power * TICKS >= max)
			return 2 * power;
		if (power >= 10 && 25 * power / 10 * TICKS >= max)
			return 25 * power / 10;
		if (5 * power * TICKS >= max)
			return 5 * power;
	}
}

static void plot_draw_panel(const struct plot *plot, struct image *image, uint32_t channel)
{
	const char *name = plot_channel_name(plot->channels, channel);
	uint32_t top = TOP + channel * (PANEL_HEIGHT + PANEL_GAP), bottom = top + PANEL_HEIGHT;
	uint64_t step = plot_tick_step(plot_greatest(plot->bins[channel])), full = step * TICKS;
	static const uint32_t marks[] = { 0, 32, 64, 96, 128, 160, 192, 224, 255 };
	uint32_t i;

	for (i = 0; i <= TICKS; i++) {
		uint32_t y = bottom - i * PANEL_HEIGHT / TICKS;

		plot_rectangle(image, LEFT, y, PLOT_BINS * BAR_WIDTH, 1, grid);
		plot_draw_number(image, LEFT - 10, y - GLYPH_HEIGHT / 2, i * step, false);
	}
	for (i = 0; i < PLOT_BINS; i++) {
		uint32_t height =
			(uint32_t)((plot->bins[channel][i] * (uint64_t)PANEL_HEIGHT + full / 2) /
				   full);

		/* At least one pixel, so that no count of the image disappears in the plot. */
		if (!height && plot->bins[channel][i])
			height = 1;
		plot_rectangle(image, LEFT + i * BAR_WIDTH, bottom - height, BAR_WIDTH, height,
			       plot_channel_colour(plot->channels, channel));
	}
	plot_rectangle(image, LEFT - 2, top, 2, PANEL_HEIGHT + 2, plot_ink);
	plot_rectangle(image, LEFT - 2, bottom, PLOT_BINS * BAR_WIDTH + 2, 2, plot_ink);
	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		uint32_t x = LEFT + marks[i] * BAR_WIDTH + BAR_WIDTH / 2;

		plot_rectangle(image, x, bottom, 1, 7, plot_ink);
		plot_draw_number(image, x, bottom + 10, marks[i], true);
	}
	plot_draw_text(image, LEFT + PLOT_BINS * BAR_WIDTH - strlen(name) * GLYPH_WIDTH,
		       top - GLYPH_HEIGHT - 4, name);
}

int plot_draw(const struct plot *plot, struct image *image)
{
	uint32_t channel;

	*image = (struct image){
		.width = LEFT + PLOT_BINS * BAR_WIDTH + RIGHT,
		.height = TOP + plot->channels * (PANEL_HEIGHT + PANEL_GAP) - 20,
		.channels = 3,
	};
	image->pixels = malloc((size_t)image->width * image->height * 3);
	if (!image->pixels)
		return -1;
	plot_rectangle(image, 0, 0, image->width, image->height, plot_paper);
	plot_draw_text(image, LEFT, 12, plot->title);
	for (channel = 0; channel < plot->channels; channel++)
		plot_draw_panel(plot, image, channel);
	return 0;
}
