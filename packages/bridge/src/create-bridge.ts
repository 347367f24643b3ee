import { BridgeError } from '@drawbridge/protocol';
import { connectAgent, shutAgentLink } from './agent-connection.ts';
import type { Bridge } from './bridge.ts';
import { createCore } from './core.ts';
import { cancelCall, routeCall } from './dispatch.ts';
import { bridgeErrorOf } from './error-item.ts';
import { readItem } from './item-reader.ts';
import type { BridgeOptions } from './options.ts';
import type { Caller } from './pending-calls.ts';
import { understands } from './registry.ts';
import { connectRuntime, shutRuntimeLink } from './runtime-connection.ts';

export function createBridge(options: BridgeOptions): Bridge {
  const core = createCore(options);
  const { audience, pending, registry, runtimeLinks, turns } = core;

  const shut = (): void => {
    if (core.closed) return;
    core.closed = true;
    const reason = 'The bridge is closing.';
    for (const call of pending.all()) {
      const evidence = { name: call.item.name, sent: call.state.kind !== 'waiting', reason };
      pending.fail(
        call,
        new BridgeError(
          'transport_failed',
          `The bridge closed before ${call.item.name} was answered. Connect and look at the page before you call again.`,
          { evidence },
        ),
      );
    }
    for (const link of [...runtimeLinks]) shutRuntimeLink(core, link, reason);
    for (const link of [...audience.agents]) shutAgentLink(core, link, reason);
    audience.listeners.clear();
  };

  return {
    connectRuntime: (peer) => connectRuntime(core, peer),
    connectAgent: (peer) => connectAgent(core, peer),
    /** A call by a local agent, handled like every other. */
    call(request, { onProgress, owner } = {}) {
      const call_id = request.call_id ?? core.newCallId();
      const { promise: output, resolve, reject } = Promise.withResolvers<unknown>();
      const caller: Caller = {
        owner,
        answer: (item) => (item.type === 'action_error' ? reject(bridgeErrorOf(item)) : resolve(item.output)),
        progress: (item) => {
          if (onProgress !== undefined) turns.callSafely(() => onProgress(item));
        },
      };
      turns.take(() => {
        const read = readItem({ ...request, type: 'action_call', call_id });
        if (!read.ok) reject(read.error);
        else if (read.item.type === 'action_call') routeCall(core, read.item, caller);
      });
      // Prevents an unhandled rejection when a caller cancels and ignores the output.
      output.catch(() => {});
      return {
        call_id,
        output,
        cancel: (reason) =>
          turns.take(() => {
            const call = pending.get(call_id);
            if (call?.caller === caller) cancelCall(core, call, reason);
          }),
      };
    },
    runtimes: () => registry.entries().map(core.view),
    watch(listener) {
      audience.listeners.add(listener);
      return () => audience.listeners.delete(listener);
    },
    cancelAll(reason, owner, among) {
      const calls = pending
        .all()
        .filter(({ caller }) => owner === undefined || caller.owner === owner)
        .filter(({ item }) => among === undefined || among.has(item.call_id));
      turns.take(() => {
        for (const call of calls) cancelCall(core, call, reason, 'the person whose browser it is');
      });
      return calls.length;
    },
    revokeGrants(of) {
      const entries = registry
        .entries()
        .filter((entry) => (of?.runtime_id ?? entry.runtime_id) === entry.runtime_id)
        .filter((entry) => understands(entry, 'grants'));
      turns.take(() => {
        for (const { runtime_id, link } of entries)
          core.sendTo(link, { type: 'grants_revoked', ...of, runtime_id });
      });
      return entries.length;
    },
    renewGrants(by, runtime_id) {
      const entries = registry
        .entries()
        .filter((entry) => (runtime_id ?? entry.runtime_id) === entry.runtime_id)
        .filter((entry) => understands(entry, 'grants_renewed'));
      turns.take(() => {
        for (const { runtime_id: id, link } of entries)
          core.sendTo(link, { type: 'grants_renewed', runtime_id: id, by });
      });
      return entries.length;
    },
    close: () => turns.take(shut),
  };
}
