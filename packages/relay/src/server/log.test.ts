import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('writes 100 lines of one cause in ten seconds, then their number', () => {
  let now = 1_700_000_000_000;
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    (line) => lines.push(JSON.parse(line)),
    () => now,
  );
  for (let at = 0; at < 15_000; at += 1) log('fault', { error: 'TypeError', place: 'at receive' });
  log('fault', { error: 'RangeError', place: 'at receive' });
  expect(lines).toHaveLength(101);
  now += 10_000;
  log('listening', { url: 'http://127.0.0.1' });
  expect(lines.slice(101)).toMatchObject([{ event: 'fault', suppressed: 14_900 }, { event: 'listening' }]);
});

test('counts unlimited causes as one', () => {
  const lines: string[] = [];
  const log = createLog(
    (line) => lines.push(line),
    () => 1,
  );
  for (let at = 0; at < 20_000; at += 1) log('credential_refused', { address: `${at}` });
  expect(lines.length).toBeLessThanOrEqual(1_100);
});
