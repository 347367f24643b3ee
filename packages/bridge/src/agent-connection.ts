import type { BridgeItem } from '@drawbridge/protocol';
import type { Connection, Peer } from './bridge.ts';
import type { AgentLink, Core } from './core.ts';
import { cancelCall, routeCall } from './dispatch.ts';
import { readItem } from './item-reader.ts';
import type { Caller } from './pending-calls.ts';
import { notForRole, TAKEN_FROM_AGENTS, unreadable } from './refusals.ts';

export function connectAgent(core: Core, peer: Peer): Connection {
  const { audience, turns } = core;
  const link: AgentLink = { peer, features: [], open: true, known: new Set() };
  const caller: Caller = {
    owner: peer.owner,
    answer: (item) => {
      if (link.open) turns.callSafely(() => peer.onAnswer?.(item));
      audience.send(link, item);
    },
    progress: (item) => {
      if (link.features.includes('action_progress')) audience.send(link, item);
    },
  };
  turns.take(() => {
    audience.agents.add(link);
    if (core.closed) shutAgentLink(core, link, 'The bridge is closed.');
    else sendRuntimes(core, link);
  });
  return {
    receive: (received) =>
      turns.take(() => {
        if (!link.open) return;
        const read = readItem(received);
        const refusal = read.ok ? receive(core, link, caller, read.item) : unreadable(read);
        if (refusal !== undefined) audience.send(link, refusal);
      }),
    close: (reason = 'The connection ended.') =>
      turns.take(() => {
        link.open = false;
        audience.agents.delete(link);
        for (const call of core.pending.all()) {
          if (call.caller === caller) cancelCall(core, call, reason);
        }
      }),
  };
}

/** The bridge closes the connection. */
export function shutAgentLink({ audience, turns }: Core, link: AgentLink, reason: string): void {
  link.open = false;
  audience.agents.delete(link);
  turns.callSafely(() => link.peer.close?.(reason));
}

function receive(core: Core, link: AgentLink, caller: Caller, item: BridgeItem): BridgeItem | undefined {
  switch (item.type) {
    case 'action_call':
      routeCall(core, item, caller);
      return undefined;
    case 'action_cancel': {
      const call = core.pending.get(item.call_id);
      if (call?.caller === caller) cancelCall(core, call, item.reason);
      return undefined;
    }
    case 'agent_hello':
      link.features = item.features;
      return item.features.includes('agent_hello')
        ? { type: 'agent_hello', features: [...TAKEN_FROM_AGENTS] }
        : undefined;
    default:
      return notForRole('agent', item);
  }
}

/** BRG-116. */
function sendRuntimes({ registry, audience }: Core, link: AgentLink): void {
  for (const entry of registry.entries()) audience.introduce(link, entry);
}
