import type { Audit, Ledger, MessageRecord, PromptRecord, SessionRecord, Write } from '@drawbridge/ledger';
import { timeText, trustJson } from '../../core/frames.ts';
import type { CoreClock, Identity, RelayCore } from '../../core/ports.ts';
import { FAILURES } from '../../core/send.ts';
import type { FileRemoval } from '../files/file-removal.ts';
import { summaryOf } from './session-summary.ts';

export interface DeletionPorts {
  readonly ledger: Ledger;
  readonly core: Pick<RelayCore, 'appended'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly removal: FileRemoval;
}

/** `connected`: its agent is still connected and would recreate a part of it. */
export type Deletion = 'deleted' | 'connected' | 'unknown';

export async function deleteSession(
  ports: DeletionPorts,
  session: SessionRecord,
  by: Identity,
): Promise<Deletion> {
  const { ledger, clock, removal } = ports;
  const { session_id, closed_at } = session;
  const { name, status, events } = summaryOf(session);
  if (status === 'connected') return 'connected';
  if (closed_at === null && !(await close(ports, session))) return 'unknown';
  const deleted = { action: 'session_deleted' as const, subject: session_id, detail: { name, events } };
  const audit: Audit = { do: 'audit', entry: { at: clock.now(), device_id: by.device_id, ...deleted } };
  await ledger.commit([audit]);
  await removal.ofSession(session_id);
  const isDeleted = await ledger.deleteSession(session_id);
  await removal.sweep();
  return isDeleted ? 'deleted' : 'unknown';
}

/**
 * Like a deletion by another relay of this ledger: the core drops the session, and every screen
 * receives the deletion and the outcomes of waiting sends and open prompts (CHT-202).
 */
async function close(ports: DeletionPorts, session: SessionRecord): Promise<boolean> {
  const { ledger, core, clock, id } = ports;
  const { session_id, proxy_device_id, head } = session;
  const at = clock.now();
  const event = (type: string, body: object): Write => {
    const payload = trustJson(body);
    return { do: 'append_event', session_id, event_id: id('evt'), type, payload, at };
  };
  const settle = ({ client_message_id, attempt }: Sent): readonly Write[] => {
    const { error } = attempt === 0 ? FAILURES.away : FAILURES.lost;
    const unsure = attempt === 0 ? undefined : { indeterminate: true };
    const settled = { session_id, client_message_id, state: 'failed', attempt, at } as const;
    const sent = { message_id: client_message_id, client_message_id };
    return [
      { do: 'settle_message', ...settled, error: trustJson({ ...error, ...unsure }) },
      event('message_failed', { ...sent, status: 'failed', failed_at: timeText(at), error, ...unsure }),
    ];
  };
  const withdraw = ({ prompt_id, state }: PromptRecord): readonly Write[] => {
    const to = state === 'open' ? 'expired' : 'unconfirmed';
    return [
      { do: 'move_prompt', session_id, prompt_id, from: [state], to, at },
      event('permission_prompt_expired', { prompt_id }),
    ];
  };
  const asked = [...(await ledger.openPrompts()), ...(await ledger.answeringPrompts())].filter(
    (prompt) => prompt.session_id === session_id,
  );
  const waiting = (await ledger.queuedMessages(proxy_device_id)).filter(
    (message) => message.session_id === session_id,
  );
  const outcome = await ledger.commit([
    ...waiting.flatMap(settle),
    ...asked.flatMap(withdraw),
    event('session_closed', { reason: 'user_requested' }),
    { do: 'update_session', session_id, closed_at: at },
  ]);
  // A send was withdrawn, or a prompt answered or expired just now: read again.
  if (!outcome.committed && CHANGED.has(outcome.refusal.reason)) {
    return close(ports, session);
  }
  const told =
    outcome.committed &&
    (await ledger.eventsAfter(session_id, head, waiting.length + asked.length + MEANWHILE));
  if (!told) return false;
  core.appended(session_id, told.events);
  return true;
}

const CHANGED: ReadonlySet<string> = new Set(['message_changed', 'prompt_changed']);

type Sent = Pick<MessageRecord, 'client_message_id' | 'attempt'>;

/** Allowance for events that arrive after the session was read. */
const MEANWHILE = 100;
