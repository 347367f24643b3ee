import { BridgeError } from '@drawbridge/protocol';
import type { Core } from './core.ts';
import type { Call } from './pending-calls.ts';
import { type RuntimeEntry, understands } from './registry.ts';

/** Ends or detaches the calls of a runtime that left without a successor. */
export function leaveCallsBehind({ pending, probes }: Core, left: RuntimeEntry, reason: string): void {
  probes.forget(left);
  for (const call of pending.at(left)) {
    if (call.state.kind === 'sent' && understands(left, 'resume')) call.state = { kind: 'adrift' };
    else pending.fail(call, lost(call, reason));
  }
}

/** Hands detached calls to the successor of their runtime, if it supports resume (BRG-36). */
export function carryOn({ pending }: Core, entry: RuntimeEntry): void {
  for (const call of pending.all()) {
    if (call.state.kind !== 'adrift' || !supersedes(entry, call.entry)) continue;
    if (!understands(entry, 'resume')) {
      pending.fail(call, lost(call, `Runtime ${entry.runtime_id} took its place and does not resume.`));
      continue;
    }
    call.state = { kind: 'sent' };
    call.entry = entry;
    call.runtimeIds.add(entry.runtime_id);
  }
}

function supersedes(entry: RuntimeEntry, left: RuntimeEntry): boolean {
  if (entry.link.peer.owner !== left.link.peer.owner) return false;
  const { runtime_key } = entry.ready;
  const sameKey = runtime_key !== undefined && runtime_key === left.ready.runtime_key;
  return sameKey || entry.runtime_id === left.runtime_id;
}

function lost({ item, entry, state, step }: Call, reason: string): BridgeError {
  const sent = state.kind !== 'waiting';
  const next = sent
    ? 'Look at the page before you call again: it may have been done.'
    : 'The call was not sent: call again.';
  return new BridgeError(
    'transport_failed',
    `Runtime ${entry.runtime_id} went away before ${item.name} was answered. ${next}`,
    { evidence: { name: item.name, sent, reason, ...(step === undefined ? {} : { step }) } },
  );
}
