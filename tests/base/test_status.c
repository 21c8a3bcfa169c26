#include <graze/status.h>
#include <graze/version.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const graze_status statuses[] = {
    GRAZE_OK,          GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_STALE_ID, GRAZE_ERROR_OUT_OF_MEMORY,
    GRAZE_ERROR_LIMIT, GRAZE_ERROR_FORMAT,   GRAZE_ERROR_BUSY,     GRAZE_ERROR_WRITE,
};

enum { STATUS_COUNT = sizeof statuses / sizeof statuses[0] };

static void assert_is_sentence(const char *text)
{
    size_t length = text ? strlen(text) : 0;
    assert_in_range(length, 10, 100);
    assert_in_range(text[0], 'A', 'Z');
    assert_int_equal(text[length - 1], '.');
    assert_null(strchr(text, '\n'));
}

static void success_is_zero_and_the_values_are_dense(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_COUNT; ++i) {
        assert_int_equal(statuses[i], i);
    }
}

static void every_status_has_a_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_COUNT; ++i) {
        assert_is_sentence(graze_status_text(statuses[i]));
    }
}

static void no_two_statuses_share_a_sentence(void **state)
{
    (void)state;
    for (int i = 0; i <= STATUS_COUNT; ++i) {
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(graze_status_text((graze_status)i),
                                    graze_status_text((graze_status)j));
        }
    }
}

static void a_value_that_is_no_status_has_a_sentence_too(void **state)
{
    (void)state;
    assert_is_sentence(graze_status_text((graze_status)STATUS_COUNT));
    assert_is_sentence(graze_status_text((graze_status)0x7fffffff));
}

static void the_library_has_the_version_of_its_headers(void **state)
{
    (void)state;
    char text[64];
    (void)snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR,
                   GRAZE_VERSION_PATCH);
    assert_string_equal(graze_version_text(), text);
    assert_int_equal(graze_version(), GRAZE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_is_zero_and_the_values_are_dense),
        cmocka_unit_test(every_status_has_a_sentence),
        cmocka_unit_test(no_two_statuses_share_a_sentence),
        cmocka_unit_test(a_value_that_is_no_status_has_a_sentence_too),
        cmocka_unit_test(the_library_has_the_version_of_its_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
