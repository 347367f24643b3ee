import type { SessionRecord, WaitingMessage } from '../ledger/records.ts';
import type { Announcements } from './announcements.ts';
import type { Base } from './base.ts';
import type { Expiry } from './expiry.ts';
import { parseSession } from './frames.ts';
import type { Launches } from './launches.ts';
import type { Prompts } from './prompts.ts';
import { FAILURES, type Settlements } from './settlements.ts';
import type { UnsettledSends } from './unsettled-sends.ts';

interface Parts {
  readonly announcements: Announcements;
  readonly settlements: Settlements;
  readonly prompts: Prompts;
  readonly launches: Launches;
  readonly expiry: Expiry;
  readonly unsettled: UnsettledSends;
}

/** More than are ever queued; the rest waits for the next start. */
export const MAX_TAKEN_UP = 100_000;

/** Brings the ledger in line with a fresh start, where nothing is connected. */
export async function recover(base: Base, live: readonly SessionRecord[], parts: Parts): Promise<void> {
  const { announcements, settlements, prompts, launches, expiry, unsettled } = parts;

  const wereUp = live.filter(({ metadata }) => parseSession(metadata).status !== 'disconnected');
  const down = wereUp.map(async ({ session_id }) => {
    const session = base.sessions.get(session_id);
    if (session !== undefined) await announcements.down(session, 'proxy_disconnected');
  });

  const takeUp = async (message: WaitingMessage): Promise<void> => {
    const { session_id, client_message_id, attempt } = message;
    // CHT-160: forwarded before the stop, so no answer can come.
    if (attempt > 0) await settlements.settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
    // CHT-202: the session's end was stored, and this outcome was not.
    else if (base.sessions.get(session_id) === undefined) {
      await settlements.settle(session_id, client_message_id, FAILURES.away);
    } else {
      unsettled.add(session_id, client_message_id, message.chars);
      expiry.restore(message);
    }
  };
  const sends = async (): Promise<void> => {
    const accepted = await base.ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP);
    await Promise.all(accepted.map(takeUp));
  };

  const steps = [...down, sends(), prompts.restore(), launches.restore()];
  // A full disk must not prevent reads.
  for (const step of await Promise.allSettled(steps)) {
    if (step.status === 'rejected') base.onFault(step.reason);
  }
}
