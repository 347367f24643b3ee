import type {
  ActionCall,
  ActionCallOutput,
  ActionError,
  Asker,
  BridgeItem,
  RuntimeReady,
} from '@drawbridge/protocol';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { expect } from 'vitest';
import type { Bridge, BridgeEvent, Connection } from '../src/bridge.ts';
import { createBridge } from '../src/create-bridge.ts';
import type { BridgeOptions } from '../src/options.ts';

export interface TestPeer {
  readonly connection: Connection;
  /** All items sent to it. */
  readonly got: BridgeItem[];
  /** Reasons of each close by the bridge. */
  readonly closed: string[];
  readonly types: () => readonly string[];
  readonly last: () => BridgeItem | undefined;
}

export interface TestRuntime extends TestPeer {
  readonly announce: (ready?: Partial<RuntimeReady>) => void;
  readonly calls: () => readonly ActionCall[];
  readonly answer: (call_id: string, output?: unknown, runtime_id?: string) => void;
}

export interface TestAgent extends TestPeer {
  readonly call: (call_id: string, fields?: Partial<ActionCall>) => void;
  readonly answers: (call_id: string) => readonly (ActionCallOutput | ActionError)[];
}

export interface BridgeHarness {
  readonly bridge: Bridge;
  readonly clock: FakeClock;
  readonly faults: unknown[];
  readonly events: BridgeEvent[];
  /** Connects a runtime, and announces it if a description is given. */
  readonly runtime: (ready?: Partial<RuntimeReady>, owner?: string, asker?: Asker) => TestRuntime;
  readonly agent: (...features: string[]) => TestAgent;
}

export const readyItem = (ready: Partial<RuntimeReady> = {}): RuntimeReady => ({
  type: 'runtime_ready',
  runtime_id: 'r1',
  url: 'https://shop.example/',
  ...ready,
});

/** A bridge with a fake clock and recording peers. */
export function setUp(options: Partial<BridgeOptions> = {}): BridgeHarness {
  const clock = createFakeClock(1_800_000_000_000);
  const faults: unknown[] = [];
  const events: BridgeEvent[] = [];
  let ids = 0;
  const bridge = createBridge({
    clock: clock,
    ids: (kind) => `${kind}-${++ids}`,
    onError: (fault) => faults.push(fault),
    ...options,
  });
  bridge.watch((event) => events.push(event));

  const peer = (owner?: string, asker?: Asker) => {
    const got: BridgeItem[] = [];
    const closed: string[] = [];
    const ends = {
      send: (item: BridgeItem) => {
        got.push(item);
      },
      close: (reason: string) => {
        closed.push(reason);
      },
      ...(owner === undefined ? {} : { owner }),
      ...(asker === undefined ? {} : { asker }),
    };
    return { got, closed, ends, types: () => got.map(({ type }) => type), last: () => got.at(-1) };
  };

  return {
    bridge,
    clock,
    faults,
    events,
    runtime(ready, owner, asker) {
      const { ends, ...rest } = peer(owner, asker);
      const connection = bridge.connectRuntime(ends);
      const announce = (fields: Partial<RuntimeReady> = {}) => connection.receive(readyItem(fields));
      if (ready !== undefined) announce(ready);
      const runtime_id = ready?.runtime_id ?? 'r1';
      return {
        ...rest,
        connection,
        announce,
        calls: () => rest.got.filter((item) => item.type === 'action_call'),
        answer: (call_id, output = { ok: true }, from = runtime_id) =>
          connection.receive({ type: 'action_call_output', call_id, runtime_id: from, output }),
      };
    },
    agent(...features) {
      const { ends, ...rest } = peer();
      const connection = bridge.connectAgent(ends);
      if (features.length > 0) connection.receive({ type: 'agent_hello', features });
      return {
        ...rest,
        connection,
        call: (call_id, fields = {}) =>
          connection.receive({ type: 'action_call', call_id, name: 'search', arguments: {}, ...fields }),
        answers: (call_id) =>
          rest.got
            .filter((item) => item.type === 'action_call_output' || item.type === 'action_error')
            .filter((item) => item.call_id === call_id),
      };
    },
  };
}

/** The form of our `action_error` (BRG-74). */
export function errorLike(code: string, evidence: object = {}, subject: object = {}): unknown {
  return expect.objectContaining({
    type: 'action_error',
    ...subject,
    error: expect.objectContaining({
      code,
      message: expect.stringMatching(/\w.*[.!]$/),
      severity: expect.any(String),
      recoverable: expect.any(Boolean),
      evidence: expect.objectContaining(evidence),
    }),
  });
}
