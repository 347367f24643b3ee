import { systemClock } from '@drawbridge/link';
import type { Evaluator } from '@drawbridge/manifest';
import { BridgeError, type BridgeItem, type ErrorCode } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import {
  createGrantBook,
  createRuntime,
  denyAll,
  type MapChoice,
  type MapSource,
  type SurfaceHost,
} from '@drawbridge/runtime';

interface CallsOptions {
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly evaluator: Evaluator;
  readonly newId: () => string;
}

/** Runs the tools of a panel's map in the common runtime. */
export interface PanelCalls {
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly map: () => MapChoice;
  readonly close: () => Promise<void>;
}

const CALL_MS = 20_000;

export function startCalls({ host, maps, evaluator, newId }: CallsOptions): PanelCalls {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const grants = createGrantBook({ now: Date.now, newId });
  // Irreversible tools are refused, because nobody can be asked here.
  grants.lend(host.runtimeKey, 'the agent proxy');
  const send = (item: BridgeItem): void => {
    if (item.type !== 'action_call_output' && item.type !== 'action_error') return;
    const call = item.call_id === undefined ? undefined : waiting.get(item.call_id);
    if (call === undefined || item.call_id === undefined) return;
    waiting.delete(item.call_id);
    if (item.type === 'action_call_output') call.resolve(item.output);
    else {
      const { code, message, evidence } = item.error;
      call.reject(new BridgeError(trustCode(code), message, { evidence: evidence ?? {} }));
    }
  };
  const runtime = createRuntime({
    runtimeId: newId(),
    host,
    maps,
    grants,
    asker: denyAll('Only harmless tools of a panel’s map may run here.'),
    evaluator,
    clock: systemClock,
    newId,
    send,
  });
  let isClosed = false;
  return {
    async call(name, args) {
      if (isClosed) throw gone();
      const call_id = newId();
      const answer = Promise.withResolvers<unknown>();
      waiting.set(call_id, answer);
      runtime.receive({ type: 'action_call', call_id, name, arguments: args, timeout_ms: CALL_MS });
      return answer.promise;
    },
    map: runtime.map,
    async close() {
      isClosed = true;
      await runtime.close();
      for (const { reject } of waiting.values()) reject(gone());
      waiting.clear();
    },
  };
}

const gone = (): BridgeError => new BridgeError('transport_failed', 'The panel is gone. Look for it again.');

/** Codes come from our own runtime only. */
function trustCode(code: string): ErrorCode {
  return code as ErrorCode;
}

/** Index of the options argument of each page function. */
const ACTS: ReadonlyMap<string, number> = new Map([
  ['act.prepare_press', 1],
  ['pressPrepared', 2],
  ['fill', 2],
  ['keys', 1],
  ['upload', 2],
  ['text.insert', 0],
]);

/** A map locates and acts in one call; agents never see element ids. */
const HOW = { quiet: true, located: true };

const quietly = (name: string, args: readonly unknown[]): readonly unknown[] =>
  args.map((arg, at) => (at === ACTS.get(name) && isObject(arg) ? { ...arg, ...HOW } : arg));

/**
 * The panel's page without trusted input: acts through the DOM. A real press would move the pointer and take
 * the focus from the person at the machine.
 */
export function quietHost(host: SurfaceHost): SurfaceHost {
  const { kind, runtimeKey, surface, callPage, close, picture, dialogs } = host;
  return {
    kind,
    runtimeKey,
    surface,
    callPage: (name, args, cancellation) => callPage(name, quietly(name, args), cancellation),
    close,
    ...(picture && { picture }),
    ...(dialogs && { dialogs }),
    // Events of our own watch are not for the runtime.
    onEvent: (listener) => host.onEvent((event) => event.kind !== 'notice' && listener(event)),
  };
}
