import { BridgeError } from '@drawbridge/protocol';
import { connectAgent, shutAgentLink } from './agent-connection.ts';
import type { Bridge } from './bridge.ts';
import { createCore } from './core.ts';
import { cancelCall } from './dispatch.ts';
import { callHere } from './local-agent.ts';
import type { BridgeOptions } from './options.ts';
import { connectRuntime, shutRuntimeLink } from './runtime-connection.ts';
import { understands } from './runtime-entry.ts';

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
    call: (request, callOptions) => callHere(core, request, callOptions),
    runtimes: () => registry.entries().map(core.view),
    watch(listener) {
      audience.listeners.add(listener);
      return () => audience.listeners.delete(listener);
    },
    cancelAll(reason) {
      const calls = pending.all();
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
    close: () => turns.take(shut),
  };
}
