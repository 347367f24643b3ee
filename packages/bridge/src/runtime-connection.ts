import {
  type ActionCallOutput,
  type ActionError,
  type ActionProgress,
  BridgeError,
  type BridgeItem,
  type DomEvent,
  type GrantsHeld,
  type RuntimeProbeResult,
  type RuntimeReady,
  type RuntimeStatus,
} from '@drawbridge/protocol';
import type { Connection, Peer } from './bridge.ts';
import type { Core } from './core.ts';
import { completed } from './error-item.ts';
import { carryOn, leaveCallsBehind } from './handover.ts';
import { readItem, type UnreadItem } from './item-reader.ts';
import { MAX_STATUS_CHARS } from './options.ts';
import type { Call } from './pending-calls.ts';
import { receiveQuestion, receiveWithdrawal, withdrawQuestions } from './permission-questions.ts';
import {
  notAdmitted,
  notAnnounced,
  notForRole,
  statusTooLarge,
  TAKEN_FROM_RUNTIMES,
  unreadable,
} from './refusals.ts';
import { type RuntimeEntry, type RuntimeLink, understands } from './registry.ts';

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
        const read = readItem(received);
        const refusal = read.ok
          ? receiveFromRuntime(core, link, read.item)
          : receiveUnreadable(core, link, read);
        if (refusal !== undefined) core.sendTo(link, refusal);
      }),
    close: (reason = 'The connection ended.') => core.turns.take(() => drop(core, link, reason)),
  };
}

/** The bridge closes the connection. */
export function shutRuntimeLink(core: Core, link: RuntimeLink, reason: string): void {
  drop(core, link, reason);
  core.turns.callSafely(() => link.peer.close?.(reason));
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
  core.audience.sendToAgents(entry, ready);
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
  audience.sendGone(runtime_id, reason);
  audience.notifyListeners({ kind: 'gone', runtime_id, reason });
}

/** Returns the answer to an item that it may not send. */
function receiveFromRuntime(core: Core, link: RuntimeLink, item: BridgeItem): ActionError | undefined {
  switch (item.type) {
    case 'runtime_ready':
      return announce(core, link, item);
    case 'runtime_status':
    case 'dom_event':
    case 'runtime_probe_result':
    case 'grants_held':
      return receiveSelfReport(core, link, item);
    case 'action_progress':
    case 'action_call_output':
      return receiveCallReport(core, link, item);
    case 'action_error':
      receiveError(core, link, item);
      return undefined;
    case 'grant_question':
      return receiveQuestion(core, link, item);
    case 'grant_withdrawn':
      receiveWithdrawal(link, item);
      return undefined;
    default:
      return notForRole('runtime', item);
  }
}

/** An unreadable answer ends its call, as the runtime would not write the next one better. */
function receiveUnreadable(core: Core, link: RuntimeLink, read: UnreadItem): ActionError | undefined {
  const { type, call_id, error } = read;
  const isAnswer = type === 'action_call_output' || type === 'action_error';
  const call = isAnswer && call_id !== undefined ? callAt(core, link, { call_id }) : undefined;
  if (call !== undefined) core.pending.fail(call, badAnswer(call, error));
  return unreadable(read);
}

function badAnswer({ item: { name } }: Call, { message, evidence }: BridgeError): BridgeError {
  return new BridgeError(
    'invalid_result',
    `The runtime's answer to ${name} is no valid item: ${message} Look at the page before you call again.`,
    { evidence: { name, ...evidence } },
  );
}

function receiveSelfReport(
  core: Core,
  link: RuntimeLink,
  item: RuntimeStatus | DomEvent | RuntimeProbeResult | GrantsHeld,
): ActionError | undefined {
  const entry = link.runtimes.get(item.runtime_id);
  if (entry === undefined) return notAnnounced(item);
  if (item.type === 'runtime_status' && !receiveStatus(core, entry, item))
    return statusTooLarge(item.runtime_id);
  if (item.type === 'dom_event') sendToAll(core, item, entry);
  if (item.type === 'grants_held') receiveGrants(core, entry, item);
  if (item.type === 'runtime_probe_result' && item.state === 'asleep') {
    core.probes.asleep(entry, item.probe_id);
  } else core.probes.received(entry);
  return undefined;
}

/** False when the merged status would be too large: unknown fields add up. */
function receiveStatus({ audience, view }: Core, entry: RuntimeEntry, status: RuntimeStatus): boolean {
  const merged = { ...entry.status, ...status };
  if (JSON.stringify(merged).length > MAX_STATUS_CHARS) return false;
  entry.status = merged;
  audience.sendToAgents(entry, status);
  audience.notifyListeners({ kind: 'runtime', runtime: view(entry) });
  return true;
}

/** Not sent to agents: grants are between people and their browser. */
function receiveGrants({ audience, view }: Core, entry: RuntimeEntry, { grants }: GrantsHeld): void {
  entry.grants = grants;
  audience.notifyListeners({ kind: 'runtime', runtime: view(entry) });
}

function receiveCallReport(
  core: Core,
  link: RuntimeLink,
  item: ActionProgress | ActionCallOutput,
): ActionError | undefined {
  const call = callAt(core, link, item);
  const entry = link.runtimes.get(item.runtime_id) ?? call?.entry;
  if (entry === undefined) return notAnnounced(item);
  if (call !== undefined && item.type === 'action_call_output') core.pending.end(call, item);
  if (call !== undefined && item.type === 'action_progress') {
    call.step = item.step ?? call.step;
    call.caller.progress(item);
  }
  core.probes.received(entry);
  return undefined;
}

/** Never answered, even about another sender's runtime: errors about errors have no end. */
function receiveError(core: Core, link: RuntimeLink, item: ActionError): void {
  const { call_id, runtime_id } = item;
  const call = call_id === undefined ? undefined : callAt(core, link, { call_id, runtime_id });
  const entry = (runtime_id === undefined ? undefined : link.runtimes.get(runtime_id)) ?? call?.entry;
  if (call !== undefined) core.pending.end(call, completed({ runtime_id: call.entry.runtime_id, ...item }));
  if (entry === undefined) return;
  if (call_id === undefined) sendToAll(core, completed(item), entry);
  core.probes.received(entry);
}

function sendToAll({ audience }: Core, item: BridgeItem, entry: RuntimeEntry): void {
  audience.sendToAgents(entry, item);
  audience.notifyListeners({ kind: 'item', item });
}

/** The pending call that this connection may answer; other answers are dropped (BRG-49, BRG-50). */
function callAt(
  { pending }: Core,
  link: RuntimeLink,
  { call_id, runtime_id }: { call_id: string; runtime_id?: string | undefined },
): Call | undefined {
  const call = pending.get(call_id);
  if (call === undefined || call.state.kind !== 'sent' || call.entry.link !== link) return undefined;
  return runtime_id === undefined || call.runtimeIds.has(runtime_id) ? call : undefined;
}
