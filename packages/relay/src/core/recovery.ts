import type { SessionRecord } from '@drawbridge/ledger';
import type { CoreParts } from './commands.ts';
import type { CoreContext } from './core-context.ts';
import { trustSession } from './frames.ts';

/** More than are ever queued; the rest waits for the next start. */
export const MAX_TAKEN_UP = 100_000;

/** Brings the ledger in line with a fresh start, where nothing is connected. */
export async function recover(
  context: CoreContext,
  live: readonly SessionRecord[],
  { announcements, delivery, prompts, launches, scheduledSends }: CoreParts,
): Promise<void> {
  const wereUp = live.filter(({ metadata }) => trustSession(metadata).status !== 'disconnected');
  const down = wereUp.map(async ({ session_id }) => {
    const session = context.sessions.get(session_id);
    if (session !== undefined) await announcements.down(session, 'proxy_disconnected');
  });

  const sends = async (): Promise<void> => {
    const accepted = await context.ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP);
    await Promise.all(accepted.map(delivery.restore));
  };

  const steps = [...down, sends(), prompts.restore(), launches.restore(), scheduledSends.restore()];
  // A full disk must not prevent reads.
  for (const step of await Promise.allSettled(steps)) {
    if (step.status === 'rejected') context.onError(step.reason);
  }
}
