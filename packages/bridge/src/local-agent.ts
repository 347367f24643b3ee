import type { CallOptions, CallRequest, PendingCall } from './bridge.ts';
import type { Core } from './core.ts';
import { cancelCall, routeCall } from './dispatch.ts';
import { bridgeErrorOf } from './error-item.ts';
import { readItem } from './item-reader.ts';
import type { Caller } from './pending-calls.ts';

/** A call by a local agent, handled like every other. */
export function callHere(core: Core, request: CallRequest, options: CallOptions = {}): PendingCall {
  const { onProgress, owner } = options;
  const call_id = request.call_id ?? core.newCallId();
  let caller: Caller = { answer: () => {}, progress: () => {} };
  const output = new Promise<unknown>((resolve, reject) => {
    caller = {
      owner,
      answer: (item) => (item.type === 'action_error' ? reject(bridgeErrorOf(item)) : resolve(item.output)),
      progress: (item) => {
        if (onProgress !== undefined) core.turns.callOut(() => onProgress(item));
      },
    };
    core.turns.take(() => {
      const read = readItem({ ...request, type: 'action_call', call_id });
      if (!read.ok) reject(read.error);
      else if (read.item.type === 'action_call') routeCall(core, read.item, caller);
    });
  });
  // Prevents an unhandled rejection when a caller cancels and ignores the output.
  output.catch(() => {});
  return {
    call_id,
    output,
    cancel: (reason) =>
      core.turns.take(() => {
        const call = core.pending.get(call_id);
        if (call?.caller === caller) cancelCall(core, call, reason);
      }),
  };
}
