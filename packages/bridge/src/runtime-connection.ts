import type { ActionError, RuntimeReady } from '@drawbridge/protocol';
import type { Connection, Peer } from './bridge.ts';
import type { Core } from './core.ts';
import { carryOn, leaveCallsBehind } from './handover.ts';
import { type ReadItem, readItem } from './item-reader.ts';
import { withdrawQuestions } from './permission-questions.ts';
import { notAdmitted, TAKEN_FROM_RUNTIMES } from './refusals.ts';
import { type RuntimeEntry, type RuntimeLink, understands } from './runtime-entry.ts';
import { receiveFromRuntime, receiveUnreadable } from './runtime-messages.ts';

export function connectRuntime(core: Core, peer: Peer): Connection {
  const link: RuntimeLink = { peer, runtimes: new Map(), questions: new Map(), open: true, relayHosts: '' };
  core.turns.take(() => {
    core.runtimeLinks.add(link);
    if (core.closed) shutRuntimeLink(core, link, 'The bridge is closed.');
  });
  return {
    receive: (received) =>
      core.turns.take(() => {
        if (!link.open) return;
        const refusal = receive(core, link, readItem(received));
        if (refusal !== undefined) core.sendTo(link, refusal);
      }),
    close: (reason = 'The connection ended.') => core.turns.take(() => drop(core, link, reason)),
  };
}

function receive(core: Core, link: RuntimeLink, read: ReadItem): ActionError | undefined {
  if (!read.ok) return receiveUnreadable(core, link, read);
  const { item } = read;
  return item.type === 'runtime_ready' ? announce(core, link, item) : receiveFromRuntime(core, link, item);
}

/** The bridge closes the connection. */
export function shutRuntimeLink(core: Core, link: RuntimeLink, reason: string): void {
  drop(core, link, reason);
  core.turns.callOut(() => link.peer.close?.(reason));
}

function drop(core: Core, link: RuntimeLink, reason: string): void {
  if (!link.open) return;
  link.open = false;
  core.runtimeLinks.delete(link);
  for (const entry of [...link.runtimes.values()]) {
    core.registry.leave(entry, reason);
    leaveCallsBehind(core, entry, reason);
    withdrawQuestions(link, entry.runtime_id);
    announceGone(core, entry, reason);
  }
}

function announce(core: Core, link: RuntimeLink, ready: RuntimeReady): ActionError | undefined {
  const { runtime_id } = ready;
  const isFirst = link.runtimes.size === 0;
  const announced = core.registry.announce(link, ready);
  if (announced.kind === 'refused') return notAdmitted(runtime_id, announced.why);
  const { entry, replaced } = announced;
  const reason = `Runtime ${runtime_id} took its place.`;
  for (const older of replaced) {
    leaveCallsBehind(core, older, reason);
    withdrawQuestions(older.link, older.runtime_id);
    if (older.runtime_id !== runtime_id) announceGone(core, older, reason);
    if (older.link !== link && older.link.runtimes.size === 0) shutRuntimeLink(core, older.link, reason);
  }
  if (understands(entry, 'agent_hello')) acceptRuntime(core, link, isFirst);
  core.audience.sendToAgents(ready);
  core.audience.notifyListeners({ kind: 'runtime', runtime: core.view(entry) });
  carryOn(core, entry);
  core.probes.received(entry);
  return undefined;
}

/** Sent before any call, so that the runtime knows the relay's names (BRG-172). */
function acceptRuntime(core: Core, link: RuntimeLink, isFirst: boolean): void {
  const relay_hosts = [...core.relayHosts()];
  const sent = relay_hosts.join(' ');
  if (!isFirst && sent === link.relayHosts) return;
  link.relayHosts = sent;
  const features = [...TAKEN_FROM_RUNTIMES];
  core.sendTo(link, { type: 'agent_hello', features, ...(relay_hosts.length > 0 && { relay_hosts }) });
}

function announceGone({ audience }: Core, { runtime_id }: RuntimeEntry, reason: string): void {
  audience.sendToAgents({ type: 'runtime_gone', runtime_id, reason }, 'runtime_gone');
  audience.notifyListeners({ kind: 'gone', runtime_id, reason });
}
