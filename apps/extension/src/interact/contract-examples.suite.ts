import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FIXTURES = join(dirname(createRequire(import.meta.url).resolve('@drawbridge/protocol')), '../fixtures');

/** An example printed in a contract, from the protocol's fixtures. */
// biome-ignore lint/suspicious/noExplicitAny: what the contract prints; tests look into it.
export const example = (path: string): any =>
  JSON.parse(readFileSync(join(FIXTURES, `${path}.json`), 'utf8'));
