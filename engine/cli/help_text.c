#include "help_text.h"

static const char *const program_help =
    "graze: the physics step for 2D games full of moving things and bullets\n"
    "\n"
    "  graze run SCENE [options]  run a scene or a Tiled map and report the contacts\n"
    "  graze replay RECORD        repeat a recorded run: is every step the same?\n"
    "  graze demo [options]       run the built-in bullet hell and draw it\n"
    "  graze --version            print the version\n"
    "  graze --help               this text; graze run --help and so on list the options\n"
    "\n"
    "Exit status: 0 success; 1 a failure while running (out of memory, a file that cannot be\n"
    "written), or a replay that differs; 2 an error in the command line or in an input file: one\n"
    "line on stderr says what and where, and nothing has been written.\n";

static const char *const run_options_help =
    "graze run SCENE [options]: run a scene and report the contacts\n"
    "\n"
    "SCENE is Graze's own JSON (below), or a map of the Tiled editor saved as JSON (.tmj): its\n"
    "collision layers and tiles become terrain, objects of class \"body\" become bodies.\n"
    "\n"
    "  --steps N            steps to run, 0 to 1000000000; default: the scene's \"steps\", else "
    "60\n"
    "  --dt S               seconds a step, a number or a fraction; default: the scene's \"dt\",\n"
    "                       else 1/60\n"
    "  --contacts FILE.csv  write the contacts, a row each (columns below); -: to standard output\n"
    "                       (the report then goes to stderr); default: not written\n"
    "  --picture FILE.png   draw the world after the last step, 1280 pixels on its longer side;\n"
    "                       default: not drawn\n"
    "  --every K            with --picture: draw after every K-th step instead, into files with\n"
    "                       the step's number: FILE-000010.png for step 10; default: one picture\n"
    "                       at the end\n"
    "  --record FILE        write the start, every call and, for every step, hashes of the world\n"
    "                       and of each body, for graze replay; default: not written\n"
    "  --hash               print the hash of the world's state at the end: the same on every\n"
    "                       machine; default: not printed\n"
    "  --stats              print times, pairs and memory too; default: not printed\n"
    "\n"
    "Columns of the contacts:\n"
    "  step      1 for the first step\n"
    "  phase     begin: did not meet in the step before; stay: did; end: did, and do not now\n"
    "  a, b      the two bodies, as places in the file's list of bodies, counted from 0 (repeated\n"
    "            ones one by one; bodies of a map in the order of its objects); a is the smaller\n"
    "            id; b is empty against terrain\n"
    "  chain     the chain of terrain, counted likewise; empty between bodies\n"
    "  segment   which of its segments, 0 from the first point to the second\n"
    "  time      first touch, 0 to 1 of the step; 0 when they overlapped before\n"
    "  x, y      where they touched at that time, in the scene's units\n"
    "  nx, ny    the normal there, of length 1, from a to b (or into the terrain)\n"
    "  depth     how deep they overlapped when the step began, in units; 0 when they did not\n"
    "  flags     sensor: one of the two stops nobody; blocked: it stopped one of the two; spent:\n"
    "            it removed one of the two, by its hit_limit; dropped: one of the two was\n"
    "            deflected for the fourth time in the step, and the rest of its motion is\n"
    "            dropped; several are joined by |\n"
    "  Columns from time on are empty for an end.\n";

static const char *const scene_help =
    "\n"
    "A scene is a JSON object; every key is optional but points, and half of a rect:\n"
    "  gravity   [x, y], units per second squared; default [0, 0]\n"
    "  dt        seconds a step; default 1/60\n"
    "  steps     default 60\n"
    "  y_down    true when y points down in pictures; default false\n"
    "  view      [[x, y], [x, y]], lower and upper corner of what pictures show; default: the\n"
    "            terrain, and the bodies where they start\n"
    "  terrain   [{points: [[x, y], ...], loop, one_sided, sensor: true or false, filter,\n"
    "            user_data}, ...]\n"
    "  bodies    [{shape: \"circle\", \"rect\" or \"ray\" (a bullet); radius of a circle, default "
    "0.5;\n"
    "            half: [x, y] of a rect, half its width and height; position: [x, y];\n"
    "            velocity: [x, y], units per second; angle, radians; spin, radians per second;\n"
    "            mass, default 1; restitution, friction, 0 to 1; response: \"pass\" (default),\n"
    "            \"stop\", \"slide\", \"bounce\": what it does where it meets something solid;\n"
    "            sensor; hit_limit, 0: none; lifetime, seconds, 0: for ever; filter;\n"
    "            user_data; repeat: {count, offset: [x, y], turn: radians} makes copies}, ...]\n"
    "  filter    {category: bits, default 1; mask: bits, default all; group, default 0}\n"
    "\n"
    "  {\"gravity\": [0, -10],\n"
    "   \"terrain\": [{\"points\": [[-9, 0], [9, 0]]}],\n"
    "   \"bodies\": [{\"shape\": \"rect\", \"half\": [1, 0.5], \"position\": [0, 3], \"response\": "
    "\"stop\"}]}\n"
    "\n"
    "engine/cli/scene.md has more of it, engine/cli/tiled.md what becomes of a map.\n";

static const char *const replay_help =
    "graze replay RECORD: repeat a recorded run\n"
    "\n"
    "RECORD is what graze run SCENE --record RECORD or graze demo --record RECORD wrote, or a "
    "game\n"
    "with graze_record_start(), by this build or another, here or on another machine. It holds "
    "the\n"
    "world at the start and all that was done to it, so nothing else is needed.\n"
    "\n"
    "Prints the number of steps and the hash at the end when every step comes out the same, to "
    "the\n"
    "last bit; else one line with the first step that does not, the first body in it by the index\n"
    "of its id (of a scene: its place in the list of bodies, counted from 0) and, where they can\n"
    "be known, its values then and now, and ends with status 1. A record that is cut short is "
    "done\n"
    "up to there, and refused then.\n"
    "\n"
    "A record takes 32 to 100 bytes for each body, and for each step 45 bytes, 2.6 for each body,\n"
    "and what the calls take; at most 1 GiB. It can be read on machines with the same order of\n"
    "bytes. The same bits are promised for one version of Graze, not from one to the next.\n";

static const char *const demo_help =
    "graze demo [options]: run the built-in bullet hell and draw it\n"
    "\n"
    "A cave with islands, 1000 movers of all shapes that turn at walls, and six emitters that "
    "keep\n"
    "10000 bullets flying. It prints what it did: steps, bodies, contacts, hits, time and hash.\n"
    "\n"
    "  --steps N           steps of 1/60 s to run, 0 to 1000000000; default 600\n"
    "  --picture FILE.png  where to draw the last step, 1280 x 720; default graze-demo.png\n"
    "  --record FILE       write all that is done, for graze replay; default: not written\n";

void cli_help_print(cli_command topic, FILE *file)
{
    switch (topic) {
    case CLI_COMMAND_RUN:
        fputs(run_options_help, file);
        fputs(scene_help, file);
        break;
    case CLI_COMMAND_REPLAY:
        fputs(replay_help, file);
        break;
    case CLI_COMMAND_DEMO:
        fputs(demo_help, file);
        break;
    default:
        fputs(program_help, file);
        break;
    }
}
