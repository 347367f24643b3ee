import type { ChatFrame } from '@drawbridge/protocol';
import { createFakeClock, createSocketPair, type PairedSocket } from '@drawbridge/testbed';
import type { ChatEvent, ChatLink, ChatProblem, ChatState, Resumed } from '../../src/chat/chat-link.ts';
import type { ChatOptions } from '../../src/chat/chat-options.ts';
import { connectChat } from '../../src/chat/connect-chat.ts';
import type { SocketLike } from '../../src/socket-like.ts';
import { type ModelOptions, ModelRelay } from './model-relay.ts';

/** A link and a model relay on a fake clock. */
export function setUpChat(model: ModelOptions = {}) {
  const fake = createFakeClock(1_000_000);
  const relay = new ModelRelay(model);
  const pairs: Array<ReturnType<typeof createSocketPair>> = [];
  const offered: string[][] = [];
  const dials = { answered: true, opens: true, bufferedAmount: 0 };
  const open = (_url: string, protocols: string[]): SocketLike => {
    const pair = createSocketPair();
    pairs.push(pair);
    offered.push(protocols);
    if (dials.answered) {
      const peer = relay.connect(pair.b);
      pair.b.onMessage(peer.receive);
      pair.b.onClose(peer.closed);
    }
    if (!dials.opens) pair.cut();
    return socketOf(pair.a, dials);
  };
  const settle = async () => {
    do await fake.advanceAsync(0);
    while (pairs.reduce((sum, pair) => sum + pair.flush(), 0) > 0);
    await fake.advanceAsync(0);
  };
  const pass = async (ms: number, step = 250) => {
    for (let left = ms; left > 0; left -= step) {
      await fake.advanceAsync(Math.min(step, left));
      await settle();
    }
  };
  const connect = (options: Partial<ChatOptions> = {}) => {
    const link = connectChat({
      url: 'ws://relay/ws/chat',
      peer_role: 'browser',
      client_name: 'test',
      clock: fake,
      open,
      backoff: { minMs: 1_000, maxMs: 8_000, random: () => 0 },
      ...options,
    });
    return { link, heard: receiveChat(link) };
  };
  /** Breaks the connection and waits for the reconnect. */
  const reconnect = async () => {
    pairs.at(-1)?.cut();
    await settle();
    await pass(500);
  };
  return { fake, relay, pairs, offered, dials, settle, pass, connect, reconnect };
}

function socketOf(socket: PairedSocket, dials: { readonly opens: boolean; readonly bufferedAmount: number }) {
  return {
    protocol: '',
    get readyState() {
      return socket.readyState;
    },
    get bufferedAmount() {
      return dials.bufferedAmount;
    },
    send: (text: string) => socket.send(text),
    close: (code?: number, reason?: string) => socket.close(code, reason),
    addEventListener: (
      type: string,
      listener: (event: { data: unknown; code: number; reason: string }) => void,
    ) => {
      const event = { data: '', code: 0, reason: '' };
      if (type === 'open' && dials.opens) queueMicrotask(() => listener(event));
      if (type === 'message') socket.onMessage((data) => listener({ ...event, data }));
      if (type === 'close') socket.onClose((code, reason) => listener({ ...event, code, reason }));
    },
  };
}

export interface ReceivedChat {
  readonly events: readonly ChatEvent[];
  readonly frames: readonly ChatFrame[];
  readonly states: readonly ChatState[];
  readonly resumed: readonly Resumed[];
  readonly problems: readonly ChatProblem[];
  /** `events` and `history_snapshot`s in order, as `session sequence` and `session snapshot`. */
  readonly log: readonly string[];
  /** Resolves when the condition holds, checked after each event of the link. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

export function receiveChat(link: ChatLink): ReceivedChat {
  const events: ChatEvent[] = [];
  const frames: ChatFrame[] = [];
  const states: ChatState[] = [link.state];
  const resumed: Resumed[] = [];
  const problems: ChatProblem[] = [];
  const log: string[] = [];
  let waiting: Array<{ readonly holds: () => boolean; readonly done: () => void }> = [];
  const into =
    <Value>(list: Value[]) =>
    (value: Value) => {
      list.push(value);
      waiting = waiting.filter(({ holds, done }) => {
        if (!holds()) return true;
        done();
        return false;
      });
    };
  link.onEvent((event) => {
    const session_id = event.type === 'session_up' ? event.session.session_id : event.session_id;
    log.push(`${session_id} ${event.sequence}`);
    into(events)(event);
  });
  link.onFrame((frame) => {
    if (frame.type === 'history_snapshot') log.push(`${frame.session_id} snapshot ${frame.last_sequence}`);
    into(frames)(frame);
  });
  link.onState(into(states));
  link.onResumed(into(resumed));
  link.onProblem(into(problems));
  const until = (holds: () => boolean) =>
    holds() ? Promise.resolve() : new Promise<void>((done) => waiting.push({ holds, done }));
  return { events, frames, states, resumed, problems, log, until };
}

export const sequences = (heard: ReceivedChat, session_id: string): number[] =>
  heard.events.flatMap((event) =>
    event.type !== 'session_up' && event.session_id === session_id ? [event.sequence] : [],
  );
