import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelay } from '@drawbridge/relay';
import { walkedFunctions } from './coverage.ts';

const SESSION = 'walked';
const WARM_UP = 20;

type Fields = Readonly<Record<string, unknown>>;

/** One chat send on a relay with SQLite, one person and one proxy, until the person has `message_delivered`. */
export async function walkSend() {
  await using closing = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'walks-'));
  closing.defer(() => rm(data, { recursive: true, force: true }));
  const relay = await startRelay({ port: 0, data, log: () => {} });
  closing.defer(relay.close);
  const connect = async (role: 'person' | 'proxy') => {
    const { token } = await relay.devices.mint({ roles: [role], scopes: [], label: role, by: 'machine' });
    const peer = await openPeer(`${relay.url.replace('http', 'ws')}/ws/chat`, token);
    const peer_role = role === 'proxy' ? 'proxy' : 'browser';
    peer.send({ type: 'connection_hello', peer_role, client_name: 'walks' });
    await peer.next('connection_ack');
    return peer;
  };
  const proxy = await connect('proxy');
  proxy.answer('send_message', ({ session_id, client_message_id, attempt }) => ({
    ...{ type: 'proxy_send_result', session_id, client_message_id, attempt },
    result: 'delivered',
  }));
  const sessions = [{ session_id: SESSION, agent_type: 'codex', status: 'healthy' }];
  proxy.send({ type: 'proxy_session_snapshot', sessions });
  proxy.send({ type: 'heartbeat' });
  await proxy.next('heartbeat_ack');
  const person = await connect('person');
  let sent = 0;
  const walk = async (): Promise<void> => {
    sent += 1;
    const delivered = person.next('message_delivered');
    person.send({
      ...{ type: 'send_message', session_id: SESSION, client_message_id: `walk_${sent}` },
      ...{ content: 'Take the shorter way.', created_at: new Date().toISOString() },
    });
    await delivered;
  };
  for (let n = 0; n < WARM_UP; n += 1) await walk();
  return await walkedFunctions(walk);
}

async function openPeer(url: string, token: string) {
  const socket = new WebSocket(url, ['drawbridge', `bearer.${token}`]);
  const send = (frame: Fields): void => socket.send(JSON.stringify({ protocol_version: 1, ...frame }));
  const listen = (type: string, run: (frame: Fields) => void, options?: AddEventListenerOptions): void =>
    socket.addEventListener(
      'message',
      ({ data }) => {
        const frame: Fields = JSON.parse(String(data));
        if (frame['type'] === type) run(frame);
      },
      options,
    );
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return {
    send,
    answer: (type: string, answerTo: (frame: Fields) => Fields): void =>
      listen(type, (frame) => send(answerTo(frame))),
    next: (type: string): Promise<Fields> => {
      const stop = new AbortController();
      return new Promise((resolve) => {
        listen(
          type,
          (frame) => {
            stop.abort();
            resolve(frame);
          },
          { signal: stop.signal },
        );
      });
    },
  };
}
