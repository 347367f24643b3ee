import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectChat } from '@drawbridge/link/chat';
import { type RelayOptions, startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge, terminalOf } from '../../test/terminal.ts';
import { main } from '../main.ts';
import { certificateCheck, ledgerCheck } from './folder-checks.ts';
import { diskCheck, nodeCheck } from './machine-checks.ts';

type Told = { readonly about: string; readonly status: string; readonly what: string; readonly fix?: string };

async function printed(data: string, ...more: readonly string[]) {
  const { code, out } = await drawbridge(['doctor', '--no-browser', '--json', '--data', data, ...more]);
  const findings = out.map((line): Told => JSON.parse(line));
  return { code, findings, of: (about: string) => findings.find((one) => one.about === about) };
}

async function startAt(data: string, options: Partial<RelayOptions> = {}) {
  const relay = await startRelay({ data, port: 0, env: {}, ...options });
  onTestFinished(relay.close);
  await relay.devices.listening(relay.url, {});
  return relay;
}

test('checks a running relay, and finds nothing wrong', async () => {
  const data = temporaryFolder();
  chmodSync(data, 0o700);
  const relay = await startAt(data);
  const { code, findings, of } = await printed(data);
  expect({ code, bad: findings.filter(({ status }) => status === 'bad') }).toEqual({ code: 0, bad: [] });
  expect(of('relay')).toMatchObject({ status: 'ok', what: expect.stringContaining(relay.url) });
  expect(of('ledger')).toMatchObject({ status: 'ok', what: expect.stringContaining('whole') });
  for (const about of ['node', 'folder', 'disk', 'push', 'clock']) expect(of(about)?.status).toBe('ok');
  expect(of('model')).toMatchObject({ status: 'note', fix: expect.stringContaining('Settings') });
  expect(of('agents')).toMatchObject({
    status: 'note',
    fix: expect.stringContaining('drawbridge proxy doctor'),
  });
});

test('sees a connected proxy', async () => {
  const data = temporaryFolder();
  const relay = await startAt(data);
  const { token } = await relay.devices.mint({ roles: ['proxy'], label: 'Laptop', by: 'machine' });
  const url = `${relay.url.replace('http', 'ws')}/ws/chat`;
  const link = connectChat({ url, token, peer_role: 'proxy', client_name: 'test', machine_label: 'Laptop' });
  onTestFinished(() => link.close());
  await expect.poll(() => link.state.kind).toBe('open');
  expect((await printed(data)).of('agents')).toMatchObject({
    status: 'ok',
    what: expect.stringContaining('1 machine'),
  });
});

test('without a relay, reports obstacles with fixes', async () => {
  const data = temporaryFolder();
  chmodSync(data, 0o755);
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  writeFileSync(join(data, 'notices.json'), '{"push":{"public_key":"x"}}');
  const { code, of } = await printed(data, '--port', String(port));
  expect(code).toBe(1);
  expect(of('folder')).toMatchObject({ status: 'bad', fix: `chmod 700 ${data}` });
  expect(of('relay')).toMatchObject({ status: 'bad', fix: expect.stringContaining('--port 0') });
  expect(of('push')).toMatchObject({ status: 'bad', fix: expect.stringContaining('Remove it') });
  chmodSync(data, 0o700);
  chmodSync(join(data, 'notices.json'), 0o644);
  expect((await printed(data)).of('folder')).toMatchObject({
    fix: `chmod 600 ${join(data, 'notices.json')}`,
  });
});

test('a folder that cannot be created ends its checks', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { code, findings } = await printed(join(file, 'data'));
  expect(code).toBe(1);
  expect(findings.map(({ about }) => about)).toEqual(['node', 'folder']);
});

test('reads a ledger unless it is large, and reports damage', async () => {
  const data = temporaryFolder();
  expect((await ledgerCheck(data)).status).toBe('note');
  const relay = await startRelay({ data, port: 0, env: {} });
  await relay.close();
  expect((await ledgerCheck(data)).status).toBe('ok');
  expect((await ledgerCheck(data, 10)).fix).toContain('ledger verify');
  const path = join(data, 'ledger.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, 5_000));
  expect(await ledgerCheck(data)).toMatchObject({ status: 'bad', fix: expect.stringContaining('backup') });
});

test('reports how long a certificate is valid', async () => {
  const data = temporaryFolder();
  expect(await certificateCheck(data, Date.now())).toEqual([]);
  await startAt(data, { tls: 'self-signed' });
  const day = 86_400_000;
  const at = async (days: number) => (await certificateCheck(data, Date.now() + days * day))[0]?.status;
  expect([await at(0), await at(800), await at(900)]).toEqual(['ok', 'note', 'bad']);
  mkdirSync(join(data, 'tls'), { recursive: true });
  writeFileSync(join(data, 'tls/cert.pem'), 'nonsense');
  expect(await at(0)).toBe('bad');
});

test('reports an old Node and a full disk', async () => {
  expect(nodeCheck('20.1.0')).toMatchObject({ status: 'bad', fix: expect.stringContaining('nodejs.org') });
  expect(await diskCheck(temporaryFolder(), Number.MAX_VALUE)).toMatchObject({ status: 'bad' });
});

test('every line fits a terminal of 40 columns', async () => {
  const data = temporaryFolder();
  const { terminal, out } = terminalOf('');
  await main(['doctor', '--no-browser', '--data', data], { ...terminal, columns: 40 });
  const words = out.flatMap((text) => text.split('\n')).filter((line) => !line.includes(data));
  expect(words.length).toBeGreaterThan(8);
  for (const line of words) expect(line.length, line).toBeLessThanOrEqual(40);
});
