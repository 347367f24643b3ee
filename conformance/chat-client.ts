import { type ChatFrame, type ChatFrameType, chat } from '@drawbridge/protocol';

type FrameOf<Type extends ChatFrameType> = Extract<ChatFrame, { readonly type: Type }>;

/** A person's client of the chat protocol. */
export interface ChatClient {
  readonly frames: readonly ChatFrame[];
  readonly send: (frame: { readonly type: ChatFrameType; readonly [key: string]: unknown }) => void;
  /** The first matching frame of that type that was not yet consumed. */
  readonly next: <Type extends ChatFrameType>(
    type: Type,
    fits?: (frame: FrameOf<Type>) => boolean,
  ) => Promise<FrameOf<Type>>;
  readonly close: () => void;
}

const LIMIT_MS = 120_000;

export async function openChat(url: string, token: string): Promise<ChatClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, ['drawbridge', `bearer.${token}`]);
  const frames: ChatFrame[] = [];
  const taken = new Set<ChatFrame>();
  const waiting = new Set<() => void>();
  let closed: number | undefined;
  socket.addEventListener('message', ({ data }) => {
    frames.push(chat.parse(String(data)));
    for (const look of [...waiting]) look();
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`${url} does not answer.`)));
  });
  const send: ChatClient['send'] = (frame) => socket.send(JSON.stringify({ protocol_version: 1, ...frame }));
  const next: ChatClient['next'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const last = frames
          .filter((frame) => frame.type !== 'heartbeat_ack')
          .slice(-12)
          .map((frame) => JSON.stringify(frame).slice(0, 600));
        reject(new Error(`No ${type} came in ${LIMIT_MS} ms. The last that came:\n${last.join('\n')}`));
      }, LIMIT_MS);
      // An abandoned wait does not keep the process alive.
      timer.unref();
      const isIt = (frame: ChatFrame): frame is FrameOf<typeof type> =>
        frame.type === type && !taken.has(frame);
      const look = (): void => {
        const found = frames.filter(isIt).find(fits);
        if (found === undefined && closed === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        if (found === undefined) {
          reject(new Error(`The relay closed the connection (${closed}) before ${type} came.`));
          return;
        }
        taken.add(found);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  send({ type: 'connection_hello', peer_role: 'browser', client_name: 'conformance' });
  const { heartbeat_interval_ms } = await next('connection_ack');
  // CHT-112: the relay closes idle connections, and an agent may take longer than that to start.
  const beat = setInterval(() => send({ type: 'heartbeat' }), heartbeat_interval_ms);
  socket.addEventListener('close', ({ code }) => {
    clearInterval(beat);
    closed = code;
    for (const look of [...waiting]) look();
  });
  return { frames, send, next, close: () => socket.close() };
}
