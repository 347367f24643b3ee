import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Files that a path of ARCHITECTURE.md names. */
function filesNamed(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const paragraph = text.split('\n\n').find((each) => each.startsWith(`**${path}**`)) ?? '';
  return [...paragraph.matchAll(/`([\w-]+\/src\/[\w/-]+\.ts)`/g)].map(([, file]) => `packages/${file}`);
}

/** Runs a child process, because two profilers of one process reset each other's counts. */
async function filesRun(walk: string): Promise<readonly string[]> {
  const args = [join(ROOT, 'scripts/walks.ts'), walk, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const { list }: { list: readonly { file: string }[] } = JSON.parse(stdout);
  return list.map(({ file }) => file);
}

async function expectNamed(path: string, walk: string): Promise<void> {
  const named = filesNamed(path);
  expect(named.length).toBeGreaterThan(8);
  const ran = await filesRun(walk);
  expect(named.filter((file) => !ran.includes(file))).toEqual([]);
}

test('the files of a send in ARCHITECTURE.md run during one', () => expectNamed('A person steers.', 'send'));

test.runIf(process.env['DRAWBRIDGE_DEEP'])('the files of a click in ARCHITECTURE.md run during one', () =>
  expectNamed('An agent acts.', 'click-alone'),
);
