import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGrantFile } from './grant-file.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grants-'));
  file = join(folder, 'data', 'grants.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

let made = 0;
const open = () => openGrantFile(file, { now: () => 1_000, newId: () => `id-${++made}` });
const PAY = {
  origin: 'https://shop.example',
  covers: { name: 'checkout.pay', effect: 'irreversible' as const },
  by: 'device-1',
};

test('restores lasting grants on the next start, but not lent tabs', () => {
  const book = open();
  book.lend('tab-1', 'device-1');
  const grant = book.add(PAY);
  expect(open().list()).toEqual([grant]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('[BRG-132] keeps a revoked grant revoked', () => {
  const book = open();
  const { grant_id } = book.add(PAY);
  book.revoke(grant_id);
  expect(open().list()).toEqual([]);
  book.add(PAY);
  book.revokeAll();
  expect(open().list()).toEqual([]);
});

test.each([
  'no json',
  '{}',
  '[7]',
  '[{"grant_id":"g","origin":"*","by":"x","covers":{"effect":"irreversible"}}]',
  '[{"grant_id":"g","origin":"https://a.example","by":"x","covers":{"effect":"everything"}}]',
  '[{"grant_id":"g","origin":"https://a.example","by":"x","covers":{"name":"a.b","effect":"act"},"expires_at":"never"}]',
])('[BRG-80] a file with %s permits nothing', (text) => {
  open().add(PAY);
  writeFileSync(file, text);
  expect(open().list()).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
