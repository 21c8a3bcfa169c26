#include "contact_csv.h"

#include "output_file.h"

#include <graze/contact.h>

#include <errno.h>
#include <string.h>

bool cli_contact_csv_open(cli_contact_csv *csv, const char *path, cli_error *error)
{
    const bool is_standard = cli_is_standard_stream(path);
    csv->path = is_standard ? "standard output" : path;
    csv->file = is_standard ? stdout : fopen(path, "w");
    if (!csv->file) {
        return cli_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    fputs("step,phase,a,b,chain,segment,time,x,y,nx,ny,depth,approach,impulse,flags\n", csv->file);
    return true;
}

// The other side of a pair fills either b, or chain and segment.
static void write_pair(const cli_contact_csv *csv, const cli_stage *stage, graze_body_id a,
                       graze_body_id b, graze_segment_id segment)
{
    fprintf(csv->file, "%u,", stage->body_numbers[a.index]);
    if (b.generation != 0) {
        fprintf(csv->file, "%u,,", stage->body_numbers[b.index]);
    } else {
        fprintf(csv->file, ",%u,%u", stage->chain_numbers[segment.chain.index], segment.index);
    }
}

static void write_flags(const cli_contact_csv *csv, uint32_t flags)
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
            fprintf(csv->file, "%s%s", separator, names[i].name);
            separator = "|";
        }
    }
}

static void write_contact(const cli_contact_csv *csv, const cli_stage *stage, uint32_t step,
                          const graze_contact *contact)
{
    const char *phase = contact->phase == GRAZE_CONTACT_BEGIN ? "begin" : "stay";
    fprintf(csv->file, "%u,%s,", step, phase);
    write_pair(csv, stage, contact->a, contact->b, contact->segment);
    fprintf(csv->file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,", (double)contact->time,
            (double)contact->point.x, (double)contact->point.y, (double)contact->normal.x,
            (double)contact->normal.y, (double)contact->depth, (double)contact->approach,
            (double)contact->impulse);
    write_flags(csv, contact->flags);
    fputc('\n', csv->file);
}

bool cli_contact_csv_write(const cli_contact_csv *csv, const cli_stage *stage, uint32_t step)
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
        fprintf(csv->file, "%u,end,", step);
        write_pair(csv, stage, ends.data[i].a, ends.data[i].b, ends.data[i].segment);
        fputs(",,,,,,,,,\n", csv->file);
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
    failed |= !is_standard && fclose(csv->file) != 0;
    csv->file = NULL;
    if (failed && !is_standard) {
        cli_output_discard(csv->path);
    }
    return !failed || cli_fail(error, "%s: cannot be written: %s", csv->path,
                               reason ? strerror(reason) : "the write failed");
}
