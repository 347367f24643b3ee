import { readFileSync } from 'node:fs';

/** An example printed in a contract, from the protocol's fixtures. */
// biome-ignore lint/suspicious/noExplicitAny: what the contract prints; tests look into it.
export const example = (path: string): any =>
  JSON.parse(
    readFileSync(new URL(import.meta.resolve(`@drawbridge/protocol/fixtures/${path}.json`)), 'utf8'),
  );
