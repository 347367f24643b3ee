import type { RuntimeView } from '@drawbridge/bridge';
import { plainLine } from '@drawbridge/protocol';
import type { AgentInTab, AuditAction } from '@drawbridge/protocol/http';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { AgentHolds } from './agent-holds.ts';
import { type BrowserThread, GAVE_BACK, TAKEN_OVER } from './browser-thread.ts';
import type { Inboxes } from './inboxes.ts';
import { tabKey } from './step-words.ts';

export interface TakeoversOptions {
  readonly clock: CoreClock;
  readonly holds: AgentHolds;
  readonly inboxes: Inboxes;
  /** Every thread. */
  readonly all: () => readonly BrowserThread[];
  readonly isLent: (session_id: string) => boolean;
  /** A voice for a session without a thread, closed after its words. */
  readonly voiceIn: (session_id: string) => Promise<Pick<BrowserThread, 'tell' | 'close'>>;
  readonly audit: (person: Identity, action: AuditAction, session_id: string) => Promise<void>;
}

/** People who act in the browser in an agent's place. */
export interface Takeovers {
  /** CHT-366: cancels the agent's calls, and lets further ones wait. False when nothing is lent. */
  readonly takeOver: (person: Identity, session_id: string) => Promise<boolean>;
  /** CHT-367: the agent's next answer says so. False when nobody has taken over. */
  readonly giveBack: (person: Identity, session_id: string) => Promise<boolean>;
  readonly agentsIn: (tab: RuntimeView) => readonly AgentInTab[];
}

const MAX_LABEL = 80;

export function createTakeovers(options: TakeoversOptions): Takeovers {
  const { clock, holds, inboxes, all, isLent, voiceIn, audit } = options;

  const heldWith = (session_id: string): readonly BrowserThread[] =>
    all().filter((thread) => holds.areOne(thread.session_id, session_id));

  const say = async ({ label }: Identity, session_id: string, words: string): Promise<void> => {
    const there = all().find((thread) => thread.session_id === session_id);
    const voice = there ?? (await voiceIn(session_id));
    voice.tell(`browser_acts_${clock.now()}`, `${plainLine(label, MAX_LABEL)} ${words}`);
    if (there === undefined) voice.close();
  };

  return {
    async takeOver(person, session_id) {
      if (!isLent(session_id) || holds.isStopped(session_id)) return false;
      if (holds.pausedBy(session_id) !== undefined) return true;
      const stored = holds.pause(session_id, person.label);
      for (const each of heldWith(session_id)) each.interrupt(TAKEN_OVER);
      await stored;
      await audit(person, 'browser_taken_over', session_id);
      await say(person, session_id, 'took over the browser. The agent waits.');
      return true;
    },
    async giveBack(person, session_id) {
      if (holds.pausedBy(session_id) === undefined) return false;
      await say(person, session_id, 'gave the browser back.');
      // The agent may answer at once, and its answer has to say so.
      const there = heldWith(session_id);
      for (const each of there) each.note(GAVE_BACK);
      if (there.length === 0) await inboxes.set(session_id, [...inboxes.get(session_id), GAVE_BACK]);
      holds.endPause(session_id);
      await audit(person, 'browser_given_back', session_id);
      return true;
    },
    agentsIn: (tab) =>
      all().flatMap((thread) => {
        const there = thread.tab();
        if (there === undefined || tabKey(there) !== tabKey(tab)) return [];
        const { session_id, label: name } = thread;
        const paused_by = holds.pausedBy(session_id);
        return [{ session_id, name, ...(paused_by !== undefined && { paused_by }) }];
      }),
  };
}
