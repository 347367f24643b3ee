import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { violationsIn } from './violations.ts';
import { readWorkspaces } from './workspaces.ts';

const BIOME = {
  linter: {
    rules: { correctness: { noUndeclaredDependencies: 'error' }, suspicious: { noImportCycles: 'error' } },
  },
};

const SOUND = {
  'biome.json': JSON.stringify(BIOME),
  'packages/protocol/package.json': '{"name":"@drawbridge/protocol"}',
  'packages/protocol/tsconfig.json': '{"compilerOptions":{"rootDir":"src"}}',
  'packages/protocol/src/index.ts': 'export const one = 1;\n',
  'packages/link/package.json':
    '{"name":"@drawbridge/link","dependencies":{"@drawbridge/protocol":"*","ws":"1"}}',
  'packages/link/tsconfig.json': '{"references":[{"path":"../protocol"}]}',
  'packages/link/src/index.ts':
    "import { one } from '@drawbridge/protocol';\nimport './other.ts';\nexport { one };\n",
  'apps/cli/package.json': '{"name":"drawbridge"}',
  'testbed/package.json': '{"name":"@drawbridge/testbed"}',
};

let folder = '';

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Violations of a valid repository with some files replaced. */
function violationsWith(changes: Record<string, string>): string[] {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
  for (const [path, text] of Object.entries({ ...SOUND, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return violationsIn(readWorkspaces(folder));
}

test('this repository has no violation', () => {
  expect(violationsIn(readWorkspaces(join(import.meta.dirname, '../..')))).toEqual([]);
});

test('a valid repository has no violation', () => {
  expect(violationsWith({})).toEqual([]);
});

test.each([
  ['packages/link/src/index.test.ts', "import '../test/harness.ts';\nimport '@drawbridge/testbed';\n"],
  ['packages/link/test/harness.ts', "import '@drawbridge/testbed';\nimport '../src/index.ts';\n"],
  ['e2e/walk.test.ts', "import '@drawbridge/link/test/harness';\nimport './steps.ts';\n"],
  ['bench/load.ts', "join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');\n"],
  ['scripts/setup.mjs', "import '../testbed/find-chromium.mjs';\n"],
])('%s may use what tests need', (path, text) => {
  expect(violationsWith({ [path]: text })).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  [
    'a dependency that points up',
    {
      'packages/protocol/package.json':
        '{"name":"@drawbridge/protocol","dependencies":{"@drawbridge/link":"*"}}',
      'packages/protocol/tsconfig.json': '{"references":[{"path":"../link"}]}',
    },
    'packages/protocol (rank 0) depends on link (rank 1).',
  ],
  [
    'a package without a rank',
    { 'packages/attic/package.json': '{"name":"@drawbridge/attic"}' },
    'packages/attic has no rank: give it one in scripts/layers/ranks.ts.',
  ],
  [
    'a cast that is named like a check',
    {
      'packages/link/src/index.ts': `export function parseOne(value: unknown): { readonly one: 1 } {
  return value as { readonly one: 1 };
}
`,
    },
    'packages/link/src/index.ts: parseOne checks nothing. Name it trustOne.',
  ],
  [
    'a dependency that tsconfig does not reference',
    { 'packages/link/tsconfig.json': '{}' },
    'packages/link/tsconfig.json does not reference protocol, which package.json names.',
  ],
  [
    'a reference that is no dependency',
    { 'packages/protocol/tsconfig.json': '{"references":[{"path":"../link"}]}' },
    'packages/protocol/tsconfig.json references link, which package.json does not name.',
  ],
  [
    'an import that package.json does not name',
    { 'packages/protocol/src/index.ts': "export * from '@drawbridge/link/deep';\n" },
    'packages/protocol/src/index.ts imports @drawbridge/link/deep, which its package.json does not name.',
  ],
  [
    'an import by path into another package',
    { 'packages/protocol/src/index.ts': "import '../../link/src/index.ts';\n" },
    'packages/protocol/src/index.ts imports ../../link/src/index.ts, outside its own package.',
  ],
  [
    'an import by path from outside every package',
    { 'e2e/walk.test.ts': "import { one } from '../packages/link/src/index.ts';\n" },
    "e2e/walk.test.ts reaches packages/link/src/index.ts by path: import it by its package's name.",
  ],
  [
    'a program of another package that is named by path',
    { 'bench/load.ts': "new URL('../packages/link/test/program.ts', import.meta.url);\n" },
    "bench/load.ts reaches packages/link/test/program.ts by path: import it by its package's name.",
  ],
  [
    'a file in a test that is named by path',
    { 'packages/link/src/index.test.ts': "join(import.meta.dirname, '../../protocol/src/index.ts');\n" },
    "packages/link/src/index.test.ts reaches packages/protocol/src/index.ts by path: import it by its package's name.",
  ],
  [
    'a source that imports its own test folder',
    { 'packages/link/src/index.ts': "import '../test/harness.ts';\n" },
    'packages/link/src/index.ts imports ../test/harness.ts, which is for tests only.',
  ],
  [
    'a source that imports the test folder of another package',
    { 'packages/link/src/index.ts': "import '@drawbridge/protocol/test/samples';\n" },
    'packages/link/src/index.ts imports @drawbridge/protocol/test/samples, which is for tests only.',
  ],
  [
    'packaging that imports the testbed',
    { 'packaging/pack/pack.ts': "await import('@drawbridge/testbed');\n" },
    'packaging/pack/pack.ts imports @drawbridge/testbed, which is for tests only.',
  ],
  [
    'a package that needs the testbed to run',
    {
      'apps/cli/package.json': '{"name":"drawbridge","dependencies":{"@drawbridge/testbed":"*"}}',
      'apps/cli/tsconfig.json': '{"references":[{"path":"../../testbed"}]}',
    },
    'apps/cli (rank 5) depends on testbed (rank 5).',
  ],
  [
    'a pure package with wider types',
    { 'packages/protocol/tsconfig.json': '{"compilerOptions":{"types":["node"]}}' },
    'packages/protocol is pure: its tsconfig.json must not widen "types".',
  ],
  [
    'a source file of over 700 lines',
    { 'packages/link/src/long.ts': '\n'.repeat(701) },
    'packages/link/src/long.ts has 701 lines; the limit is 700.',
  ],
  [
    'a comment that silences a boundary rule',
    { 'packages/link/src/index.ts': '// biome-ignore lint/correctness/noUndeclaredDependencies: no\n' },
    'packages/link/src/index.ts switches a boundary rule off (biome-ignore lint/correctness/noUndeclaredDependencies).',
  ],
  [
    'a comment that silences every rule',
    { 'packages/link/src/index.ts': '// biome-ignore-all lint: no\n' },
    'packages/link/src/index.ts switches a boundary rule off (biome-ignore lint).',
  ],
  [
    'a boundary rule that is off',
    { 'biome.json': '{"linter":{"rules":{"correctness":{"noUndeclaredDependencies":"error"}}}}' },
    'biome.json must keep suspicious/noImportCycles at "error" everywhere.',
  ],
  [
    'an override that switches a boundary rule off',
    {
      'biome.json': JSON.stringify({
        ...BIOME,
        overrides: [{ linter: { rules: { correctness: { noUndeclaredDependencies: 'off' } } } }],
      }),
    },
    'biome.json must keep correctness/noUndeclaredDependencies at "error" everywhere.',
  ],
])('%s is found', (_, changes, violation) => {
  expect(violationsWith(changes)).toEqual([violation]);
});
