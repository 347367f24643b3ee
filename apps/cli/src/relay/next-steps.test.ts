import { expect, test } from 'vitest';
import { terminalOf } from '../../test/terminal.ts';
import { nextSteps } from './next-steps.ts';

const terminal = (columns: number) => ({ ...terminalOf('').terminal, columns });
const ALL = { demo: true, browser: true, extension: true, reachable: false };

test.each([80, 60, 44])('suggestions fit %d columns', (columns) => {
  const env = { npm_command: 'start', npm_lifecycle_event: 'start' };
  const lines = nextSteps(ALL, terminal(columns), env, '/srv/draw/drawbridge');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns);
  const text = lines.join('\n');
  expect(text).toContain('/srv/draw/drawbridge connect claude');
  expect(text).toContain('npm start -- --host 0.0.0.0');
  expect(lines.at(-1)).toBe('Press Ctrl-C to stop everything.');
});

test('suggests nothing that is missing', () => {
  const runs = { demo: false, browser: false, extension: false, reachable: true };
  expect(nextSteps(runs, terminal(80), {}, 'drawbridge')).toEqual([
    '',
    'Try next:',
    '  drawbridge proxy  steer your coding agents',
    '  drawbridge pair   let in another device',
    '',
    'Press Ctrl-C to stop everything.',
  ]);
});
