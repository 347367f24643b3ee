import type { BridgeError, BridgeItem, RuntimeReady, RuntimeStatus } from '@drawbridge/protocol';
import type { Bridge, BridgeEvent, CallOptions, PendingCall, RuntimeView } from '../bridge.ts';
import { bridgeErrorOf } from '../error-item.ts';
import { capabilitiesOf } from '../site-map.ts';

/** The agent's part of a bridge, local or remote. */
export interface AgentSide extends Pick<Bridge, 'call' | 'runtimes' | 'watch'> {
  /** Messages of people to this client since the last time (BRG-196). Each is returned once. */
  readonly takeMessages?: (client: string | undefined) => readonly string[];
}

export interface RemoteOptions {
  /** May throw a BridgeError, which ends the call. */
  readonly send: (item: BridgeItem) => void;
  readonly newId: () => string;
}

/** A bridge in another process, over any item transport. */
export interface RemoteBridge extends AgentSide {
  /** The stream started or restarted: the bridge now sends its state. */
  readonly opened: () => void;
  readonly receive: (item: BridgeItem) => void;
  /** The stream broke. The bridge cancels the calls of an agent that left, so they end here too. */
  readonly lost: (error: BridgeError) => void;
}

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: CallOptions['onProgress'];
}

/** The bridge answers with its own `agent_hello` (BRG-135), after it has listed the runtimes. */
const FEATURES = ['agent_hello', 'action_cancel', 'action_progress', 'runtime_gone', 'person_message'];

export function createRemoteBridge({ send, newId }: RemoteOptions): RemoteBridge {
  const waiting = new Map<string, Waiting>();
  const runtimes = new Map<string, RuntimeView>();
  const messages: string[] = [];
  const listeners = new Set<(event: BridgeEvent) => void>();
  const tell = (event: BridgeEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const end = (callId: string, finish: (call: Waiting) => void) => {
    const call = waiting.get(callId);
    if (waiting.delete(callId) && call !== undefined) finish(call);
  };
  const know = (ready: RuntimeReady, status: RuntimeStatus | undefined) => {
    const view = viewOf(ready, status);
    runtimes.set(view.runtime_id, view);
    tell({ kind: 'runtime', runtime: view });
  };
  const forget = (runtime_id: string, reason: string) => {
    if (runtimes.delete(runtime_id)) tell({ kind: 'gone', runtime_id, reason });
  };

  function receive(item: BridgeItem): void {
    switch (item.type) {
      case 'action_call_output':
        end(item.call_id, ({ resolve }) => resolve(item.output));
        return;
      case 'action_error':
        if (item.call_id === undefined) tell({ kind: 'item', item });
        else end(item.call_id, ({ reject }) => reject(bridgeErrorOf(item)));
        return;
      case 'action_progress':
        waiting.get(item.call_id)?.onProgress?.(item);
        return;
      case 'runtime_ready': {
        const status = runtimes.get(item.runtime_id)?.status;
        // A status of the previous page must not restore its url (BRG-33).
        know(item, status && { ...status, url: item.url });
        return;
      }
      case 'runtime_status': {
        const known = runtimes.get(item.runtime_id);
        if (known !== undefined) know(known.ready, { ...known.status, ...item });
        return;
      }
      case 'runtime_gone':
        forget(item.runtime_id, item.reason);
        return;
      case 'person_message':
        messages.push(item.text);
        return;
      case 'dom_event':
        tell({ kind: 'item', item });
    }
  }

  return {
    receive,
    opened() {
      for (const id of [...runtimes.keys()]) forget(id, 'The connection to the bridge was restarted.');
      send({ type: 'agent_hello', features: FEATURES });
    },
    lost(error) {
      for (const id of [...waiting.keys()]) end(id, ({ reject }) => reject(error));
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
      // Prevents an unhandled rejection when a caller cancels and ignores the output.
      output.catch(() => {});
      return {
        call_id,
        output,
        cancel(reason) {
          if (waiting.has(call_id)) send({ type: 'action_cancel', call_id, ...(reason && { reason }) });
        },
      };
    },
    takeMessages: () => messages.splice(0),
    runtimes: () => [...runtimes.values()],
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function viewOf(ready: RuntimeReady, status: RuntimeStatus | undefined): RuntimeView {
  const capabilities = capabilitiesOf(ready);
  return {
    runtime_id: ready.runtime_id,
    ready,
    ...(status && { status }),
    ...(capabilities && { capabilities: [...capabilities] }),
    // The bridge probes before it sends a call, so liveness is irrelevant here.
    liveness: 'awake',
  };
}
