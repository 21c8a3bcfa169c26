// Tables of contacts as files: they get their names when they are whole.

#include "contact_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char path[] = "test_contact_csv.scratch";

static bool is_there(void)
{
    FILE *file = fopen(path, "r");
    if (file) {
        fclose(file);
    }
    return file;
}

static void a_table_gets_its_name_when_it_is_whole(void **state)
{
    (void)state;
    cli_error error;
    cli_contact_csv csv;
    remove(path);
    assert_true(cli_contact_csv_open(&csv, path, &error));
    assert_false(is_there());
    assert_true(cli_contact_csv_close(&csv, &error));
    assert_true(is_there());
    assert_true(cli_contact_csv_close(&csv, &error));
    remove(path);
}

static void one_that_is_discarded_leaves_the_old_one(void **state)
{
    (void)state;
    cli_error error;
    cli_contact_csv csv;
    char text[8] = "";
    FILE *old = fopen(path, "w");
    assert_non_null(old);
    fputs("old", old);
    fclose(old);
    assert_true(cli_contact_csv_open(&csv, path, &error));
    cli_contact_csv_discard(&csv);
    cli_contact_csv_discard(&csv);
    old = fopen(path, "r");
    assert_non_null(old);
    assert_non_null(fgets(text, sizeof text, old));
    fclose(old);
    assert_string_equal(text, "old");
    remove(path);
}

static void a_large_table_warns_once(void **state)
{
    (void)state;
    cli_error error;
    cli_contact_csv csv;
    assert_true(cli_contact_csv_open(&csv, path, &error));
    const uint64_t header = csv.bytes;
    assert_true(header > 60 && header < 100);
    assert_false(cli_contact_csv_warns(&csv, header + 1));
    assert_true(cli_contact_csv_warns(&csv, header));
    assert_false(cli_contact_csv_warns(&csv, header));
    cli_contact_csv_discard(&csv);
    assert_false(cli_contact_csv_warns(&csv, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_gets_its_name_when_it_is_whole),
        cmocka_unit_test(one_that_is_discarded_leaves_the_old_one),
        cmocka_unit_test(a_large_table_warns_once),
    };
    return cmocka_run_group_tests_name("contact_csv", tests, NULL, NULL);
}
