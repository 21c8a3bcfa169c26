#include "help_text.h"

static const char *const program_help =
    "graze: the physics step for 2D games full of moving things and bullets\n"
    "\n"
    "Usage:\n"
    "  graze run SCENE [options]  run a scene or a Tiled map, and report its contacts\n"
    "  graze replay RECORD        repeat a recorded run, and compare every step\n"
    "  graze demo [options]       run the built-in bullet hell, and draw it\n"
    "  graze COMMAND --help       print what a command does, and its options\n"
    "  graze help COMMAND         the same\n"
    "  graze --version            print the version\n"
    "  graze --help               print this text\n"
    "\n"
    "Exit status:\n"
    "  0  success\n"
    "  1  a failure while running, such as a lack of memory or a file that cannot be\n"
    "     written; or a replay that differs\n"
    "  2  an error in the command line or in an input file; nothing has been written\n"
    "Every error is one line on stderr, which says what is wrong and where.\n";

static const char *const run_options_help =
    "graze run SCENE [options]: run a scene and report its contacts\n"
    "\n"
    "SCENE is a file in Graze's own JSON format (see Scenes), or a map that the Tiled\n"
    "editor saved as JSON (.tmj). Of a map, collision layers and solid tiles become\n"
    "terrain, and objects of class \"body\" become bodies.\n"
    "\n"
    "Options:\n"
    "  --steps N            run N steps, 0 to 1000000000; default: \"steps\" of the\n"
    "                       scene, else 60\n"
    "  --dt S               seconds per step, a number or a fraction such as 1/120;\n"
    "                       default: \"dt\" of the scene, else 1/60\n"
    "  --contacts FILE.csv  write all contacts as a table (see Contacts); \"-\" writes\n"
    "                       them to standard output, and the report to stderr\n"
    "  --picture FILE.png   draw the world after the last step, 1280 pixels on its\n"
    "                       longer side\n"
    "  --every K            with --picture: draw after every K-th step instead, each\n"
    "                       into a file with the step's number: FILE-000010.png\n"
    "  --record FILE        record the run for graze replay\n"
    "  --hash               print the hash of the final state, which is the same on\n"
    "                       every machine\n"
    "  --stats              also print times, candidate pairs, cells and memory\n"
    "\n"
    "Contacts:\n"
    "The table has one row for each contact of each step, and one for each end of a\n"
    "contact, in which the columns from time on are empty. Its columns:\n"
    "  step      the step, counted from 1\n"
    "  phase     begin: the two did not meet in the step before; stay: they did; end:\n"
    "            they did, and no longer do\n"
    "  a, b      the two bodies, by their place in the scene's list of bodies, counted\n"
    "            from 0 (each copy of a repeated body counts; bodies of a map are in\n"
    "            the order of its objects); b is empty for a contact with terrain\n"
    "  chain     the chain of terrain, by its place in the list, counted from 0; empty\n"
    "            between bodies\n"
    "  segment   the segment of that chain: 0 from its first point to its second\n"
    "  time      when they first touched, 0 to 1 of the step; 0 if they overlapped\n"
    "            before it\n"
    "  x, y      where they touched at that time, in the scene's units\n"
    "  nx, ny    the normal there, of length 1, from a to b or into the terrain\n"
    "  depth     how deep they overlapped when the step began, in units; else 0\n"
    "  flags     any of these, joined by \"|\":\n"
    "              sensor   one of the two is a sensor\n"
    "              blocked  one of the two was stopped or deflected\n"
    "              spent    the hit removed one of the two, by its hit_limit\n"
    "              dropped  one of the two was deflected for the fourth time in the\n"
    "                       step, and the rest of its motion was dropped\n";

static const char *const scene_help =
    "\n"
    "Scenes:\n"
    "A scene is a JSON object. All keys may be left out, except points, and half of a\n"
    "rect.\n"
    "  gravity   [x, y], units per second squared; default [0, 0]\n"
    "  dt        seconds per step; default 1/60\n"
    "  steps     the number of steps; default 60\n"
    "  y_down    true if y points down in pictures; default false\n"
    "  view      [[x, y], [x, y]], the lower and upper corner of what pictures show;\n"
    "            default: the terrain, and the bodies where they start\n"
    "  terrain   a list of chains:\n"
    "            {points: [[x, y], ...]\n"
    "             loop, one_sided, sensor: true or false (default)\n"
    "             filter, user_data}\n"
    "  bodies    a list of bodies:\n"
    "            {shape: \"circle\" (default), \"rect\" or \"ray\" (a bullet)\n"
    "             radius: of a circle; default 0.5\n"
    "             half: [x, y], half the width and half the height of a rect\n"
    "             position: [x, y]; velocity: [x, y], units per second; default [0, 0]\n"
    "             angle: radians; spin: radians per second; default 0\n"
    "             mass: 0 or more, default 1; 0 acts as infinite\n"
    "             restitution, friction: 0 to 1, default 0\n"
    "             response: what it does where it meets something solid: \"pass\"\n"
    "             (default), \"stop\", \"slide\" or \"bounce\"\n"
    "             sensor: true or false (default)\n"
    "             hit_limit: removed at its n-th hit; 0 (default): never\n"
    "             lifetime: seconds until it is removed; 0 (default): never\n"
    "             filter, user_data\n"
    "             repeat: {count, offset: [x, y], turn: radians}: count copies in all}\n"
    "  filter    {category: bits, default 1; mask: bits, default all;\n"
    "             pass: bits, default 0; group: default 0}\n"
    "\n"
    "For example, a crate that falls on a floor:\n"
    "  {\"gravity\": [0, -10],\n"
    "   \"terrain\": [{\"points\": [[-9, 0], [9, 0]]}],\n"
    "   \"bodies\": [{\"shape\": \"rect\", \"half\": [1, 0.5], \"position\": [0, 3],\n"
    "               \"response\": \"stop\"}]}\n"
    "\n"
    "See also: engine/cli/scene.md for scenes, engine/cli/tiled.md for maps.\n";

static const char *const replay_help =
    "graze replay RECORD: repeat a recorded run, and compare every step\n"
    "\n"
    "RECORD is a file that \"graze run SCENE --record RECORD\", \"graze demo --record\n"
    "RECORD\", or a game by graze_record_start() wrote, with this build or another, on\n"
    "this machine or another with the same byte order. It holds the world at the start\n"
    "and all calls that changed it, so nothing else is needed.\n"
    "\n"
    "If every step gives the same bits, it prints the number of steps and the hash of\n"
    "the final state. Otherwise it prints one line, and exits with status 1: the line\n"
    "names the first step that differs, the first body in it, by the index of its id\n"
    "(in a scene its place in the list of bodies, counted from 0), and, where they are\n"
    "known, its values as recorded and as replayed.\n"
    "\n"
    "A record that was cut short is replayed up to its last complete step, and is then\n"
    "an error: status 2.\n"
    "\n"
    "Results are the same for one version of Graze, but may change from one version to\n"
    "the next. A record takes 32 to 100 bytes for each body, and for each step 45\n"
    "bytes, 2.6 bytes for each body, and those of the calls. It may have up to 1 GiB.\n";

static const char *const demo_help =
    "graze demo [options]: run the built-in bullet hell and draw it\n"
    "\n"
    "The scene is a cave with islands, 1000 movers of all shapes that turn around at\n"
    "walls, and six emitters that keep 10000 bullets flying. Prints the numbers of\n"
    "steps, bodies, contacts and hits, the time of a step, and the hash of the final\n"
    "state.\n"
    "\n"
    "Options:\n"
    "  --steps N           run N steps of 1/60 s, 0 to 1000000000; default 600\n"
    "  --picture FILE.png  draw the last step, 1280 x 720, into this file; default\n"
    "                      graze-demo.png\n"
    "  --record FILE       record the run for graze replay\n";

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
