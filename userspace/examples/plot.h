/* SPDX-License-Identifier: MIT */
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "image.h"

#define PLOT_BINS     256
#define PLOT_CHANNELS 3

/** struct plot - histograms to draw */
struct plot {
	/** @title: drawn above, in capitals. */
	const char *title;
	/** @channels: 1 (grey) or 3 (red, green, blue). */
	uint32_t channels;
	uint32_t bins[PLOT_CHANNELS][PLOT_BINS];
};

/** plot_channel_name() - "grey", or "red", "green", "blue" where there are three. */
const char *plot_channel_name(uint32_t channels, uint32_t channel);

/** plot_draw() - draw into a new RGB image; 0, or -1 without memory. */
int plot_draw(const struct plot *plot, struct image *image);

/** plot_print() - draw with block characters, @width columns wide, in colour if @colour. */
void plot_print(const struct plot *plot, FILE *out, unsigned int width, bool colour);

#endif /* PLOT_H */
