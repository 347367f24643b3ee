import type { SessionRecord } from '../ledger/records.ts';
import type { Announcements } from './announcements.ts';
import type { CoreContext } from './core-context.ts';
import type { Delivery } from './delivery.ts';
import { parseSession } from './frames.ts';
import type { Launches } from './launches.ts';
import type { Prompts } from './prompts.ts';

interface Parts {
  readonly announcements: Announcements;
  readonly delivery: Delivery;
  readonly prompts: Prompts;
  readonly launches: Launches;
}

/** More than are ever queued; the rest waits for the next start. */
export const MAX_TAKEN_UP = 100_000;

/** Brings the ledger in line with a fresh start, where nothing is connected. */
export async function recover(
  context: CoreContext,
  live: readonly SessionRecord[],
  parts: Parts,
): Promise<void> {
  const { announcements, delivery, prompts, launches } = parts;

  const wereUp = live.filter(({ metadata }) => parseSession(metadata).status !== 'disconnected');
  const down = wereUp.map(async ({ session_id }) => {
    const session = context.sessions.get(session_id);
    if (session !== undefined) await announcements.down(session, 'proxy_disconnected');
  });

  const sends = async (): Promise<void> => {
    const accepted = await context.ledger.expiredMessages(Number.MAX_SAFE_INTEGER, MAX_TAKEN_UP);
    await Promise.all(accepted.map(delivery.restore));
  };

  const steps = [...down, sends(), prompts.restore(), launches.restore()];
  // A full disk must not prevent reads.
  for (const step of await Promise.allSettled(steps)) {
    if (step.status === 'rejected') context.onError(step.reason);
  }
}
