#include "options.h"

#include "demo_command.h"
#include "same_file.h"
#include "scene.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_COUNT,
    OPTION_SECONDS,
    OPTION_PATH,
    OPTION_STREAM, ///< A path, or "-" for standard output.
    OPTION_SCENE,  ///< The name of a built-in scene.
    OPTION_NAME    ///< May be given again, for another name.
} option_kind;

/// The commands that take an option.
typedef enum option_owner {
    OF_RUN = 1,
    OF_DEMO = 2,
    OF_MAP = 4,
    OF_BOTH = OF_RUN | OF_DEMO,
    OF_MAPS = OF_RUN | OF_MAP
} option_owner;

typedef struct known_option {
    const char *name;
    option_kind kind;
    size_t offset; ///< Of its value.
    size_t given;  ///< Offset of the bool that says that it was given; 0: none.
    option_owner owner;
    const char *value; ///< What stands after it, for errors.
} known_option;

static const known_option known[] = {
    {"--steps", OPTION_COUNT, offsetof(cli_options, steps), offsetof(cli_options, has_steps),
     OF_BOTH, "a whole number from 0 to 1000000000"},
    {"--dt", OPTION_SECONDS, offsetof(cli_options, dt), offsetof(cli_options, has_dt), OF_RUN,
     "seconds above 0, such as 0.02 or 1/60"},
    {"--contacts", OPTION_STREAM, offsetof(cli_options, contacts), 0, OF_RUN,
     "a file name, or - for standard output"},
    {"--picture", OPTION_PATH, offsetof(cli_options, picture), 0, OF_BOTH, "a file name"},
    {"--record", OPTION_PATH, offsetof(cli_options, record), 0, OF_BOTH, "a file name"},
    {"--every", OPTION_COUNT, offsetof(cli_options, every), 0, OF_RUN,
     "a whole number from 1 to 1000000000"},
    {"--hash", OPTION_FLAG, offsetof(cli_options, hash), 0, OF_RUN, ""},
    {"--stats", OPTION_FLAG, offsetof(cli_options, stats), 0, OF_RUN, ""},
    {"--solid", OPTION_NAME, offsetof(cli_options, solid), 0, OF_MAPS,
     "the name of a layer, a class or a property, at most 64 times"},
    {"--tiles", OPTION_FLAG, offsetof(cli_options, tiles), 0, OF_MAP, ""},
    {"--scene", OPTION_SCENE, offsetof(cli_options, demo_scene), 0, OF_DEMO, CLI_DEMO_SCENES},
};

/// The rest of the command line.
typedef struct word_list {
    int count;
    char **words;
} word_list;

static bool parse_count(const char *text, uint32_t *count)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    bool fits = *text >= '0' && *text <= '9' && *end == 0 && value <= CLI_MAX_STEPS;
    *count = fits ? (uint32_t)value : 0;
    return fits;
}

// Digits, a point and an exponent; not the blanks, signs and names that strtod() takes.
static bool parse_decimal(const char *text, size_t length, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return length > 0 && *text != '+' && *text != '-' &&
           strspn(text, "0123456789.eE+-") >= length && end == text + length;
}

// A number, or one number divided by another.
static bool parse_seconds(const char *text, float *seconds)
{
    const char *slash = strchr(text, '/');
    const size_t length = slash ? (size_t)(slash - text) : strlen(text);
    double value;
    double divisor = 1;
    bool fits = parse_decimal(text, length, &value) &&
                (!slash || parse_decimal(slash + 1, strlen(slash + 1), &divisor));
    value /= divisor;
    fits = fits && value >= (double)FLT_MIN && value <= (double)FLT_MAX;
    *seconds = fits ? (float)value : 0;
    return fits;
}

// Whether it can be a file's: not "folder/", "." and the like.
static bool is_file_name(const char *path)
{
    const char *name = path;
    for (; *path; ++path) {
        name = *path == '/' || *path == '\\' ? path + 1 : name;
    }
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool add_name(cli_names *names, const char *text)
{
    const bool fits = *text && names->count < CLI_MOST_NAMES;
    if (fits) {
        names->names[names->count++] = text;
    }
    return fits;
}

static bool store_option(cli_options *options, const known_option *option, const char *text)
{
    void *place = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case OPTION_COUNT:
        return parse_count(text, place) && (*(uint32_t *)place > 0 || option->given);
    case OPTION_SECONDS:
        return parse_seconds(text, place);
    case OPTION_NAME:
        return add_name(place, text);
    case OPTION_SCENE:
        *(const char **)place = text;
        return cli_demo_has_scene(text);
    case OPTION_PATH:
    case OPTION_STREAM:
        *(const char **)place = text;
        return is_file_name(text) &&
               (option->kind == OPTION_STREAM || !cli_is_standard_stream(text));
    }
    return false;
}

static const struct {
    const char *name;
    cli_command command;
} commands[] = {
    {"run", CLI_COMMAND_RUN}, {"replay", CLI_COMMAND_REPLAY}, {"demo", CLI_COMMAND_DEMO},
    {"map", CLI_COMMAND_MAP}, {"help", CLI_COMMAND_HELP},
};

static const char *command_name(const cli_options *options)
{
    size_t place = 0;
    while (commands[place].command != options->command) {
        ++place;
    }
    return commands[place].name;
}

static const known_option *find_option(const cli_options *options, const char *word, size_t length)
{
    const unsigned owner = options->command == CLI_COMMAND_RUN    ? OF_RUN
                           : options->command == CLI_COMMAND_DEMO ? OF_DEMO
                           : options->command == CLI_COMMAND_MAP  ? OF_MAP
                                                                  : 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if ((known[i].owner & owner) != 0 && strlen(known[i].name) == length &&
            strncmp(known[i].name, word, length) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

// Takes `--name value` and `--name=value`.
static bool read_option(cli_options *options, word_list *rest, const char *word, cli_error *error)
{
    size_t length = strcspn(word, "=");
    const known_option *found = find_option(options, word, length);
    if (!found) {
        return cli_fail(error, "unknown option %s; see graze %s --help", word,
                        command_name(options));
    }
    const char *text = word[length] ? word + length + 1 : NULL;
    if (found->kind == OPTION_FLAG && text) {
        return cli_fail(error, "%s takes no value", found->name);
    }
    if (found->kind != OPTION_FLAG && !text) {
        if (rest->count == 0) {
            return cli_fail(error, "%s: %s must follow", found->name, found->value);
        }
        text = *rest->words++;
        --rest->count;
    }
    if (!store_option(options, found, text)) {
        return cli_fail(error, "%s: must be %s, not \"%s\"", found->name, found->value, text);
    }
    if (found->given) {
        *(bool *)((char *)options + found->given) = true;
    }
    return true;
}

static bool take_scene(cli_options *options, const char *word, cli_error *error)
{
    if (options->command == CLI_COMMAND_DEMO) {
        return cli_fail(error, "graze demo takes no file: what to do with \"%s\"?", word);
    }
    if (!*word) {
        return cli_fail(error, "the name of the file to read is empty");
    }
    if (options->scene) {
        return cli_fail(error, "one file at a time: both \"%s\" and \"%s\" are given",
                        options->scene, word);
    }
    options->scene = word;
    return true;
}

static bool is_word(const char *text, const char *word)
{
    while (*text && tolower((unsigned char)*text) == *word) {
        ++text;
        ++word;
    }
    return *text == *word;
}

bool cli_options_prints_contacts(const cli_options *options)
{
    return options->contacts && cli_is_standard_stream(options->contacts);
}

enum { FILE_COUNT = 4 };

// Numbered pictures have other names, and standard output has none.
static void list_files(const cli_options *options, cli_named_file files[FILE_COUNT])
{
    const bool is_stream = options->scene && cli_is_standard_stream(options->scene);
    const cli_named_file scene = {"the file to read", is_stream ? NULL : options->scene};
    const cli_named_file contacts = {
        "--contacts", cli_options_prints_contacts(options) ? NULL : options->contacts};
    const cli_named_file picture = {"--picture", options->every ? NULL : options->picture};
    const cli_named_file record = {"--record", options->record};
    files[0] = scene;
    files[1] = contacts;
    files[2] = picture;
    files[3] = record;
}

// Otherwise what is written first would be lost.
static bool check_against(const cli_named_file *files, size_t count, cli_named_file other,
                          cli_error *error)
{
    bool done = cli_check_standard_output(other, error);
    for (size_t i = 0; done && i < count; ++i) {
        done = cli_check_two_files(files[i], other, error);
    }
    return done;
}

static bool check_files(const cli_options *options, cli_error *error)
{
    cli_named_file files[FILE_COUNT];
    list_files(options, files);
    bool done = true;
    for (size_t i = 0; done && i < FILE_COUNT; ++i) {
        done = check_against(files, i, files[i], error);
    }
    return done;
}

bool cli_options_check_file(const cli_options *options, const char *what, const char *name,
                            cli_error *error)
{
    const cli_named_file other = {what, name};
    cli_named_file files[FILE_COUNT];
    list_files(options, files);
    return check_against(files, FILE_COUNT, other, error);
}

// A picture of another kind would be a PNG all the same, which few programs could open.
static bool check_picture(const cli_options *options, cli_error *error)
{
    static const char *const others[] = {"jpg", "jpeg", "gif", "bmp", "webp", "svg", "tga",
                                         "tif", "tiff", "ppm", "pdf", "avif", "mp4"};
    const char *dot = options->picture ? strrchr(options->picture, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; ++i) {
        if (is_word(dot + 1, others[i])) {
            return cli_fail(error,
                            "--picture: pictures are PNG: give a name that ends with .png, "
                            "not \"%s\"",
                            options->picture);
        }
    }
    return true;
}

static bool check_run(const cli_options *options, cli_error *error)
{
    if (!check_files(options, error) || !check_picture(options, error)) {
        return false;
    }
    if (options->command == CLI_COMMAND_RUN && !options->scene) {
        return cli_fail(error, "graze run: which scene? See graze run --help");
    }
    if (options->command == CLI_COMMAND_REPLAY && !options->scene) {
        return cli_fail(error, "graze replay: which record? See graze replay --help");
    }
    if (options->command == CLI_COMMAND_MAP && !options->scene) {
        return cli_fail(error, "graze map: which map? See graze map --help");
    }
    if (options->every > 0 && !options->picture) {
        return cli_fail(error, "--every numbers pictures: give --picture FILE.png too");
    }
    return true;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool read_words(cli_options *options, word_list rest, cli_error *error)
{
    bool only_names = false;
    while (rest.count > 0) {
        const char *word = *rest.words++;
        --rest.count;
        if (!only_names && is_help(word)) {
            options->help_topic = options->command;
            options->command = CLI_COMMAND_HELP;
            return true;
        }
        bool is_option = !only_names && word[0] == '-' && word[1];
        if (is_option && strcmp(word, "--") == 0) {
            only_names = true;
        } else if (!(is_option ? read_option(options, &rest, word, error)
                               : take_scene(options, word, error))) {
            return false;
        }
    }
    if (options->command == CLI_COMMAND_DEMO && !options->picture) {
        options->picture = "graze-demo.png";
    }
    return check_run(options, error);
}

static bool find_command(const char *word, cli_command *command, cli_error *error)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        if (strcmp(word, commands[i].name) == 0) {
            *command = commands[i].command;
            return true;
        }
    }
    return cli_fail(error, "unknown command \"%s\"; see graze --help", word);
}

static bool read_topic(cli_options *options, word_list rest, cli_error *error)
{
    if (rest.count > 1) {
        return cli_fail(error, "graze help explains one command: what to do with \"%s\"?",
                        rest.words[1]);
    }
    return rest.count == 0 || is_help(rest.words[0]) ||
           find_command(rest.words[0], &options->help_topic, error);
}

bool cli_options_read(cli_options *options, int count, char **words, cli_error *error)
{
    memset(options, 0, sizeof *options);
    options->command = CLI_COMMAND_HELP;
    options->help_topic = CLI_COMMAND_HELP;
    if (count < 2) {
        return true;
    }
    const char *first = words[1];
    word_list rest = {count - 2, words + 2};
    if (is_help(first) || strcmp(first, "help") == 0) {
        return read_topic(options, rest, error);
    }
    if (strcmp(first, "--version") == 0) {
        options->command = CLI_COMMAND_VERSION;
        return rest.count == 0 ||
               cli_fail(error, "--version: what to do with \"%s\"?", rest.words[0]);
    }
    return find_command(first, &options->command, error) && read_words(options, rest, error);
}
