import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { createRelayLog } from './relay-log.ts';

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

test('rotates a long log at the next start, and keeps one old log', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'relay.log');
  for (const words of ['the oldest words', 'the older words', 'new']) {
    const log = createRelayLog(folder, 10);
    log.write(words);
    await log.close();
  }
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('the older words\n');
});
