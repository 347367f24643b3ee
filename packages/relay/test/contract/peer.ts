import { once } from 'node:events';
import { CHAT_PROTOCOL_VERSION, type ChatFrame, type ChatFrameType, chat } from '@drawbridge/protocol';
import { WebSocket } from 'ws';
import type { Role } from '../../src/core/ports.ts';

export type FrameOf<Type extends ChatFrameType> = Extract<ChatFrame, { readonly type: Type }>;
export type Loose = Readonly<Record<string, unknown>>;

export interface Device {
  readonly device_id: string;
  readonly token: string;
  readonly role: Role;
}

/** One end of a real socket at `/ws/chat`. Every received frame is parsed by the protocol (CHT-261). */
export interface Peer {
  readonly device: Device | undefined;
  /** All received frames, in order. */
  readonly frames: readonly ChatFrame[];
  readonly texts: readonly string[];
  /** Adds a missing `protocol_version` to an object; sends a text unchanged. */
  readonly send: (frame: Loose | string) => void;
  /** Waits for the oldest frame of that type with these fields that was not taken yet. */
  readonly next: <Type extends ChatFrameType>(type: Type, fields?: Loose) => Promise<FrameOf<Type>>;
  /** All received frames of that type. */
  readonly all: <Type extends ChatFrameType>(type: Type) => readonly FrameOf<Type>[];
  /** Frames about a session, in order. */
  readonly about: (session_id: string) => readonly ChatFrame[];
  /** Resolves when everything sent so far was handled, by a heartbeat's round trip. */
  readonly settled: () => Promise<void>;
  /** Called for each frame from now on. */
  readonly onFrame: (listener: (frame: ChatFrame) => void) => void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly isClosed: () => boolean;
  /** Drops the connection without a close frame. */
  readonly cut: () => Promise<void>;
}

/** Shorter than the test timeout, so that a missing frame is reported with the received ones. */
export const TIMEOUT_MS = 20_000;

export async function openPeer(
  url: string,
  device: Device | undefined,
  isNoise: (frame: ChatFrame) => boolean,
  /** Runs in each round trip where the peer's node asks another one. */
  between?: () => Promise<void>,
): Promise<Peer> {
  const headers = device === undefined ? { origin: url } : { authorization: `Bearer ${device.token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/chat`, 'drawbridge', {
    headers,
    // The relay's certificate is self-made.
    rejectUnauthorized: false,
  });
  const frames: ChatFrame[] = [];
  const texts: string[] = [];
  const untaken = new Set<ChatFrame>();
  const looks = new Set<() => void>();
  const listeners = new Set<(frame: ChatFrame) => void>();
  const lookAgain = (): void => {
    for (const look of [...looks]) look();
  };
  let beats = 0;

  socket.on('message', (data) => {
    const text = String(data);
    const frame = chat.parse(text);
    if (isNoise(frame)) return;
    texts.push(text);
    frames.push(frame);
    untaken.add(frame);
    for (const listener of listeners) listener(frame);
    lookAgain();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) });
      lookAgain();
    });
  });
  await once(socket, 'open');

  const send = (frame: Loose | string): void =>
    socket.send(
      typeof frame === 'string'
        ? frame
        : JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }),
    );
  const isClosed = (): boolean => socket.readyState === socket.CLOSED;

  const next = <Type extends ChatFrameType>(type: Type, fields: Loose = {}): Promise<FrameOf<Type>> =>
    new Promise((resolve, reject) => {
      const fits = (frame: ChatFrame): frame is FrameOf<Type> => frame.type === type && has(frame, fields);
      const giveUp = (why: string): void => {
        done();
        const came = frames.map((frame) => frame.type).join(', ');
        reject(new Error(`${why} before ${type} ${JSON.stringify(fields)} came. Came: ${came}`));
      };
      const deadline = setTimeout(() => giveUp('Too much time passed'), TIMEOUT_MS);
      const done = (): void => {
        clearTimeout(deadline);
        looks.delete(look);
      };
      const look = (): void => {
        const found = [...untaken].find(fits);
        if (found === undefined) {
          if (isClosed()) giveUp('The socket closed');
          return;
        }
        untaken.delete(found);
        done();
        resolve(found);
      };
      looks.add(look);
      look();
    });

  return {
    device,
    frames,
    texts,
    send,
    next,
    all: (type) => frames.filter((frame): frame is FrameOf<typeof type> => frame.type === type),
    about: (session_id) => frames.filter((frame) => sessionOf(frame) === session_id),
    settled: async () => {
      await between?.();
      beats += 1;
      const request_id = `settled_${beats}`;
      send({ type: 'heartbeat', request_id });
      await next('heartbeat_ack', { request_id });
    },
    onFrame: (listener) => {
      listeners.add(listener);
    },
    closed,
    isClosed,
    cut: async () => {
      socket.terminate();
      await closed;
    },
  };
}

/** True when every expected field is there, at any depth. */
export function has(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  return (
    typeof actual === 'object' &&
    actual !== null &&
    Object.entries(expected).every(([key, value]) => has(Reflect.get(actual, key), value))
  );
}

export function sessionOf(frame: ChatFrame): string | undefined {
  if (frame.type === 'session_up') return frame.session.session_id;
  return 'session_id' in frame ? frame.session_id : undefined;
}
