import type { Ledger } from '@drawbridge/ledger';
import { agentSession, agentSpeaker, isAgentSession } from '../approvals/prompt-asker.ts';

/** Messages that an agent has not got with an answer, by session. */
export type Inboxes = ReturnType<typeof createInboxes>;

export function createInboxes(ledger: Pick<Ledger, 'commit' | 'settingsUnder'>) {
  const inboxes = new Map<string, readonly string[]>();
  const restore = async (prefix: string, sessionOf: (rest: string) => string): Promise<void> => {
    for (const { key, value } of await ledger.settingsUnder(prefix))
      if (Array.isArray(value)) inboxes.set(sessionOf(key.slice(prefix.length)), value.map(String));
  };
  return {
    get: (session_id: string): readonly string[] => inboxes.get(session_id) ?? [],
    /** Resolves when they are stored. */
    async set(session_id: string, messages: readonly string[]): Promise<void> {
      const isEmpty = messages.length === 0;
      if (isEmpty && !inboxes.has(session_id)) return;
      if (isEmpty) inboxes.delete(session_id);
      else inboxes.set(session_id, messages);
      const key = isAgentSession(session_id) ? OWN + agentSpeaker(session_id) : LAUNCHED + session_id;
      await ledger.commit([{ do: 'put_setting', key, value: isEmpty ? null : [...messages] }]);
    },
    sessions: (): readonly string[] => [...inboxes.keys()],
    async restore(): Promise<void> {
      await restore(OWN, agentSession);
      await restore(LAUNCHED, (session_id) => session_id);
    },
  };
}

const OWN = 'agent_inbox:';
const LAUNCHED = 'thread_inbox:';
