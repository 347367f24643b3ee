import { once } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
type EventParams<Event extends keyof Events> = Events[Event] extends [infer Given] ? Given : undefined;
type Params<Method extends keyof Commands> = Commands[Method]['paramsType'];
type Result<Method extends keyof Commands> = Commands[Method]['returnType'];

/** One target's session of a DevTools connection. */
export interface CdpSession {
  send<Method extends keyof Commands>(method: Method, ...params: Params<Method>): Promise<Result<Method>>;
  /** Returns a function that removes the listener. */
  on<Event extends keyof Events>(event: Event, listener: (params: EventParams<Event>) => void): () => void;
}

export interface CdpConnection extends CdpSession {
  session(sessionId: string): CdpSession;
  close(): void;
}

interface Waiting {
  readonly method: string;
  resolve(result: never): void;
  reject(error: Error): void;
}

interface Message {
  readonly id?: number;
  readonly result?: never;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: never;
  readonly sessionId?: string;
}

/** A raw DevTools connection with flat sessions, to add as little overhead as possible. */
export async function connectCdp(url: string): Promise<CdpConnection> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(params: never) => void>>();
  let sent = 0;

  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data));
    if (message.id === undefined) {
      for (const listener of listeners.get(`${message.sessionId ?? ''} ${message.method}`) ?? [])
        if (message.params !== undefined) listener(message.params);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error !== undefined) call?.reject(new Error(`${call.method}: ${message.error.message}`));
    else if (message.result !== undefined) call?.resolve(message.result);
  });
  socket.addEventListener('close', () => {
    for (const { reject, method } of waiting.values()) reject(new Error(`${method}: the connection closed.`));
    waiting.clear();
  });

  const session = (sessionId?: string): CdpSession => ({
    send: (method, params?: unknown) =>
      new Promise((resolve, reject) => {
        const id = ++sent;
        waiting.set(id, { method, resolve, reject });
        socket.send(JSON.stringify({ id, method, params, sessionId }));
      }),
    on(event, listener) {
      const key = `${sessionId ?? ''} ${event}`;
      const known = listeners.get(key) ?? new Set();
      listeners.set(key, known.add(listener));
      return () => known.delete(listener);
    },
  });

  return { ...session(), session, close: () => socket.close() };
}
