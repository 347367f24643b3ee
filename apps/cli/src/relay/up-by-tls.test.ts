import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectByTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectByTls } from 'node:tls';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';
import { connectPerson } from '../demo/person.ts';
import { certifiedNames, hostNames, phoneUrl } from './reach.ts';

/** An owner's certificate for `relay.test`. */
async function bringCertificate() {
  const data = temporaryFolder();
  const relay = await startRelay({ data, port: 0, tls: 'self-signed', hosts: ['relay.test'] });
  await relay.close();
  return { cert: join(data, 'tls', 'cert.pem'), key: join(data, 'tls', 'key.pem') };
}

async function startUp(...args: string[]) {
  const data = temporaryFolder();
  const program = startProgram([
    ...['up', '--no-browser', '--json', '--port', '0', '--host', '0.0.0.0', '--data', data],
    ...args,
  ]);
  const first = await program.line(({ event }) => event === 'listening');
  const plain = String(first['url']);
  const url = plain.replace('http:', 'https:');
  return { data, program, plain, url, pair_url: String(first['pair_url']), first };
}

/** Status of a request to this machine under another host name, with any certificate. */
const statusUnder = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/healthz`, { headers: { host }, rejectUnauthorized: false, agent: false });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end();
  });

test('the printed link works, with any port', async () => {
  const { url, pair_url } = await startUp();
  expect(await statusUnder(url, new URL(pair_url).host)).toBe(200);
  expect(hostNames({ host: '192.168.1.7', proxyName: 'a.example' })).toEqual(['192.168.1.7', 'a.example']);
});

test("with an owner's certificate, uses its names, and pair prints them", async () => {
  const { cert, key } = await bringCertificate();
  const { url, pair_url, first, data } = await startUp('--cert', cert, '--key', key);
  const { port } = new URL(url);
  expect(pair_url).toContain(`https://relay.test:${port}/#pair=`);
  expect(await statusUnder(url, `relay.test:${port}`)).toBe(200);
  expect(await statusUnder(url, `other.test:${port}`)).toBe(403);

  const paired = await drawbridge(['pair', '--data', data]);
  expect(paired.text).toContain(`  https://relay.test:${port}/#pair=`);
  expect(paired.text).toMatch(/█/);
  expect(paired.text.replaceAll(/\s/g, '')).toContain(first['fingerprint']);
  const asJson = await drawbridge(['pair', '--json', '--data', data]);
  expect(JSON.parse(asJson.text).pair_url).toContain(`https://relay.test:${port}/#pair=`);
  expect((await drawbridge(['devices', '--data', data])).text).toContain('This machine');
});

test('local tools identify the relay by its fingerprint, and report another program', async () => {
  const { data } = await startUp();
  expect((await drawbridge(['devices', '--data', data])).text).toContain('This machine');
  const file = join(data, 'owner.json');
  const owner = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...owner, fingerprint: 'AA:BB' }));
  for (const command of ['devices', 'pair', 'halt']) {
    const { code, errors } = await drawbridge([command, '--data', data]);
    expect(code).toBe(1);
    expect(errors).toMatch(/is not the relay of this folder: its certificate has the fingerprint .* AA:BB/);
  }
});

test("a program without TLS at the relay's address is not taken for a stopped relay", async () => {
  const other = await startRelay({ data: temporaryFolder(), port: 0 });
  onTestFinished(other.close);
  const data = temporaryFolder();
  const file = {
    url: other.url.replace('http:', 'https:'),
    device_id: 'dev_1',
    token: 't',
    fingerprint: 'AA',
  };
  writeFileSync(join(data, 'owner.json'), JSON.stringify(file));
  const { code, errors } = await drawbridge(['halt', '--data', data]);
  expect(code).toBe(1);
  expect(errors).toContain('is not the relay of this folder');
  await other.close();
  expect((await drawbridge(['halt', '--data', data])).errors).toContain('No relay runs');
});

test('lists the names of a certificate except wildcards', async () => {
  const { cert } = await bringCertificate();
  const names = certifiedNames(readFileSync(cert, 'utf8'));
  expect(names).toEqual(['localhost', '127.0.0.1', '[::1]', 'relay.test']);
  const url = 'https://127.0.0.1:7717';
  expect(phoneUrl(url, { host: '0.0.0.0', names })).toBe('https://relay.test:7717');
  expect(phoneUrl(url, { host: '127.0.0.1', names })).toBeUndefined();
});

test('names a file that is no certificate', async () => {
  const file = join(temporaryFolder(), 'x.pem');
  writeFileSync(file, 'nothing');
  const { code, errors } = await drawbridge([
    'up',
    '--cert',
    file,
    '--key',
    file,
    '--data',
    temporaryFolder(),
  ]);
  expect(code).toBe(1);
  expect(errors).toContain(`${file} is no certificate`);
});

/** A live view of a tab, which the test lends by the relay's own protocol, and an agent's MCP stream. */
async function openStreams(plain: string, data: string, headers: Readonly<Record<string, string>>) {
  const { token } = JSON.parse(
    (await drawbridge(['pair', '--json', '--role', 'runtime', '--data', data])).text,
  );
  const runtime = new WebSocket(`${plain.replace('http', 'ws')}/ws/runtime`, [
    'drawbridge',
    `bearer.${token}`,
  ]);
  onTestFinished(() => runtime.close());
  await once(runtime, 'open');
  const told = { runtime_id: 'tab', url: 'https://shop.example/', title: 'Shop' };
  runtime.send(JSON.stringify({ type: 'runtime_ready', ...told }));
  const viewed = () => fetch(`${plain}/api/runtimes/tab/view`, { headers });
  await expect.poll(async () => (await fetch(`${plain}/api/runtimes`, { headers })).text()).toContain('Shop');
  const hello = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const agent = JSON.parse((await drawbridge(['pair', '--json', '--role', 'agent', '--data', data])).text);
  const asAgent = {
    authorization: `Bearer ${agent.token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const begun = await fetch(`${plain}/mcp`, {
    method: 'POST',
    headers: asAgent,
    body: JSON.stringify(hello),
  });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  const streams = [
    await viewed(),
    await fetch(`${plain}/mcp`, { headers: { ...asAgent, ...session, accept: 'text/event-stream' } }),
  ];
  return streams.map(({ status, headers: answered }) => [status, answered.get('content-type')]);
}

test('ends on Ctrl-C with sockets open: without a handshake, idle, with half a request, and with streams', async () => {
  const { program, plain, url, data } = await startUp();
  const port = Number(new URL(url).port);
  const silent = connectByTcp(port, '127.0.0.1');
  const idle = connectByTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  const half = connectByTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect'), once(half, 'secureConnect')]);
  half.write('POST /api/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n');
  for (const socket of [silent, idle, half]) {
    socket.on('error', () => {}).resume();
    onTestFinished(() => void socket.destroy());
  }
  const { token } = JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8'));
  onTestFinished((await connectPerson(plain, token)).close);
  const stream = [200, expect.stringContaining('text/event-stream')];
  expect(await openStreams(plain, data, { authorization: `Bearer ${token}` })).toEqual([stream, stream]);
  program.child.kill('SIGINT');
  // The sockets stay open until the end of this test.
  await program.exited;
  expect(program.child.exitCode).toBe(0);
});

test('this machine goes on by plain http at the same port, and other machines need TLS', async () => {
  const { plain, url, first, data, pair_url } = await startUp();
  expect(plain).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(first['outside_url']).toBe(new URL(pair_url).origin);
  const token = JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8')).token;
  const headers = { authorization: `Bearer ${token}` };
  const here = await fetch(`${plain}/api/devices`, { headers });
  expect(here.status).toBe(200);
  expect((await fetch(plain.replace('127.0.0.1', 'localhost'))).status).toBe(200);
  expect(await statusUnder(url, new URL(url).host)).toBe(200);
  const outside = String(first['outside_url']).replace('https:', 'http:');
  const answer = await fetch(`${outside}/api/devices`, { headers });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('Put https:// in front of the address');
});

test('a person, a proxy and a waiting message outlast a restart that opens the relay to the network', async () => {
  const data = temporaryFolder();
  const args = ['up', '--no-browser', '--json', '--data', data];
  const before = startProgram([...args, '--port', '0']);
  const { url } = await before.line(({ event }) => event === 'listening');
  const { command } = scriptedAgent();
  const proxy = startProgram([
    ...['proxy', '--agent', `scripted=${JSON.stringify(command)}`, '--workspace', data],
    ...['--data', data, '--json'],
  ]);
  await proxy.line(({ event, state }) => event === 'relay' && state === 'open');
  const paired = await drawbridge(['pair', '--json', '--role', 'person', '--data', data]);
  const person = await connectPerson(String(url), JSON.parse(paired.text).token);
  onTestFinished(person.close);
  const { link } = person;
  const { session_id } = await link.request({ type: 'launch_session', agent_type: 'scripted' });

  before.child.kill('SIGINT');
  await before.exited;
  const { client_message_id, outcome } = link.sendMessage({ session_id, content: 'say hello' });
  const opened = startProgram([...args, '--port', new URL(String(url)).port, '--host', '0.0.0.0']);
  const after = await opened.line(({ event }) => event === 'listening');
  expect(after['url']).toBe(url);
  expect(await outcome).toEqual({ status: 'delivered' });
  await person.event('message_event', ({ message }) => message.content === 'hello');
  const deliveries = proxy.output.filter(({ event }) => event === 'delivery');
  expect(deliveries).toMatchObject([{ client_message_id, result: 'delivered' }]);
});
