import type { Clock } from '@drawbridge/base';
import {
  type ActionCall,
  type ActionCallOutput,
  type ActionError,
  type ActionProgress,
  BridgeError,
} from '@drawbridge/protocol';
import { errorItem } from './error-item.ts';
import type { BridgeLimits } from './options.ts';
import type { RuntimeEntry } from './registry.ts';

/** The caller, local or at the other end of a connection. */
export interface Caller {
  /** The owner from the caller's credential. */
  readonly owner?: string | undefined;
  readonly answer: (item: ActionCallOutput | ActionError) => void;
  readonly progress: (item: ActionProgress) => void;
}

export type CallState =
  /** The runtime is being probed and has not received the call. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sent' }
  /** Detached: the runtime left and supports resume, so its successor may still answer. */
  | { readonly kind: 'adrift' }
  | { readonly kind: 'ended' };

export interface Call {
  readonly item: ActionCall;
  readonly caller: Caller;
  readonly startedAt: number;
  readonly timeoutMs: number;
  state: CallState;
  /** The current runtime, or the last one before it detached. */
  entry: RuntimeEntry;
  /** Ids accepted in an answer: the runtime that got the call, and its successors (BRG-50). */
  readonly runtimeIds: Set<string>;
  step: string | undefined;
  stopTimer: () => void;
}

export function createPendingCalls(clock: Clock, limits: BridgeLimits) {
  const calls = new Map<string, Call>();
  const elapsed = ({ startedAt }: Call): number => Math.max(0, clock.now() - startedAt);

  const end = (call: Call, answer: ActionCallOutput | ActionError): boolean => {
    if (call.state.kind === 'ended') return false;
    call.state = { kind: 'ended' };
    call.stopTimer();
    calls.delete(call.item.call_id);
    call.caller.answer(answer);
    return true;
  };

  return {
    elapsed,
    /** Gives the caller its only answer; false when it already had one (BRG-49). */
    end,
    get: (call_id: string): Call | undefined => calls.get(call_id),
    at: (entry: RuntimeEntry): readonly Call[] => [...calls.values()].filter((call) => call.entry === entry),
    all: (): readonly Call[] => [...calls.values()],
    open(item: ActionCall, caller: Caller, entry: RuntimeEntry): Call {
      const timeoutMs = Math.min(item.timeout_ms ?? limits.defaultTimeoutMs, limits.maxTimeoutMs);
      const call: Call = {
        item,
        caller,
        startedAt: clock.now(),
        timeoutMs,
        state: { kind: 'waiting' },
        entry,
        runtimeIds: new Set([entry.runtime_id]),
        step: undefined,
        stopTimer: () => {},
      };
      calls.set(item.call_id, call);
      return call;
    },
    /** `onTimeout` runs when the runtime's timeout and a grace have passed. */
    watch(call: Call, onTimeout: (call: Call) => void): void {
      if (call.state.kind === 'ended') return;
      call.stopTimer = clock.after(call.timeoutMs + limits.timeoutGraceMs, () => onTimeout(call));
    },
    fail: (call: Call, error: BridgeError): boolean =>
      end(call, errorItem(error, { call_id: call.item.call_id, runtime_id: call.entry.runtime_id })),
  };
}

export function callTimedOut(call: Call, elapsed: number): BridgeError {
  const { item, entry, timeoutMs, step, state } = call;
  const evidence = {
    name: item.name,
    elapsed_ms: elapsed,
    timeout_ms: timeoutMs,
    sent: state.kind !== 'waiting',
    ...(step === undefined ? {} : { step }),
  };
  if (state.kind === 'adrift') {
    return new BridgeError(
      'transport_failed',
      `Runtime ${entry.runtime_id} went away while ${item.name} ran and nobody carried it on within ${timeoutMs} ms. Look at the page before you call again: it may have been done.`,
      { evidence },
    );
  }
  const at = step === undefined ? '' : ` at step ${step}`;
  return new BridgeError(
    'handler_timeout',
    `${item.name} did not end within ${timeoutMs} ms${at}. Look at the page before you call again, or give it a longer timeout_ms.`,
    { evidence },
  );
}
