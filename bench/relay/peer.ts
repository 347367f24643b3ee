import { once } from 'node:events';
import { WebSocket } from 'ws';

export async function dial(url: string, token: string, localAddress?: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, 'drawbridge', {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    skipUTF8Validation: true,
    ...(localAddress !== undefined && { localAddress }),
  });
  await once(socket, 'open');
  return socket;
}

export function sendFrame(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify({ protocol_version: 1, ...frame }));
}

/** Sends a hello and waits for the last frame of the answer. */
export async function greet(
  socket: WebSocket,
  peer_role: 'browser' | 'proxy',
  more: object = {},
): Promise<void> {
  const greeted = nextFrame(socket, peer_role === 'browser' ? 'session_snapshot' : 'connection_ack');
  sendFrame(socket, { type: 'connection_hello', peer_role, client_name: 'bench', ...more });
  await greeted;
}

export async function nextFrame(socket: WebSocket, type: string): Promise<Buffer> {
  const mark = `"type":"${type}"`;
  return new Promise((resolve, reject) => {
    const listen = (data: Buffer) => {
      if (!data.includes(mark)) return;
      socket.off('message', listen);
      resolve(data);
    };
    socket.on('message', listen);
    socket.once('close', () => reject(new Error(`the relay hung up before ${type} came`)));
  });
}

/** Announces sessions, and accepts and reports sends to them until the socket closes. */
export async function announce(
  url: string,
  token: string,
  session_ids: readonly string[],
  onTaken: () => void = () => {},
): Promise<WebSocket> {
  const socket = await dial(url, token);
  await greet(socket, 'proxy');
  socket.on('message', (data: Buffer) => {
    if (!data.includes('"type":"send_message"')) return;
    onTaken();
    const { session_id, client_message_id, attempt } = JSON.parse(data.toString());
    sendFrame(socket, {
      type: 'proxy_send_result',
      session_id,
      client_message_id,
      attempt,
      result: 'delivered',
    });
  });
  const sessions = session_ids.map((session_id) => ({ session_id, agent_type: 'codex', status: 'healthy' }));
  sendFrame(socket, { type: 'proxy_session_snapshot', sessions });
  const settled = nextFrame(socket, 'heartbeat_ack');
  sendFrame(socket, { type: 'heartbeat' });
  await settled;
  return socket;
}

/** Sends an agent message that contains the time, from which watchers compute the latency. */
export function speak(proxy: WebSocket, session_id: string): void {
  sendFrame(proxy, {
    type: 'proxy_message',
    session_id,
    message: {
      role: 'assistant',
      content: `sent ${Date.now()} to all of you, with some words in it`,
      created_at: '2026-01-01T00:00:00.000Z',
    },
  });
}
