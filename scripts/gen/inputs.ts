import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@drawbridge/testbed';
import { isNode } from './schema-node.ts';

/** Inputs of the generators besides the schemas. */
export interface Inputs {
  readonly version: string;
  readonly examples: Examples;
  readonly runs: readonly RunRecord[];
}

/** One example per message, by `protocol/kind`. */
export type Examples = ReadonlyMap<string, unknown>;

const FIXTURES = 'packages/protocol/fixtures';

export function readInputs(root: string): Inputs {
  return {
    version: readVersion(root),
    examples: readExamples(join(root, FIXTURES)),
    runs: readRuns(join(root, 'docs/reliability')),
  };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

function readVersion(root: string): string {
  const manifest = readJson(join(root, 'packages/protocol/package.json'));
  if (!isNode(manifest) || typeof manifest['version'] !== 'string')
    throw new Error('packages/protocol/package.json has no version.');
  return manifest['version'];
}

/** Fixtures are `<protocol>/<kind>.json` or `<protocol>/<kind>.<variant>.json`; the first is used. */
function readExamples(folder: string): Examples {
  const fragments = readFragments(folder);
  const examples = new Map<string, unknown>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const [, key] = /^([^/]+\/[^/.]+)(?:\.[^/]+)?\.json$/.exec(file.replaceAll('\\', '/')) ?? [];
    if (key === undefined || fragments.has(file) || examples.has(key)) continue;
    examples.set(key, readJson(join(folder, file)));
  }
  return examples;
}

/** Examples of the contracts that are not a whole message. */
function readFragments(folder: string): ReadonlySet<unknown> {
  const list = readJson(join(folder, 'not-messages.json'));
  return new Set(Array.isArray(list) ? list.map((entry) => (isNode(entry) ? entry['file'] : undefined)) : []);
}

const readRuns = (folder: string): readonly RunRecord[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as RunRecord);
