import { type Bridge, type CallRequest, createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import type { ActionCallOutput, ActionError } from '@drawbridge/protocol';

/** Runs in Node and in a page, wherever the bridge of a column is. */

export type Answer = ActionCallOutput | ActionError;

export interface Agent {
  readonly bridge: Bridge;
  /** Returns the answer as it crosses the wire to an agent. */
  readonly ask: (call: CallRequest) => Promise<Answer>;
  /** Resolves once the bridge knows this runtime, or has dropped it. */
  readonly until: (runtimeId: string, is: 'there' | 'gone') => Promise<void>;
}

export function openAgent(): Agent {
  let calls = 0;
  const bridge = createBridge({
    clock: systemClock,
    ids: (kind) => `${kind}-${++calls}`,
  });
  const waiting = new Map<string, (answer: Answer) => void>();
  const connection = bridge.connectAgent({
    send: (item) => {
      if (item.type !== 'action_call_output' && item.type !== 'action_error') return;
      waiting.get(item.call_id ?? '')?.(item);
    },
  });
  return {
    bridge,
    ask: (call) =>
      new Promise((resolve) => {
        const call_id = `call-${++calls}`;
        waiting.set(call_id, resolve);
        connection.receive({ type: 'action_call', call_id, ...call });
      }),
    until: (runtimeId, is) =>
      new Promise((resolve) => {
        const holds = () =>
          bridge.runtimes().some(({ runtime_id }) => runtime_id === runtimeId) === (is === 'there');
        if (holds()) return resolve();
        const stop = bridge.watch(() => {
          if (!holds()) return;
          stop();
          resolve();
        });
      }),
  };
}
