import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CHAT_PROTOCOL_VERSION } from '@drawbridge/protocol';
import { type RelayOptions, startRelay } from '@drawbridge/relay';
import { listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge, terminalOf } from '../../test/terminal.ts';
import { main } from '../main.ts';
import { openRunningRelay } from './local-relay.ts';

const U2028 = String.fromCodePoint(0x2028);

/** A relay with one session of a disconnected proxy. */
async function startWithSession(options: Partial<RelayOptions> = {}) {
  const data = temporaryFolder();
  const relay = await startRelay({ data, port: 0, ...options });
  onTestFinished(relay.close);
  const at = Date.now() - 2 * 86_400_000;
  const session_id = 'session_1';
  const metadata = { session_id, agent_type: 'codex', display_name: 'Shopping', status: 'disconnected' };
  const said = { do: 'append_event', session_id, type: 'message_event', at } as const;
  await relay.ledger.commit([
    { do: 'create_session', session_id, proxy_device_id: 'p', metadata, at },
    { ...said, event_id: 'e1', payload: { message: { content: `one${U2028}line` } } },
    { ...said, event_id: 'e2', payload: { message: { content: 'ü' } } },
  ]);
  const run = (...args: string[]) => drawbridge([...args, '--data', data]);
  return { data, relay, run };
}

test('lists sessions with their age', async () => {
  const { run } = await startWithSession();
  expect(await run('sessions')).toMatchObject({
    code: 0,
    text: [
      'Shopping\n  disconnected, began 2 days ago · 2 events\n  session_1',
      '1 session. --export copies one, --delete deletes it.',
      'Everything is kept forever.',
    ].join('\n'),
  });
  expect(JSON.parse((await run('sessions', '--json')).text)).toMatchObject({ session_id: 'session_1' });
});

test('invites a guest of one session, by its name', async () => {
  const { relay, run } = await startWithSession();
  const { code, text } = await run('pair', '--session', 'Shopping', '--name', 'Ada', '--json');
  expect(code).toBe(0);
  const { device_id, pair_url } = JSON.parse(text);
  const guest = (await relay.devices.list()).find((device) => device.device_id === device_id);
  expect(guest).toMatchObject({ label: 'Ada', roles: ['person'], scopes: ['session:session_1'] });
  const secret = new URL(pair_url).hash.replace('#pair=', '');
  const answer = await fetch(`${relay.url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, as: 'token' }),
  });
  expect(await answer.json()).toMatchObject({ scopes: ['session:session_1'] });
  expect((await run('pair', '--session', 'Cooking')).errors).toContain('No session is called "Cooking"');
  expect(await run('pair', '--session', 'Shopping', '--role', 'owner')).toMatchObject({ code: 2 });
});

test('exports to a new private file or to the terminal, line by line', async () => {
  const { data, run } = await startWithSession();
  const out = join(data, 'shopping.jsonl');
  const { code, text } = await run('sessions', '--export', 'Shopping', '--out', out);
  expect({ code, text }).toEqual({ code: 0, text: `Shopping is in ${out}, with 2 events.` });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const lines = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(4);
  expect(lines[1].payload.message.content).toBe(`one${U2028}line`);
  expect(lines.at(-1)).toEqual({ events: 2, hash: lines[2].hash });
  const printed = await run('sessions', '--export', 'session_');
  expect(printed.out.slice(1)).toEqual(lines.slice(1).map((line) => JSON.stringify(line)));
  const again = await run('sessions', '--export', 'Shopping', '--out', out);
  expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('Choose another --out') });
});

test('deletes only after a confirmation', async () => {
  const { data, relay, run } = await startWithSession();
  const unasked = await run('sessions', '--delete', 'Shopping');
  expect(unasked).toMatchObject({ code: 1, errors: expect.stringContaining('Add --yes') });
  const answer = async (typed: string) => {
    const { terminal, out, errors } = terminalOf('');
    const stdin = Object.assign(Readable.from([typed]), { isTTY: true });
    const code = await main(['sessions', '--delete', 'session_1', '--data', data], { ...terminal, stdin });
    return { code, text: out.join('\n'), errors: errors.join('\n') };
  };
  expect(await answer('y\n')).toMatchObject({
    code: 1,
    errors: 'Delete Shopping with 2 events? This can’t be undone. Type yes:\nNothing was deleted.',
  });
  expect(await relay.ledger.session('session_1')).toBeDefined();
  expect(await answer('yes\n')).toMatchObject({ code: 0, text: 'Shopping is deleted.' });
  expect(await relay.ledger.session('session_1')).toBeUndefined();
  const gone = await run('sessions', '--delete', 'Shopping', '--yes');
  expect(gone).toMatchObject({
    code: 1,
    errors: 'No session is called "Shopping". See: drawbridge sessions',
  });
});

test('sets and shows the retention', async () => {
  const { run } = await startWithSession();
  const line = 'Events older than 30 days are deleted within six hours.';
  expect(await run('sessions', '--retention', '30')).toMatchObject({ code: 0, text: line });
  expect((await run('sessions')).text).toContain(line);
  expect((await run('sessions', '--retention', 'forever', '--json')).text).toBe('{"retention_days":null}');
});

test('reaches a relay with TLS', async () => {
  const { run } = await startWithSession({ tls: 'self-signed' });
  expect(await run('sessions')).toMatchObject({ code: 0, text: expect.stringContaining('Shopping') });
  expect(await run('devices')).toMatchObject({ code: 0 });
});

test.each([['sessions'], ['halt']])('%s reports that no relay runs', async (command) => {
  const data = temporaryFolder();
  const words = `No relay runs with the folder ${data}. Start it: drawbridge up`;
  expect(await drawbridge([command, '--data', data])).toMatchObject({ code: 1, errors: words });
  // Left behind by a killed relay.
  const dead = { url: 'http://127.0.0.1:1', device_id: 'd', token: 't' };
  writeFileSync(join(data, 'owner.json'), JSON.stringify(dead));
  expect(await drawbridge([command, '--data', data])).toMatchObject({ code: 1, errors: words });
  expect(existsSync(join(data, 'ledger.db'))).toBe(false);
});

test('halt goes on trying while the relay does not answer, and never reports that none runs', async () => {
  let target: number | undefined;
  let tries = 0;
  const open = new Set<Socket>();
  const front = createServer((socket) => {
    socket.on('error', () => {});
    tries += 1;
    open.add(socket);
    if (target === undefined || tries < 3) return void socket.destroy();
    const relayed = connect(target, '127.0.0.1').on('error', () => {});
    socket.pipe(relayed).pipe(socket);
  });
  onTestFinished(() => void front.close());
  const port = await listenOnLoopback(front);
  const { data, relay, run } = await startWithSession({ hosts: [`127.0.0.1:${port}`] });
  target = relay.port;
  const file = join(data, 'owner.json');
  const owner = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...owner, url: `http://127.0.0.1:${port}` }));
  expect(await run('halt')).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/does not answer yet.* 30 s/),
  });
  target = undefined;
  for (const socket of open) socket.destroy();
  const silent = openRunningRelay(data, { waitMs: 1 });
  await expect(silent).rejects.toThrow('runs, but does not answer');
});

test.each([
  [['sessions', 'now'], 'Unexpected argument "now".'],
  [['sessions', '--export', 'a', '--delete', 'b'], 'Give only one of --export, --delete and --retention'],
  [['sessions', '--out', 'x'], '--out needs --export'],
  [['sessions', '--yes'], '--yes needs --delete'],
  [['sessions', '--retention', '0'], '--retention takes days, from 1 to 36500, or forever, not "0"'],
  [['halt', 'everything'], 'Unexpected argument "everything".'],
])('%j is wrong usage', async (args, words) => {
  const { code, errors } = await drawbridge(args);
  expect(code).toBe(2);
  expect(errors).toContain(words);
});

test('halt lists stopped agents, and exits with 1 if one did not stop', async () => {
  const { relay, run } = await startWithSession();
  const after =
    'The agents’ permissions are revoked. To give them back, open Tabs in the web app\nand press "Let agents read and act here".';
  expect(await run('halt')).toMatchObject({
    code: 0,
    text: `0 agents interrupted, 0 calls cancelled.\n${after}`,
  });

  const { token } = await relay.devices.mint({ roles: ['proxy'], label: 'Studio', by: 'machine' });
  const protocols = ['drawbridge', `bearer.${token}`];
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/ws/chat`, protocols);
  onTestFinished(() => socket.close());
  await once(socket, 'open');
  const send = (frame: object) =>
    socket.send(JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }));
  const listed = new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const { type, session_id, request_id } = JSON.parse(String(data));
      if (type === 'heartbeat_ack') resolve(undefined);
      if (type !== 'agent_interrupt') return;
      const error = { code: 'target_gone', message: 'Its window is gone.' };
      const outcome = session_id === 'works' ? { result: 'ok' } : { result: 'failed', error };
      send({ type: 'agent_control_result', session_id, request_id, command: type, ...outcome });
    });
  });
  send({ type: 'connection_hello', peer_role: 'proxy', client_name: 'test' });
  const ofAgent = { agent_type: 'codex', status: 'healthy' };
  send({
    type: 'proxy_session_snapshot',
    sessions: [
      { session_id: 'works', display_name: 'Worker', ...ofAgent },
      { session_id: 'stuck', display_name: 'Stuck\u001b[2J', ...ofAgent },
    ],
  });
  send({ type: 'heartbeat' });
  await listed;
  expect(await run('halt')).toMatchObject({
    code: 1,
    text: [
      '1 agent interrupted, 0 calls cancelled.',
      '  Worker',
      'Did not stop:',
      '  Stuck\\u{1b}[2J: Its window is gone.',
      after,
    ].join('\n'),
  });
});
