import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { CAN_MOUNT, mountSmallDisk } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';
import { invitationLines } from './invitation-words.ts';
import { outsideAddresses, phoneUrl } from './reach.ts';

/** Tests start child processes on a busy machine. */
async function startUp(data = temporaryFolder()) {
  const program = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data]);
  const first = await program.line(({ event }) => event === 'listening');
  return { data, program, url: String(first['url']), first };
}

/** Written a moment after the first line. */
const agentsToken = (data: string): Promise<string> =>
  vi.waitFor(() => JSON.parse(readFileSync(join(data, 'bridge.json'), 'utf8')).token, { timeout: 30_000 });

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });

test("first prints its address, a pairing link, and an owner's token", async () => {
  const { url, first, data } = await startUp();
  expect(first).toMatchObject({
    event: 'listening',
    pair_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{43}$/),
  });
  const me = await fetch(`${url}/api/me`, { headers: bearer(first['token']) });
  expect(await me.json()).toMatchObject({ roles: ['owner'] });
  expect(statSync(join(data, 'owner.json')).mode & 0o777).toBe(0o600);
});

test('pairs and lists a device, and disconnects it at once when revoked', async () => {
  const { url, data } = await startUp();
  const paired = await drawbridge(['pair', '--role', 'proxy', '--name', 'Studio', '--json', '--data', data]);
  const device: Record<string, string> = JSON.parse(paired.text);
  expect(device).toMatchObject({ role: 'proxy', pair_url: expect.stringContaining(`${url}/#pair=`) });

  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, [
    'drawbridge',
    `bearer.${device['token']}`,
  ]);
  await once(socket, 'open');
  expect((await drawbridge(['devices', '--data', data])).text).toContain(
    'Studio\n  proxy · last seen just now',
  );

  const closed = once(socket, 'close');
  const revoked = await drawbridge(['devices', '--revoke', 'Studio', '--data', data]);
  expect(revoked).toMatchObject({ code: 0, text: 'Studio is revoked. To let it in again: drawbridge pair' });
  expect(await closed).toMatchObject([{ code: 4401 }]);
  const again = await fetch(`${url}/api/me`, { headers: bearer(device['token']) });
  expect(again.status).toBe(401);
});

test('a program paired for the metrics reads them from elsewhere, and nothing else', async () => {
  const { url, data } = await startUp();
  const paired = await drawbridge(['pair', '--role', 'metrics', '--json', '--data', data]);
  const device: Record<string, string> = JSON.parse(paired.text);
  expect(Object.keys(device)).toEqual(['device_id', 'role', 'token']);
  const elsewhere = { ...bearer(device['token']), 'x-forwarded-for': '192.0.2.7' };
  const read = (path: string) => fetch(`${url}${path}`, { headers: elsewhere });
  expect(await (await read('/metrics')).text()).toContain('drawbridge_accepts_total');
  expect(await (await read('/api/sessions')).json()).toEqual({ sessions: [] });
  expect(await (await read('/api/devices')).json()).toMatchObject({ devices: [{ label: 'Metrics' }] });
  expect((await read('/api/runtimes')).status).toBe(403);
});

test('shows who let a device in, and revokes it with those it let in', async () => {
  const { url, first, data } = await startUp();
  const letIn = async (token: unknown, label: string) => {
    const body = JSON.stringify({ roles: ['owner'], label });
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const made = await fetch(`${url}/api/devices`, { method: 'POST', headers, body });
    return await made.json();
  };
  const phone = await letIn(first['token'], 'Phone');
  const tablet = await letIn(phone.token, 'Tablet');
  await letIn(tablet.token, 'Watch');
  await letIn(first['token'], 'Desk');
  await agentsToken(data);
  const devices = (...args: string[]) => drawbridge(['devices', ...args, '--data', data]);
  expect((await devices()).text).toMatch(/Tablet\n {2}owner · .* · let in by Phone\n/);
  expect((await devices('--revoke', 'Phone')).out).toEqual([
    'Phone is revoked. To let it in again: drawbridge pair',
    'It let in Tablet, Watch, not revoked. To revoke them too:',
    `  drawbridge devices --revoke ${phone.device_id} --with-theirs`,
  ]);
  const words = (await devices('--revoke', phone.device_id, '--with-theirs')).text;
  expect(words).toMatch(/^Tablet is revoked\..*\nWatch is revoked\.[^\n]*$/);
  const left = (await devices('--json')).out.map((line) => JSON.parse(line).label);
  expect(left.sort()).toEqual(['Agents of this machine', 'Desk', 'This machine']);
  expect((await devices('--revoke', phone.device_id, '--with-theirs')).text).toContain('already revoked');
});

test('local agents are one device across starts, unless revoked', async () => {
  const { data, program } = await startUp();
  const stop = async (started: typeof program) => {
    started.child.kill('SIGTERM');
    await started.exited;
  };
  const rows = async () => {
    const { out } = await drawbridge(['devices', '--all', '--json', '--data', data]);
    return out.map((line) => JSON.parse(line)).filter(({ label }) => label === 'Agents of this machine');
  };
  const token = await agentsToken(data);
  await stop(program);
  const second = await startUp(data);
  expect(await agentsToken(data)).toBe(token);
  expect(await rows()).toHaveLength(1);
  expect(statSync(join(data, 'agents-device.json')).mode & 0o777).toBe(0o600);
  await drawbridge(['devices', '--revoke', 'Agents of this machine', '--data', data]);
  await stop(second.program);
  await startUp(data);
  expect(await agentsToken(data)).not.toBe(token);
  expect((await rows()).map(({ revoked_at }) => revoked_at === null).sort()).toEqual([false, true]);
});

test('logs to a file that only its owner can read', async () => {
  const { data, program } = await startUp();
  program.child.kill('SIGTERM');
  await program.exited;
  const file = join(data, 'relay.log');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(
    expect.arrayContaining(['listening', 'stopping', 'stopped']),
  );
  expect(program.output.every(({ at }) => at === undefined)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.runIf(CAN_MOUNT)('on a full disk, starts by itself once there is room', async () => {
  const disk = mountSmallDisk(64);
  onTestFinished(() => disk[Symbol.dispose]());
  const { program } = await startUp(disk.folder);
  // After a kill the ledger opens even on a full disk.
  program.child.kill('SIGKILL');
  await program.exited;
  disk.fill();
  const args = ['up', '--no-browser', '--json', '--port', '0', '--data', disk.folder];
  const waiting = startProgram(args);
  const [told] = await once(waiting.child.stderr ?? process.stdin, 'data');
  expect(told).toContain('goes on by itself once there is room');
  disk.free();
  const { url } = await waiting.line(({ event }) => event === 'listening');
  await vi.waitFor(
    () => expect(JSON.parse(readFileSync(join(disk.folder, 'bridge.json'), 'utf8')).url).toBe(url),
    { timeout: 60_000 },
  );
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('stops cleanly, and keeps pairings for the next start', async () => {
  const { data, program } = await startUp();
  const made = await drawbridge(['pair', '--role', 'agent', '--name', 'Helper', '--json', '--data', data]);
  expect(Object.keys(JSON.parse(made.text)).sort()).toEqual(['device_id', 'role', 'token']);
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual([0, null]);
  expect(JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8'))).not.toHaveProperty('url');
  expect(existsSync(join(data, 'bridge.json'))).toBe(false);
  const listed = await drawbridge(['devices', '--json', '--data', data]);
  expect(listed.out.map((line) => JSON.parse(line).label)).toContain('Helper');
});

test('pairs a device while no relay runs, and reports that', async () => {
  const data = temporaryFolder();
  const paired = await drawbridge(['pair', '--data', data]);
  expect(paired.text).toMatch(/#pair=.*No relay runs\. Start it: drawbridge up/s);
  const extension = await drawbridge(['pair', '--role', 'extension', '--data', data]);
  expect(extension.text).toMatch(/^Paste this link into the extension's options .*\n {2}http:\S+#pair=\S+\n/);
  expect(extension.text).not.toContain('phone');
});

test.each([
  ['docs/self-host.md', 'relay.example.org'],
  ['docs/remote.md', 'studio.example-net.ts.net'],
])('behind the proxy of %s, it is reached as %s alone, by what the proxy forwards', async (page, name) => {
  const written = readFileSync(join(import.meta.dirname, '../../../..', page), 'utf8');
  const [, typed = ''] = new RegExp(`^drawbridge (up .*--behind-proxy ${name})$`, 'm').exec(written) ?? [];
  const data = temporaryFolder();
  const more = ['--no-browser', '--json', '--port', '0', '--data', data];
  const program = startProgram([...typed.split(' ').filter((each) => each !== '--no-browser'), ...more]);
  const first = await program.line(({ event }) => event === 'listening');
  expect(first['pair_url']).toMatch(new RegExp(`^https://${name}/#pair=`));
  /** As the proxy passes a request on. */
  const status = async (path: string, headers: Record<string, string>): Promise<number | undefined> => {
    const asked = request(`${first['url']}${path}`, { headers }).end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    return answer.statusCode;
  };
  const forwarded = { host: name, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
  expect(await status('/', forwarded)).toBe(200);
  expect(await status('/', { ...forwarded, host: 'other.example' })).toBe(403);
  expect(await status('/', { host: name })).toBe(403);
  expect(await status('/livez', { host: name })).toBe(200);
  expect((await drawbridge(['devices', '--data', data])).code).toBe(0);
});

test("a second relay on the same folder gets the first one's address", async () => {
  const { data } = await startUp();
  const second = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data]);
  await expect(second.line(({ event }) => event === 'listening')).rejects.toThrow('A relay runs with');
});

test.each([
  [
    ['up', '--host', '0.0.0.0', '--behind-proxy', 'x.example'],
    '--behind-proxy is for a proxy of this machine',
  ],
  [['up', '--cert', 'x.pem'], '--cert needs --key'],
  [['up', 'now'], 'Unexpected argument "now".'],
  [
    ['pair', '--role', 'king'],
    '--role is one of owner, person, proxy, runtime, agent, extension, metrics, not "king"',
  ],
  [['devices', '--rename', 'Phone'], '--rename needs --name'],
])('%j is wrong usage', async (args, words) => {
  const { code, errors } = await drawbridge(args);
  expect(code).toBe(2);
  expect(errors).toContain(words);
});

test('revokes nothing by a guess', async () => {
  const data = temporaryFolder();
  for (const _ of [1, 2]) await drawbridge(['pair', '--role', 'agent', '--json', '--data', data]);
  const { code, errors } = await drawbridge(['devices', '--revoke', 'Agent', '--data', data]);
  expect(code).toBe(1);
  expect(errors).toMatch(/^2 devices match "Agent"\. Give the id:\n {2}dev_\w+\n {2}dev_\w+$/);
});

test('prints a QR code only for an address that a phone can open', () => {
  const wifi = {
    lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
    wlan: [
      { address: 'fe80::1', family: 'IPv6', internal: false },
      { address: '192.168.1.7', family: 'IPv4', internal: false },
    ],
  };
  expect(outsideAddresses('0.0.0.0', wifi)).toEqual(['192.168.1.7']);
  expect(phoneUrl('http://127.0.0.1:7717', { host: '127.0.0.1' })).toBeUndefined();
  expect(phoneUrl('https://10.0.0.5:7717', { host: '10.0.0.5' })).toBe('https://10.0.0.5:7717');
  expect(phoneUrl('http://127.0.0.1:7717', { host: '127.0.0.1', proxyName: 'a.example' })).toBe(
    'https://a.example',
  );
  const words = (reachable: boolean) =>
    invitationLines(
      { pair_url: 'https://10.0.0.5:7717/#pair=x', expires_at: 0, reachable },
      { ...terminal, columns: 80 },
    ).join('\n');
  expect(words(true)).toMatch(/█/);
  expect(words(false)).not.toMatch(/█/);
  expect(words(false)).toContain('stop the relay (Ctrl-C)');
  expect(words(false)).toContain('npm start -- --host 0.0.0.0');
  expect(words(false)).toContain('drawbridge up --host 0.0.0.0');
});

const terminal = { stdin: process.stdin, print: () => {}, printError: () => {} };
