import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createSecureServer, get } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { useCluster } from '../../test/cluster/use-cluster.ts';
import { sendOf } from '../../test/contract/frames.ts';
import { startProxy } from '../../test/contract/scripted-proxy.ts';
import { upgradeStatus } from '../../test/server/test-relay.ts';
import { type Certificate, certificateOf } from '../server/tls.ts';

/** A certificate of one test. */
async function newCertificate(): Promise<Certificate> {
  const data = await mkdtemp(join(tmpdir(), 'certificate-'));
  const made = await certificateOf('self-signed', { data, names: ['127.0.0.1'], now: Date.now() });
  await rm(data, { recursive: true });
  return made;
}

/** Address of the leader for the other nodes; leads to the leader or to an impostor. */
async function openTunnel() {
  let port: number | undefined;
  const open = new Set<Socket>();
  const tunnel = createServer((near) => {
    const far = connect(port ?? 0, '127.0.0.1');
    for (const end of [near, far]) {
      open.add(end);
      end.on('error', () => {});
      end.on('close', () => open.delete(end));
    }
    near.pipe(far).pipe(near);
  });
  const url = `https://127.0.0.1:${await listenOnLoopback(tunnel)}`;
  const leadTo = (to: number): void => {
    port = to;
    for (const end of open) end.destroy();
  };
  return { url, leadTo, close: () => void tunnel.close() };
}

const certificates = [await newCertificate(), await newCertificate(), await newCertificate()];
const tunnel = await openTunnel();
afterAll(tunnel.close);
const { node, at, device } = useCluster(3, (number) => ({
  ...(certificates[number] && { tls: certificates[number] }),
  ...(number === 0 && { nodeUrl: tunnel.url }),
}));

async function ask(number: number, path: string, token = '') {
  const headers = { authorization: `Bearer ${token}` };
  const [response] = await once(
    get(`${node(number).url}${path}`, { headers, rejectUnauthorized: false, agent: false }),
    'response',
  );
  return { status: response.statusCode, text: await text(response) };
}

test('three nodes with self-made certificates are one relay', async () => {
  tunnel.leadTo(node(0).port);
  expect(new Set([0, 1, 2].map((number) => node(number).fingerprint)).size).toBe(3);
  const { token } = await device('person');
  for (const number of [0, 1, 2]) expect(await ask(number, '/api/me', token)).toMatchObject({ status: 200 });
  const people = [await at(0).connect('person'), await at(1).connect('person')];
  await startProxy(at(2), { sessions: [['sealed', 'Sealed']] });
  for (const person of people) await person.next('session_up', { session: { session_id: 'sealed' } });
  people[1]?.send(sendOf('sealed', 'm1', { content: 'hello' }));
  for (const person of people) {
    await person.next('message_delivered', { client_message_id: 'm1' });
    await person.next('message_event', { message: { content: 'You said: hello' } });
  }
  expect((await ask(2, '/metrics')).text).toMatch(/proxied_requests_total\{kind="upgrade"\} [1-9]/);
});

test('sends nothing to an impostor at the leader’s address with another certificate', async () => {
  const received: string[] = [];
  const impostor = createSecureServer(await newCertificate(), ({ url }, response) => {
    received.push(url ?? '');
    response.end();
  });
  impostor.on('upgrade', ({ url }, socket) => {
    received.push(url ?? '');
    socket.destroy();
  });
  const port = await listenOnLoopback(impostor);
  onTestFinished(() => void impostor.close());
  const { token } = await device('person');
  const proxy = await device('proxy');

  tunnel.leadTo(port);
  for (const number of [1, 2]) expect(await ask(number, '/api/me', token)).toMatchObject({ status: 503 });
  const headers = { authorization: `Bearer ${proxy.token}` };
  expect(await upgradeStatus(node(1).url, '/ws/chat', { headers, rejectUnauthorized: false })).toBe(503);
  expect(received).toEqual([]);

  tunnel.leadTo(node(0).port);
  for (const number of [1, 2]) expect(await ask(number, '/api/me', token)).toMatchObject({ status: 200 });
});
