import type { SessionRecord, WaitingMessage } from '../ledger/records.ts';
import type { Announcements } from './announcements.ts';
import type { CoreContext } from './core-context.ts';
import { parseSession } from './frames.ts';
import type { Launches } from './launches.ts';
import type { PendingSends } from './pending-sends.ts';
import type { Prompts } from './prompts.ts';
import type { SendExpiry } from './send-expiry.ts';
import { FAILURES, type SendOutcomes } from './send-outcomes.ts';

interface Parts {
  readonly announcements: Announcements;
  readonly outcomes: SendOutcomes;
  readonly prompts: Prompts;
  readonly launches: Launches;
  readonly expiry: SendExpiry;
  readonly pending: PendingSends;
}

/** More than are ever queued; the rest waits for the next start. */
export const MAX_TAKEN_UP = 100_000;

/** Brings the ledger in line with a fresh start, where nothing is connected. */
export async function recover(
  context: CoreContext,
  live: readonly SessionRecord[],
  parts: Parts,
): Promise<void> {
  const { announcements, outcomes, prompts, launches, expiry, pending } = parts;

  const wereUp = live.filter(({ metadata }) => parseSession(metadata).status !== 'disconnected');
  const down = wereUp.map(async ({ session_id }) => {
    const session = context.sessions.get(session_id);
    if (session !== undefined) await announcements.down(session, 'proxy_disconnected');
  });

  const takeUp = async (message: WaitingMessage): Promise<void> => {
    const { session_id, client_message_id, attempt } = message;
    // CHT-202: the session's end was stored, and this outcome was not.
    if (context.sessions.get(session_id) === undefined) {
      const failure = attempt > 0 ? FAILURES.lost : FAILURES.away;
      await outcomes.settle(session_id, client_message_id, { ...failure, attempt });
      return;
    }
    pending.add(session_id, client_message_id, message.chars);
    // CHT-300: in doubt until the proxy is back, which may know the outcome.
    if (attempt > 0) expiry.hold(session_id, client_message_id);
    else expiry.restore(message);
  };
  const sends = async (): Promise<void> => {
    const accepted = await context.ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP);
    await Promise.all(accepted.map(takeUp));
  };

  const steps = [...down, sends(), prompts.restore(), launches.restore()];
  // A full disk must not prevent reads.
  for (const step of await Promise.allSettled(steps)) {
    if (step.status === 'rejected') context.onError(step.reason);
  }
}
