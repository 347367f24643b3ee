import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { offerPath } from './path-offer.mjs';

const PROGRAM = join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs');

function terminal(answer: string, isTTY = true) {
  const folder = mkdtempSync(join(tmpdir(), 'offer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stdout = Object.assign(new PassThrough(), { isTTY });
  stdin.end(answer);
  const installs: string[] = [];
  const offer = async (env: Readonly<Record<string, string>> = { PATH: folder }) => {
    await offerPath({
      ...{ stdin, stdout, env, declined: join(folder, 'declined') },
      install: async () => installs.push('drawbridge path'),
    });
    return String(stdout.read() ?? '');
  };
  return { folder, offer, installs };
}

test('asks in a terminal, says what it would do, and does it on yes', async () => {
  const { offer, installs } = terminal('y\n');
  expect(await offer()).toMatch(/one link in ~\/\.local\/bin .* drawbridge path --remove deletes it/s);
  expect(await offer()).toBe('');
  expect(installs).toEqual(['drawbridge path']);
});

test('does nothing on anything else, and does not ask again', async () => {
  const { offer, installs } = terminal('\n');
  expect(await offer()).toContain('Not done. Later:');
  expect(await offer()).toBe('');
  expect(installs).toEqual([]);
});

test.each(['', '\x04'])('continues after the input ends, and after Ctrl-D', async (typed) => {
  const { offer, installs } = terminal(typed);
  expect(await offer()).toContain('Not done. Later:');
  expect(installs).toEqual([]);
});

test('asks nobody without a terminal, or when the command is there', async () => {
  expect(await terminal('y\n', false).offer()).toBe('');
  const { offer, folder } = terminal('y\n');
  symlinkSync(PROGRAM, join(folder, 'drawbridge'));
  expect(await offer({ PATH: `/nowhere:${folder}` })).toBe('');
});
