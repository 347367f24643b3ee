import { BridgeError, type BridgeItem } from '@drawbridge/protocol';
import type { Bridge, BridgeEvent, CallOptions, PendingCall, RuntimeView } from '../bridge.ts';
import { bridgeErrorOf } from '../error-item.ts';

/** What an agent uses of a bridge, wherever the bridge is. */
export type AgentSide = Pick<Bridge, 'call' | 'runtimes' | 'watch'>;

export interface RemoteOptions {
  readonly send: (item: BridgeItem) => void;
  readonly newId: () => string;
}

/** A bridge in another process, over whatever carries items. */
export interface RemoteBridge extends AgentSide {
  /** The connection is open, anew: what was known of runtimes is told again. */
  readonly opened: () => void;
  readonly receive: (item: BridgeItem) => void;
  /** These items did not arrive, or everything was lost: calls end with this error. */
  readonly lost: (error: BridgeError, items?: readonly BridgeItem[]) => void;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: BridgeError) => void;
  readonly onProgress: CallOptions['onProgress'];
}

const FEATURES = ['action_cancel', 'action_progress', 'runtime_gone'];

export function createRemoteBridge({ send, newId }: RemoteOptions): RemoteBridge {
  const waiting = new Map<string, Waiting>();
  const runtimes = new Map<string, RuntimeView>();
  const listeners = new Set<(event: BridgeEvent) => void>();
  const tell = (event: BridgeEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const end = (callId: string | undefined, finish: (call: Waiting) => void): boolean => {
    const call = callId === undefined ? undefined : waiting.get(callId);
    if (call === undefined || callId === undefined) return false;
    waiting.delete(callId);
    finish(call);
    return true;
  };
  const know = (view: RuntimeView) => {
    runtimes.set(view.runtime_id, view);
    tell({ kind: 'runtime', runtime: view });
  };

  function receive(item: BridgeItem): void {
    switch (item.type) {
      case 'action_call_output':
        end(item.call_id, ({ resolve }) => resolve(item.output));
        return;
      case 'action_error':
        if (!end(item.call_id, ({ reject }) => reject(bridgeErrorOf(item)))) tell({ kind: 'item', item });
        return;
      case 'action_progress':
        waiting.get(item.call_id)?.onProgress?.(item);
        return;
      case 'runtime_ready':
        know({
          ...runtimes.get(item.runtime_id),
          runtime_id: item.runtime_id,
          ready: item,
          liveness: 'awake',
        });
        return;
      case 'runtime_status': {
        const known = runtimes.get(item.runtime_id);
        if (known === undefined) return;
        const ready = item.url === undefined ? known.ready : { ...known.ready, url: item.url };
        know({ ...known, ready, status: { ...known.status, ...item } });
        return;
      }
      case 'runtime_gone':
        if (runtimes.delete(item.runtime_id)) {
          tell({ kind: 'gone', runtime_id: item.runtime_id, reason: item.reason });
        }
        return;
      case 'dom_event':
        tell({ kind: 'item', item });
    }
  }

  return {
    receive,
    opened() {
      runtimes.clear();
      send({ type: 'agent_hello', features: FEATURES });
    },
    lost(error, items) {
      const ids = items?.flatMap((item) => (item.type === 'action_call' ? item.call_id : []));
      for (const id of ids ?? [...waiting.keys()]) end(id, ({ reject }) => reject(error));
    },
    call(request, { onProgress } = {}): PendingCall {
      const call_id = request.call_id ?? newId();
      const output = new Promise<unknown>((resolve, reject) => {
        waiting.set(call_id, { resolve, reject, onProgress });
        try {
          send({ ...request, type: 'action_call', call_id });
        } catch (error) {
          end(call_id, () => reject(error));
        }
      });
      output.catch(() => {});
      return {
        call_id,
        output,
        cancel(reason) {
          const cancelled = new BridgeError(
            'cancelled',
            `The call was cancelled${reason ? `: ${reason}` : ''}.`,
          );
          if (!end(call_id, ({ reject }) => reject(cancelled))) return;
          send({ type: 'action_cancel', call_id, ...(reason && { reason }) });
        },
      };
    },
    runtimes: () => [...runtimes.values()],
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
