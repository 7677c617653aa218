// Runs a program for WASI: node --no-warnings tools/wasi.mjs PROGRAM [ARGUMENT]...
import { readFile } from "node:fs/promises";
import os from "node:os";
import { WASI } from "node:wasi";

const [program, ...options] = process.argv.slice(2);
console.log(`${os.cpus()[0].model}, Node.js ${process.version}`);
const wasi = new WASI({ version: "preview1", args: [program, ...options], env: process.env });
// Debian's C library for WASI lacks these, as there are no threads; newer ones return the same.
const NOT_SUPPORTED = 58;
const env = {
  pthread_attr_init: () => 0,
  pthread_attr_setstacksize: () => 0,
  pthread_attr_destroy: () => 0,
  pthread_create: () => NOT_SUPPORTED,
  pthread_detach: () => 0,
  pthread_join: () => NOT_SUPPORTED,
};
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), env });
process.exitCode = wasi.start(instance);
