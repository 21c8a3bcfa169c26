// Runs a WASI program: node run_wasi.mjs PROGRAM.wasm [ARGUMENT...]. It has the environment, and the
// files below the working folder.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...words] = process.argv.slice(2);
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...words],
    env: process.env,
    preopens: { '.': '.' },
});
const module = await WebAssembly.compile(await readFile(program));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
