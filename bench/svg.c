#include "svg.h"

#include <math.h>

#define FONT "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"

#define HALO                                                                                       \
    " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\""

static void write_escaped(FILE *to, const char *text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            fputc(*text, to);
        }
    }
}

void svg_begin(FILE *to, int width, int height, const char *title, const char *description)
{
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"" FONT "\">\n<title>",
            width, height, width, height);
    write_escaped(to, title);
    fputs("</title>\n<desc>", to);
    write_escaped(to, description);
    fputs("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", to);
}

void svg_end(FILE *to)
{
    fputs("</svg>\n", to);
}

static void write_text(FILE *to, const svg_text_style *style, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(to, "font-size=\"%d\" fill=\"%s\" text-anchor=\"%s\"%s%s>", style->size, style->color,
            anchors[style->anchor], style->bold ? " font-weight=\"600\"" : "",
            style->halo ? HALO : "");
    write_escaped(to, text);
    fputs("</text>\n", to);
}

void svg_text(FILE *to, double x, double y, const svg_text_style *style, const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" ", x, y);
    write_text(to, style, text);
}

void svg_text_upwards(FILE *to, double x, double y, const svg_text_style *style, const char *text)
{
    fprintf(to, "<text transform=\"translate(%.1f %.1f) rotate(-90)\" ", x, y);
    write_text(to, style, text);
}

void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *color, double width)
{
    fprintf(to,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"%g\" stroke-linecap=\"round\"/>\n",
            x1, y1, x2, y2, color, width);
}

void svg_bar(FILE *to, double x, double y, double width, double height, const char *color)
{
    fprintf(to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>\n",
            x, y, width, height, color);
}

void svg_mark(FILE *to, double x, double y, int kind, const char *color)
{
    if (kind == 0) {
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\"/>\n", x, y, color);
    } else if (kind == 1) {
        svg_bar(to, x - 4, y - 4, 8, 8, color);
    } else {
        fprintf(to, "<path d=\"M%.1f %.1fl5 9h-10z\" fill=\"%s\"/>\n", x, y - 5.5, color);
    }
}

svg_axis svg_axis_around(double least, double most, double from, double to)
{
    svg_axis axis = {pow(10, floor(log10(least))), pow(10, ceil(log10(most))), from, to};
    return axis;
}

double svg_place(const svg_axis *axis, double value)
{
    double share = log10(value / axis->least) / log10(axis->most / axis->least);
    return axis->from + share * (axis->to - axis->from);
}
