import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { createRelayLog, logTarget } from './relay-log.ts';

test('appends lines in order across starts, readable by the owner only', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'relay.log');
  writeFileSync(file, 'before\n', { mode: 0o644 });
  for (const start of ['a', 'b']) {
    const log = createRelayLog(folder);
    for (let at = 0; at < 3; at += 1) log.write(`${start}${at}`);
    await log.close();
    await log.close();
    log.write('too late');
  }
  expect(readFileSync(file, 'utf8')).toBe('before\na0\na1\na2\nb0\nb1\nb2\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('creates no log without lines', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'relay.log'), 'of a relay that runs');
  await createRelayLog(folder, 1).close();
  expect(readFileSync(join(folder, 'relay.log'), 'utf8')).toBe('of a relay that runs');
});

test('rotates a full log while it runs and across starts, and keeps four old logs', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'relay.log');
  const words = ['the first words', 'the second words', 'the third words', 'the fourth words'];
  const log = createRelayLog(folder, 10);
  for (const line of words) log.write(line);
  await log.close();
  expect(readFileSync(`${file}.3`, 'utf8')).toBe('the first words\n');
  const next = createRelayLog(folder, 10);
  for (const line of ['the fifth words', 'new']) next.write(line);
  await next.close();
  const kept = ['', '.1', '.2', '.3', '.4', '.5'].flatMap((end) =>
    existsSync(file + end) ? [readFileSync(file + end, 'utf8').trim()] : [],
  );
  expect(kept).toEqual(['new', 'the fifth words', ...words.slice(1).toReversed()]);
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600);
});

test('goes to the container’s or the system’s log, and otherwise to a file', () => {
  expect(logTarget(undefined, {})).toBe('file');
  const stderr = { dev: 8, ino: 1 };
  expect(logTarget(undefined, { JOURNAL_STREAM: '8:1' }, stderr)).toBe('stderr');
  expect(logTarget(undefined, { JOURNAL_STREAM: '8:2' }, stderr)).toBe('file');
  expect(logTarget(undefined, { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toBe('stderr');
  expect(logTarget(undefined, { DRAWBRIDGE_LOG: 'stderr' })).toBe('stderr');
  expect(logTarget(undefined, { DRAWBRIDGE_LOG: 'file', JOURNAL_STREAM: '8:1' }, stderr)).toBe('file');
  expect(logTarget('file', { DRAWBRIDGE_LOG: 'stderr' })).toBe('file');
});
