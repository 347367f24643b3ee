#!/usr/bin/env node
// Runs on any Node: called by its path, this gets the system's, which may be older than we need.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const entry = new URL('../src/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // `drawbridge … | head`: whoever read along has had enough.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  // Sources are compiled once, not by each command. A folder of the clone: nobody else can put code into it.
  module.enableCompileCache(fileURLToPath(new URL('../../../.cache/compiled', import.meta.url)));
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const pinned = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
  if (existsSync(pinned)) {
    const self = fileURLToPath(import.meta.url);
    const child = spawn(pinned, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
    // Ctrl-C in a terminal already reaches the child: a second signal would kill it during its shutdown.
    process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  } else {
    console.error(`drawbridge needs Node ${NEEDED_MAJOR} or newer; this is ${process.version}.`);
    console.error(
      'Run npm install in the Drawbridge folder (it brings its own Node), or install a newer Node.',
    );
    process.exitCode = 1;
  }
}
