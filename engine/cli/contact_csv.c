#include "contact_csv.h"

#include <graze/contact.h>

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static void print(cli_contact_csv *csv, const char *format, ...) CLI_PRINTF(2, 3);

static void print(cli_contact_csv *csv, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = vfprintf(csv->file, format, values);
    va_end(values);
    csv->bytes += length > 0 ? (uint64_t)length : 0;
}

bool cli_contact_csv_open(cli_contact_csv *csv, const char *path, cli_error *error)
{
    const bool is_standard = cli_is_standard_stream(path);
    memset(csv, 0, sizeof *csv);
    csv->path = is_standard ? "standard output" : path;
    if (!is_standard && !cli_output_open(&csv->output, path, error)) {
        return false;
    }
    csv->file = is_standard ? stdout : csv->output.file;
    print(csv, "step,phase,a,b,chain,segment,time,x,y,nx,ny,depth,approach,impulse,flags\n");
    return true;
}

bool cli_contact_csv_warns(cli_contact_csv *csv, uint64_t limit)
{
    const bool warns = csv->file && !csv->is_large && csv->bytes >= limit;
    csv->is_large |= warns;
    return warns;
}

// The other side of a pair fills either b, or chain and segment.
static void write_pair(cli_contact_csv *csv, const cli_stage *stage, graze_body_id a,
                       graze_body_id b, graze_segment_id segment)
{
    print(csv, "%u,", stage->body_numbers[a.index]);
    if (b.generation != 0) {
        print(csv, "%u,,", stage->body_numbers[b.index]);
    } else {
        print(csv, ",%u,%u", stage->chain_numbers[segment.chain.index], segment.index);
    }
}

static void write_flags(cli_contact_csv *csv, uint32_t flags)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {{GRAZE_CONTACT_SENSOR, "sensor"},
                 {GRAZE_CONTACT_BLOCKED, "blocked"},
                 {GRAZE_CONTACT_SPENT, "spent"},
                 {GRAZE_CONTACT_DROPPED, "dropped"}};
    const char *separator = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (flags & names[i].flag) {
            print(csv, "%s%s", separator, names[i].name);
            separator = "|";
        }
    }
}

static void write_contact(cli_contact_csv *csv, const cli_stage *stage, uint32_t step,
                          const graze_contact *contact)
{
    const char *phase = contact->phase == GRAZE_CONTACT_BEGIN ? "begin" : "stay";
    print(csv, "%u,%s,", step, phase);
    write_pair(csv, stage, contact->a, contact->b, contact->segment);
    print(csv, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,", (double)contact->time,
          (double)contact->point.x, (double)contact->point.y, (double)contact->normal.x,
          (double)contact->normal.y, (double)contact->depth, (double)contact->approach,
          (double)contact->impulse);
    write_flags(csv, contact->flags);
    print(csv, "\n");
}

bool cli_contact_csv_write(cli_contact_csv *csv, const cli_stage *stage, uint32_t step)
{
    if (!csv->file) {
        return true;
    }
    graze_contact_list contacts = graze_world_contacts(stage->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        write_contact(csv, stage, step, &contacts.data[i]);
    }
    graze_contact_end_list ends = graze_world_contact_ends(stage->world);
    for (uint32_t i = 0; i < ends.count; ++i) {
        print(csv, "%u,end,", step);
        write_pair(csv, stage, ends.data[i].a, ends.data[i].b, ends.data[i].segment);
        print(csv, ",,,,,,,,,\n");
    }
    return !ferror(csv->file);
}

bool cli_contact_csv_close(cli_contact_csv *csv, cli_error *error)
{
    if (!csv->file) {
        return true;
    }
    errno = 0;
    bool failed = fflush(csv->file) != 0 || ferror(csv->file);
    int reason = errno;
    const bool is_standard = csv->file == stdout;
    csv->file = NULL;
    if (!is_standard && !cli_output_close(&csv->output, !failed)) {
        reason = failed ? reason : errno;
        failed = true;
    }
    return !failed || cli_fail(error, "%s: cannot be written: %s", csv->path,
                               reason ? strerror(reason) : "the write failed");
}

void cli_contact_csv_discard(cli_contact_csv *csv)
{
    if (csv->file && csv->file != stdout) {
        (void)cli_output_close(&csv->output, false);
    }
    csv->file = NULL;
}
