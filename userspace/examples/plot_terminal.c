// SPDX-License-Identifier: MIT
/* The plot as text: block characters of one eighth's resolution. */
#include "plot.h"

#define ROWS	8
#define EIGHTHS 8
#define LABEL	9

static const char *const plot_blocks[EIGHTHS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

/*
 * The widest power of two of columns, 16..256, that fits: every column then shows equally many
 * bins.
 */
static unsigned int plot_columns_for(unsigned int width)
{
	unsigned int columns = PLOT_BINS;

	while (columns > 16 && columns + LABEL > width)
		columns /= 2;
	return columns;
}

static uint64_t plot_column_sum(const uint32_t *bins, unsigned int column, unsigned int per_column)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < per_column; i++)
		sum += bins[column * per_column + i];
	return sum;
}

/* Filled eighths of a column; at least one if the sum is not 0. */
static unsigned int plot_eighths(uint64_t sum, uint64_t max)
{
	unsigned int n = max ? (unsigned int)((sum * ROWS * EIGHTHS + max / 2) / max) : 0;

	return !n && sum ? 1 : n;
}

static void plot_print_row(FILE *out, const uint32_t *bins, unsigned int columns, uint64_t max,
			   unsigned int row)
{
	unsigned int column;

	for (column = 0; column < columns; column++) {
		unsigned int filled =
			plot_eighths(plot_column_sum(bins, column, PLOT_BINS / columns), max);
		unsigned int below = row * EIGHTHS;
		unsigned int here = filled <= below ? 0 : filled - below;

		fputs(plot_blocks[here > EIGHTHS ? EIGHTHS : here], out);
	}
}

static void plot_print_axis(FILE *out, unsigned int columns)
{
	unsigned int column, quarter = columns / 4;

	fprintf(out, "%*s", LABEL - 1, "");
	for (column = 0; column < columns; column++)
		fputs(column % quarter ? "─" : "┴", out);
	fprintf(out, "\n%*s%-*d%-*d%-*d%-*d\n", LABEL - 1, "", (int)quarter, 0, (int)quarter, 64,
		(int)quarter, 128, (int)quarter, 192);
}

static void plot_print_channel(const struct plot *plot, FILE *out, unsigned int columns,
			       uint32_t channel, bool colour)
{
	static const char *const codes[] = { "\033[31m", "\033[32m", "\033[34m" };
	const uint32_t *bins = plot->bins[channel];
	unsigned int column, row;
	uint64_t max = 0;

	for (column = 0; column < columns; column++)
		if (plot_column_sum(bins, column, PLOT_BINS / columns) > max)
			max = plot_column_sum(bins, column, PLOT_BINS / columns);
	for (row = ROWS; row-- > 0;) {
		if (row == ROWS - 1)
			fprintf(out, "%*llu ", LABEL - 2, (unsigned long long)max);
		else if (row == 0)
			fprintf(out, "%*s ", LABEL - 2, plot_channel_name(plot->channels, channel));
		else
			fprintf(out, "%*s", LABEL - 1, "");
		if (colour && plot->channels == 3)
			fputs(codes[channel], out);
		plot_print_row(out, bins, columns, max, row);
		if (colour && plot->channels == 3)
			fputs("\033[0m", out);
		fputc('\n', out);
	}
	plot_print_axis(out, columns);
}

void plot_print(const struct plot *plot, FILE *out, unsigned int width, bool colour)
{
	unsigned int columns = plot_columns_for(width);
	uint32_t channel;

	for (channel = 0; channel < plot->channels; channel++)
		plot_print_channel(plot, out, columns, channel, colour);
}
