import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { childrenOf, startProgram, temporaryFolder, untilGone } from '../../test/live/program-harness.ts';

afterEach(() => vi.unstubAllEnvs());

/** Uses a separate temporary folder. */
function startDemo(...args: readonly string[]) {
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  const program = startProgram(['demo', '--fast', '--json', ...args]);
  return { program, left: () => readdirSync(temporary).filter(isOurs), line: program.line };
}

/** Chromium's socket is sometimes left there. */
const isOurs = (name: string): boolean => name.startsWith('drawbridge-');

type Line = Readonly<Record<string, unknown>>;

const nameOf = ({ event, act, stage }: Line): string => [event, act ?? stage ?? []].flat().join(' ');

test('Ctrl-C during a question ends everything', async () => {
  const { program, line, left } = startDemo();
  await line(({ event }) => event === 'asked');
  const children = childrenOf(program.child.pid);
  program.child.kill('SIGINT');
  expect(await program.exited).toEqual([0, null]);
  expect(program.output.map(nameOf).at(-1)).toBe('asked');
  await untilGone(children);
  expect(left()).toEqual([]);
});
