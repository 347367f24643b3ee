import { type ChatFrame, chat } from '@drawbridge/protocol';
import type { Line, Side } from './line.ts';
import type { SimulationContext } from './simulation-context.ts';

export type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>;

export const V1 = { protocol_version: 1 } as const;

export interface LogEntry {
  readonly order: number;
  readonly at: number;
  /** Number of the peer's connection, from 1. */
  readonly connection: number;
  readonly direction: 'in' | 'out';
  readonly frame: ChatFrame;
}

/** All frames that a peer sent and received, and those it could not parse. */
export interface PeerLog {
  readonly name: string;
  readonly entries: LogEntry[];
  readonly unreadable: string[];
}

export interface PeerOptions {
  readonly name: string;
  readonly dial: () => Line | undefined;
  readonly hello: () => FrameOf<'connection_hello'>;
  readonly onFrame: (frame: ChatFrame) => void;
  readonly onDown: () => void;
}

/** Common client behaviour: hello, heartbeats, idle timeout, reconnect. */
export interface Peer {
  readonly log: PeerLog;
  readonly connection: () => number;
  readonly isReady: () => boolean;
  readonly start: () => void;
  /** Ends the process; the relay may or may not notice. */
  readonly stop: (hears: readonly Side[]) => void;
  /** False without an acknowledged connection. */
  readonly send: (frame: ChatFrame) => boolean;
  readonly line: () => Line | undefined;
}

const RETRY_MS = 2_000;

export function createPeer(context: SimulationContext, options: PeerOptions): Peer {
  const { name } = options;
  const log: PeerLog = { name, entries: [], unreadable: [] };
  let connection = 0;
  let line: Line | undefined;
  let ready = false;
  let wanted = false;
  let heardAt = 0;

  const write = (direction: 'in' | 'out', frame: ChatFrame): void => {
    log.entries.push({ order: context.order(), at: context.now(), connection, direction, frame });
  };

  const put = (frame: ChatFrame): void => {
    write('out', frame);
    const text = JSON.stringify(frame);
    context.trace(name, 'says', text);
    line?.client.send(text);
  };

  const comeBack = (): void => {
    context.after(context.random.int(1, RETRY_MS), connect);
  };

  const down = (mine: number): void => {
    if (mine !== connection || line === undefined) return;
    context.trace(name, 'is down');
    line = undefined;
    ready = false;
    options.onDown();
    if (wanted) comeBack();
  };

  const receive = (text: string): void => {
    heardAt = context.now();
    context.trace(name, 'hears', text);
    let frame: ChatFrame;
    try {
      frame = chat.parse(text);
    } catch (error) {
      log.unreadable.push(`${error}: ${text}`);
      return;
    }
    write('in', frame);
    if (frame.type === 'connection_ack') {
      ready = true;
      beat(connection, frame.heartbeat_interval_ms, frame.heartbeat_timeout_ms);
    }
    options.onFrame(frame);
  };

  const beat = (mine: number, interval_ms: number, timeout_ms: number): void => {
    context.after(interval_ms, () => {
      if (mine !== connection || line === undefined) return;
      if (context.now() - heardAt > timeout_ms) {
        line.cut(context.random.chance(0.5) ? ['relay'] : []);
        down(mine);
        return;
      }
      if (ready) put({ type: 'heartbeat', ...V1 });
      beat(mine, interval_ms, timeout_ms);
    });
  };

  const connect = (): void => {
    if (!wanted || line !== undefined) return;
    line = options.dial();
    if (line === undefined) {
      comeBack();
      return;
    }
    connection += 1;
    const mine = connection;
    heardAt = context.now();
    line.client.onText((text) => {
      if (mine === connection && line !== undefined) receive(text);
    });
    line.client.onClose(() => down(mine));
    put(options.hello());
    // Default until the acknowledgement sets the interval: a relay may be gone without a close.
    context.after(10_000, () => {
      if (mine !== connection || line === undefined || ready) return;
      line.cut(['relay']);
      down(mine);
    });
  };

  return {
    log,
    connection: () => connection,
    isReady: () => ready,
    start: () => {
      wanted = true;
      connect();
    },
    stop: (hears) => {
      wanted = false;
      line?.cut(hears);
      line = undefined;
      ready = false;
    },
    send: (frame) => {
      if (ready) put(frame);
      return ready;
    },
    line: () => line,
  };
}
