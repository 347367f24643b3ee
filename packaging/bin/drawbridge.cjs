#!/usr/bin/env node
// Parsed by any Node since 12: an older one has to be told in words, not by a syntax error.
'use strict';

const NEEDED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  console.error(
    'drawbridge needs Node %d or newer; this is %s. Install one from https://nodejs.org, then run the same command again.',
    NEEDED_MAJOR,
    process.version,
  );
  process.exitCode = 1;
} else {
  // `drawbridge … | head`: whoever read along has had enough.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  void import('../lib/cli.js')
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
}
