#include "tiled_names.h"

#include <stddef.h>
#include <string.h>

enum {
    LONGEST = 96,  ///< Bytes of a name that are looked at,
    MAX_WORDS = 12 ///< and how many of its words.
};

/// A name in small letters without accents, cut into words.
typedef struct word_list {
    char text[2 * LONGEST]; ///< The words, each with a zero behind it.
    const char *words[MAX_WORDS];
    int count;
    char joined[2 * LONGEST]; ///< All of them, without anything between.
} word_list;

typedef struct ranked_word {
    const char *word;
    grz_rank rank;
} ranked_word;

// Words are in the singular and the plural where these differ by more than an s.
static const ranked_word ranked[] = {
    // English.
    {"collision", GRZ_RANK_COLLISION},
    {"collide", GRZ_RANK_COLLISION},
    {"collider", GRZ_RANK_COLLISION},
    {"collidable", GRZ_RANK_COLLISION},
    {"collideable", GRZ_RANK_COLLISION},
    {"colliding", GRZ_RANK_COLLISION},
    {"colision", GRZ_RANK_COLLISION},
    {"colission", GRZ_RANK_COLLISION},
    {"collison", GRZ_RANK_COLLISION},
    {"collission", GRZ_RANK_COLLISION},
    {"colider", GRZ_RANK_COLLISION},
    {"col", GRZ_RANK_COLLISION},
    {"coll", GRZ_RANK_COLLISION},
    {"collmap", GRZ_RANK_COLLISION},
    {"solid", GRZ_RANK_COLLISION},
    {"blocked", GRZ_RANK_COLLISION},
    {"blocking", GRZ_RANK_COLLISION},
    {"blocker", GRZ_RANK_COLLISION},
    {"impassable", GRZ_RANK_COLLISION},
    {"impassible", GRZ_RANK_COLLISION},
    {"unpassable", GRZ_RANK_COLLISION},
    {"unwalkable", GRZ_RANK_COLLISION},
    {"nonwalkable", GRZ_RANK_COLLISION},
    {"notwalkable", GRZ_RANK_COLLISION},
    {"nonpassable", GRZ_RANK_COLLISION},
    {"notpassable", GRZ_RANK_COLLISION},
    {"nowalk", GRZ_RANK_COLLISION},
    {"physics", GRZ_RANK_COLLISION},
    {"hitbox", GRZ_RANK_COLLISION},
    {"hitboxes", GRZ_RANK_COLLISION},
    {"obstacle", GRZ_RANK_WALL},
    {"obstruction", GRZ_RANK_WALL},
    {"obstackle", GRZ_RANK_WALL},
    {"obsticle", GRZ_RANK_WALL},
    {"barrier", GRZ_RANK_WALL},
    {"boundary", GRZ_RANK_WALL},
    {"boundaries", GRZ_RANK_WALL},
    {"bound", GRZ_RANK_WALL},
    {"border", GRZ_RANK_WALL},
    {"wall", GRZ_RANK_WALL},
    {"fence", GRZ_RANK_WALL},
    {"cliff", GRZ_RANK_WALL},
    {"platform", GRZ_RANK_PLATFORM},
    {"plataform", GRZ_RANK_PLATFORM},
    {"block", GRZ_RANK_PLATFORM},
    {"brick", GRZ_RANK_PLATFORM},
    {"pipe", GRZ_RANK_PLATFORM},
    {"ground", GRZ_RANK_FLOOR},
    {"terrain", GRZ_RANK_GROUND},
    {"floor", GRZ_RANK_FLOOR},
    {"land", GRZ_RANK_GROUND},
    {"geometry", GRZ_RANK_GROUND},
    {"world", GRZ_RANK_WHOLE},
    {"map", GRZ_RANK_WHOLE},
    {"level", GRZ_RANK_WHOLE},
    {"main", GRZ_RANK_WHOLE},
    {"stage", GRZ_RANK_WHOLE},
    {"foreground", GRZ_RANK_WHOLE},
    {"fg", GRZ_RANK_WHOLE},
    {"structure", GRZ_RANK_WHOLE},
    {"building", GRZ_RANK_WHOLE},
    {"house", GRZ_RANK_WHOLE},
    {"rock", GRZ_RANK_WHOLE},
    {"tree", GRZ_RANK_WHOLE},
    // German.
    {"kollision", GRZ_RANK_COLLISION},
    {"kollisionen", GRZ_RANK_COLLISION},
    {"hindernis", GRZ_RANK_WALL},
    {"hindernisse", GRZ_RANK_WALL},
    {"wand", GRZ_RANK_WALL},
    {"wande", GRZ_RANK_WALL},
    {"waende", GRZ_RANK_WALL},
    {"mauer", GRZ_RANK_WALL},
    {"mauern", GRZ_RANK_WALL},
    {"plattform", GRZ_RANK_PLATFORM},
    {"plattformen", GRZ_RANK_PLATFORM},
    {"boden", GRZ_RANK_FLOOR},
    {"gelande", GRZ_RANK_GROUND},
    {"gelaende", GRZ_RANK_GROUND},
    // French.
    {"solide", GRZ_RANK_COLLISION},
    {"mur", GRZ_RANK_WALL},
    {"plateforme", GRZ_RANK_PLATFORM},
    {"plateform", GRZ_RANK_PLATFORM},
    {"sol", GRZ_RANK_FLOOR},
    // Spanish and Portuguese.
    {"colisiones", GRZ_RANK_COLLISION},
    {"colisao", GRZ_RANK_COLLISION},
    {"colisoes", GRZ_RANK_COLLISION},
    {"solido", GRZ_RANK_COLLISION},
    {"solida", GRZ_RANK_COLLISION},
    {"obstaculo", GRZ_RANK_WALL},
    {"muro", GRZ_RANK_WALL},
    {"pared", GRZ_RANK_WALL},
    {"parede", GRZ_RANK_WALL},
    {"plataforma", GRZ_RANK_PLATFORM},
    {"bloque", GRZ_RANK_PLATFORM},
    {"bloco", GRZ_RANK_PLATFORM},
    {"suelo", GRZ_RANK_FLOOR},
    {"piso", GRZ_RANK_FLOOR},
    {"chao", GRZ_RANK_FLOOR},
    {"solo", GRZ_RANK_FLOOR},
    {"terreno", GRZ_RANK_GROUND},
    // Italian.
    {"collisione", GRZ_RANK_COLLISION},
    {"collisioni", GRZ_RANK_COLLISION},
    {"solidi", GRZ_RANK_COLLISION},
    {"ostacolo", GRZ_RANK_WALL},
    {"ostacoli", GRZ_RANK_WALL},
    {"muri", GRZ_RANK_WALL},
    {"parete", GRZ_RANK_WALL},
    {"pareti", GRZ_RANK_WALL},
    {"piattaforma", GRZ_RANK_PLATFORM},
    {"piattaforme", GRZ_RANK_PLATFORM},
    {"suolo", GRZ_RANK_FLOOR},
    {"pavimento", GRZ_RANK_FLOOR},
    // Dutch, Swedish, Polish, Turkish.
    {"botsing", GRZ_RANK_COLLISION},
    {"kolizja", GRZ_RANK_COLLISION},
    {"kolizje", GRZ_RANK_COLLISION},
    {"carpisma", GRZ_RANK_COLLISION},
    {"muur", GRZ_RANK_WALL},
    {"muren", GRZ_RANK_WALL},
    {"obstakel", GRZ_RANK_WALL},
    {"vagg", GRZ_RANK_WALL},
    {"vaggar", GRZ_RANK_WALL},
    {"sciana", GRZ_RANK_WALL},
    {"sciany", GRZ_RANK_WALL},
    {"duvar", GRZ_RANK_WALL},
    {"platformen", GRZ_RANK_PLATFORM},
    {"platformy", GRZ_RANK_PLATFORM},
    {"grond", GRZ_RANK_FLOOR},
    {"zemin", GRZ_RANK_FLOOR},
    // Russian: stena, steny, prepyatstviya, platforma, platformy, zemlya, kolliziya.
    {"\xD1\x81\xD1\x82\xD0\xB5\xD0\xBD\xD0\xB0", GRZ_RANK_WALL},
    {"\xD1\x81\xD1\x82\xD0\xB5\xD0\xBD\xD1\x8B", GRZ_RANK_WALL},
    {"\xD0\xBF\xD1\x80\xD0\xB5\xD0\xBF\xD1\x8F\xD1\x82\xD1\x81\xD1\x82\xD0\xB2\xD0\xB8\xD1\x8F",
     GRZ_RANK_WALL},
    {"\xD0\xBF\xD0\xBB\xD0\xB0\xD1\x82\xD1\x84\xD0\xBE\xD1\x80\xD0\xBC\xD0\xB0", GRZ_RANK_PLATFORM},
    {"\xD0\xBF\xD0\xBB\xD0\xB0\xD1\x82\xD1\x84\xD0\xBE\xD1\x80\xD0\xBC\xD1\x8B", GRZ_RANK_PLATFORM},
    {"\xD0\xB7\xD0\xB5\xD0\xBC\xD0\xBB\xD1\x8F", GRZ_RANK_FLOOR},
    {"\xD0\xBA\xD0\xBE\xD0\xBB\xD0\xBB\xD0\xB8\xD0\xB7\xD0\xB8\xD1\x8F", GRZ_RANK_COLLISION},
    // Chinese: collision, wall, obstacle, ground. Japanese: hit test, collision, ground.
    {"\xE7\xA2\xB0\xE6\x92\x9E", GRZ_RANK_COLLISION},
    {"\xE5\xA2\x99", GRZ_RANK_WALL},
    {"\xE5\xA2\x99\xE5\xA3\x81", GRZ_RANK_WALL},
    {"\xE5\xA3\x81", GRZ_RANK_WALL},
    {"\xE9\x9A\x9C\xE7\xA2\x8D", GRZ_RANK_WALL},
    {"\xE9\x9A\x9C\xE7\xA2\x8D\xE7\x89\xA9", GRZ_RANK_WALL},
    {"\xE5\x9C\xB0\xE9\x9D\xA2", GRZ_RANK_FLOOR},
    {"\xE5\xBD\x93\xE3\x81\x9F\xE3\x82\x8A\xE5\x88\xA4\xE5\xAE\x9A", GRZ_RANK_COLLISION},
    {"\xE8\xA1\x9D\xE7\xAA\x81", GRZ_RANK_COLLISION},
    // Korean: collision, wall.
    {"\xEC\xB6\xA9\xEB\x8F\x8C", GRZ_RANK_COLLISION},
    {"\xEB\xB2\xBD", GRZ_RANK_WALL},
};

// Beside any other word they say the contrary.
static const char *const negations[] = {
    "no",           "non",       "not",      "without",  "never",        "sans",
    "sin",          "sem",       "senza",    "ohne",     "kein",         "keine",
    "kill",         "death",     "damage",   "hazard",   "hurt",         "noncollidable",
    "nocollision",  "nocollide", "nonsolid", "notsolid", "uncollidable", "nocollisions",
    "noncolliding", "nocollider"};

// Beside a wall or a platform: what is drawn with it. What says "collision" is solid all the same.
static const char *const adornments[] = {
    "above",       "back",       "background", "behind", "bg",    "deco",     "decor",
    "decal",       "decoration", "decorative", "detail", "edge",  "effect",   "enemy",
    "enemies",     "fg",         "foreground", "front",  "over",  "overlay",  "shade",
    "shadow",      "spawn",      "spawner",    "spawns", "top",   "trim",     "trigger",
    "walkable",    "moving",     "camera",     "cam",    "water", "fake",     "overhead",
    "light",       "lights",     "texture",    "accent", "prop",  "ornament", "dekoration",
    "hintergrund", "sombra",     "fondo"};

// They say nothing.
static const char *const fillers[] = {"layer", "tile", "map",     "object", "tilemap", "tilelayer",
                                      "obj",   "the",  "group",   "static", "shape",   "area",
                                      "zone",  "rect", "polygon", "box",    "boxes",   "set",
                                      "data",  "mask", "layout"};

static bool holds(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_capital(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

static bool is_small(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

// Latin letters lose their accents: U+00C0 to U+00FF.
static char plain_letter(unsigned char second)
{
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo.ouuuuyts";
    return plain[(second - 0x80) % 32];
}

// Writes the letter at *name, small and plain, and moves on.
static char *fold_letter(const char **name, char *to)
{
    const unsigned char first = (unsigned char)**name;
    const unsigned char second = (unsigned char)(first ? (*name)[1] : 0);
    if (first == 0xC3 && second >= 0x80 && second < 0xC0) {
        *to++ = plain_letter(second);
        *name += 2;
        return to;
    }
    if (first == 0xD0 && second >= 0x90 && second <= 0xAF) { // Capitals of Russian.
        *to++ = (char)(second < 0xA0 ? 0xD0 : 0xD1);
        *to++ = (char)(second < 0xA0 ? second + 0x20 : second - 0x20);
        *name += 2;
        return to;
    }
    *to++ = is_capital((char)first) ? (char)(first - 'A' + 'a') : (char)first;
    ++*name;
    return to;
}

static bool is_letter(char letter)
{
    return is_small(letter) || is_capital(letter) || (unsigned char)letter >= 0x80;
}

// A capital after a small letter begins a word; so does one before a small letter, after capitals.
static bool begins_word(const char *start, const char *at)
{
    return at > start && is_capital(*at) &&
           (is_small(at[-1]) || (is_capital(at[-1]) && is_small(at[1])));
}

static void add_word(word_list *list, char *start, char *end)
{
    *end = 0;
    if (end > start && list->count < MAX_WORDS) {
        list->words[list->count++] = start;
        strcat(list->joined, start); // It is as long as the text.
    }
}

static void split(const char *name, word_list *list)
{
    const char *const first = name;
    char *const end = list->text + sizeof list->text - 4;
    char *to = list->text;
    char *start = to;
    list->count = 0;
    list->joined[0] = 0;
    while (*name && to < end && name - first < LONGEST) {
        const bool ends = !is_letter(*name) || begins_word(first, name);
        if (ends && to > start) {
            add_word(list, start, to);
            start = ++to;
        }
        if (is_letter(*name)) {
            to = fold_letter(&name, to);
        } else {
            ++name;
        }
    }
    add_word(list, start, to);
}

static bool is_plural_of(const char *plural, size_t length, const char *word)
{
    const size_t known = strlen(word);
    return length == known + 1 && plural[known] == 's' && strncmp(plural, word, known) == 0;
}

// First letters first: maps may have a hundred thousand names.
static grz_rank rank_of_stem(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof ranked / sizeof *ranked; ++i) {
        const char *known = ranked[i].word;
        if (*known == *word && ((strlen(known) == length && strncmp(known, word, length) == 0) ||
                                is_plural_of(word, length, known))) {
            return ranked[i].rank;
        }
    }
    return GRZ_RANK_NONE;
}

// Also "walllayer" and "groundtiles", where a filler ends the word.
static grz_rank rank_of_word(const char *word)
{
    const size_t length = strlen(word);
    grz_rank rank = rank_of_stem(word, length);
    for (size_t i = 0; rank == GRZ_RANK_NONE && i < sizeof fillers / sizeof *fillers; ++i) {
        const size_t filler = strlen(fillers[i]);
        for (size_t plural = 0; plural < 2; ++plural) {
            if (length > filler + plural && (!plural || word[length - 1] == 's') &&
                strncmp(word + length - filler - plural, fillers[i], filler) == 0) {
                const grz_rank shorter = rank_of_stem(word, length - filler - plural);
                rank = shorter > rank ? shorter : rank;
            }
        }
    }
    return rank;
}

// Returns whether a word that cannot be part of another stands in a name, and not behind a "no".
static grz_rank find_collision(const char *joined)
{
    static const char *const parts[] = {"collision", "collider", "collidable", "kollision"};
    static const char *const denials[] = {"no", "non", "not", "un", "anti"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        const char *found = strstr(joined, parts[i]);
        const size_t before = found ? (size_t)(found - joined) : 0;
        for (size_t k = 0; k < sizeof denials / sizeof *denials; ++k) {
            const size_t length = strlen(denials[k]);
            if (before >= length && strncmp(found - length, denials[k], length) == 0) {
                return GRZ_RANK_NOT;
            }
        }
        if (found) {
            return GRZ_RANK_COLLISION;
        }
    }
    return GRZ_RANK_NONE;
}

static grz_rank larger(grz_rank a, grz_rank b)
{
    return a > b ? a : b;
}

static bool has_any(const word_list *list, const char *const *words, size_t count)
{
    for (int i = 0; i < list->count; ++i) {
        const char *word = list->words[i];
        for (size_t k = 0; k < count; ++k) {
            if (*words[k] == *word &&
                (strcmp(words[k], word) == 0 || is_plural_of(word, strlen(word), words[k]))) {
                return true;
            }
        }
    }
    return false;
}

static grz_rank rank_of_words(const word_list *list)
{
    grz_rank rank = GRZ_RANK_NONE;
    for (int i = 0; i < list->count; ++i) {
        const grz_rank of_word = rank_of_word(list->words[i]);
        rank = of_word > rank ? of_word : rank;
    }
    return rank < GRZ_RANK_COLLISION ? larger(rank, find_collision(list->joined)) : rank;
}

grz_rank grz_name_rank(const char *name)
{
    word_list list;
    split(name, &list);
    if (strcmp(list.joined, "camadadeblocos") == 0) {
        return GRZ_RANK_NONE; // What Tiled calls any layer of tiles in Portuguese.
    }
    const grz_rank whole = rank_of_word(list.joined);
    const grz_rank rank = larger(whole, rank_of_words(&list));
    if (whole == GRZ_RANK_COLLISION || rank == GRZ_RANK_NONE || rank == GRZ_RANK_NOT) {
        return rank; // Also "not walkable".
    }
    if (has_any(&list, negations, sizeof negations / sizeof *negations)) {
        return GRZ_RANK_NOT;
    }
    // A foreground alone may be what is solid in front of a background.
    const bool is_adorned = rank < GRZ_RANK_COLLISION && whole == GRZ_RANK_NONE &&
                            has_any(&list, adornments, sizeof adornments / sizeof *adornments);
    return is_adorned ? GRZ_RANK_NOT : rank;
}

bool grz_name_is_scenery(const char *name)
{
    word_list list;
    split(name, &list);
    return has_any(&list, adornments, sizeof adornments / sizeof *adornments);
}

// "is_solid", "hasCollision".
static bool is_with_verb(const word_list *list)
{
    static const char *const verbs[] = {"is", "has", "can"};
    return list->count > 1 && holds(verbs, sizeof verbs / sizeof *verbs, list->words[0]);
}

static bool is_one_of(const char *name, const char *const *words, size_t count)
{
    word_list list;
    split(name, &list);
    const size_t verb = is_with_verb(&list) ? strlen(list.words[0]) : 0;
    return holds(words, count, list.joined) || holds(words, count, list.joined + verb);
}

bool grz_name_is_solid_property(const char *name)
{
    static const char *const words[] = {
        "solid",         "issolid",     "solido",       "solide",      "collide",
        "collides",      "collidable",  "iscollidable", "collideable", "collision",
        "collisions",    "iscollision", "hascollision", "collider",    "iscollider",
        "cancollide",    "colide",      "colision",     "colisao",     "colisiona",
        "kollision",     "blocked",     "isblocked",    "block",       "blocks",
        "blocking",      "isblocking",  "isblock",      "blocker",     "blocksmovement",
        "blockmovement", "obstacle",    "isobstacle",   "obstaculo",   "impassable",
        "isimpassable",  "unpassable",  "unwalkable",   "notwalkable", "nonwalkable",
        "wall",          "iswall",      "barrier",      "mur",         "pared",
        "parede",        "muro"};
    return is_one_of(name, words, sizeof words / sizeof *words);
}

bool grz_name_is_open_property(const char *name)
{
    static const char *const words[] = {"walkable",  "iswalkable", "passable",    "ispassable",
                                        "canwalk",   "begehbar",   "traversable", "istraversable",
                                        "crossable", "accessible"};
    return is_one_of(name, words, sizeof words / sizeof *words);
}

bool grz_name_is_kind_property(const char *name)
{
    static const char *const words[] = {"type", "kind", "tiletype", "class", "category"};
    return is_one_of(name, words, sizeof words / sizeof *words);
}

bool grz_name_is_thing(const char *name)
{
    static const char *const words[] = {
        "spawn",  "spawner",    "spawnpoint", "player", "start",   "enemy",   "enemies",
        "npc",    "checkpoint", "camera",     "coin",   "trigger", "monster", "item",
        "hazard", "trap",       "pickup",     "slot",   "event",   "portal",  "exit",
        "door",   "warp",       "teleport",   "goal",   "switch",  "sign",    "chest",
        "key",    "finish",     "sensor"};
    word_list list;
    split(name, &list);
    return has_any(&list, words, sizeof words / sizeof *words);
}
