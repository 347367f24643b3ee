import type { Json, Ledger } from '@drawbridge/ledger';
import { isAgentSession } from '../approvals/prompt-asker.ts';
import { trustStored } from '../core/frames.ts';
import type { EventListener, RelayCore } from '../core/ports.ts';
import { SCHEDULED_MESSAGE } from '../core/scheduled-sends.ts';

/**
 * Agents whose browser calls a person has stopped or paused, also by an earlier relay. Sessions of one credential are
 * held together (CHT-345). A person's message ends a stop.
 */
export type AgentHolds = ReturnType<typeof createAgentHolds>;

export function createAgentHolds(
  ledger: Pick<Ledger, 'commit' | 'settingsUnder'>,
  core: Pick<RelayCore, 'onEvents'>,
  onError: (error: unknown) => void,
) {
  const stopped = new Set<string>();
  const paused = new Map<string, string>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const store = async (key: string, value: Json): Promise<void> => {
    await ledger.commit([{ do: 'put_setting', key, value }]);
  };
  const endPause = (session_id: string): boolean => {
    const key = holdKey(session_id);
    if (!paused.delete(key)) return false;
    waiting.get(key)?.resolve();
    waiting.delete(key);
    store(PAUSED + key, null).catch(onError);
    return true;
  };
  const resume = (session_id: string): void => {
    const key = holdKey(session_id);
    if (!stopped.delete(key)) return;
    if (stopped.size === 0) stopListening();
    store(STOPPED + key, null).catch(onError);
  };
  const hear: EventListener = ({ session_id, payload }) => {
    // Only a person's message has this id: an agent may report any text as its user's (CHT-312).
    const { client_message_id: id } = trustStored<Said>(payload['message'] ?? {});
    // CHT-344: a scheduled send was written earlier, and a stop makes the agent idle.
    if (id !== undefined && !id.startsWith(SCHEDULED_MESSAGE)) resume(session_id);
  };
  let stopListening = (): void => {};
  const hold = (key: string): void => {
    if (stopped.size === 0) stopListening = core.onEvents(['user_message'], hear);
    stopped.add(key);
  };
  return {
    isStopped: (session_id: string): boolean => stopped.has(holdKey(session_id)),
    /** Ends a pause too. */
    stop(session_id: string): void {
      const key = holdKey(session_id);
      hold(key);
      store(STOPPED + key, true).catch(onError);
      endPause(session_id);
    },
    resume,
    /** Name of the person who works in the browser in the agent's place (CHT-366). */
    pausedBy: (session_id: string): string | undefined => paused.get(holdKey(session_id)),
    /** Resolves when it is stored. */
    pause(session_id: string, by: string): Promise<void> {
      const key = holdKey(session_id);
      paused.set(key, by);
      return store(PAUSED + key, by);
    },
    /** False if it was not paused. */
    endPause,
    /** Resolves when the session is not paused any more. */
    released(session_id: string): Promise<void> {
      const key = holdKey(session_id);
      if (!paused.has(key)) return Promise.resolve();
      const wait = waiting.get(key) ?? Promise.withResolvers<void>();
      waiting.set(key, wait);
      return wait.promise;
    },
    /** True for sessions that are held together. */
    areOne: (session_id: string, other: string): boolean => holdKey(session_id) === holdKey(other),
    async restore(): Promise<void> {
      for (const { key } of await ledger.settingsUnder(STOPPED)) hold(key.slice(STOPPED.length));
      for (const { key, value } of await ledger.settingsUnder(PAUSED))
        paused.set(key.slice(PAUSED.length), String(value));
    },
    close: () => stopListening(),
  };
}

interface Said {
  readonly client_message_id?: string;
}

const STOPPED = 'agent_stopped:';
const PAUSED = 'agent_paused:';

/** Sessions of one device that came by itself have one key: their slugs are its own claims. */
const holdKey = (session_id: string): string =>
  isAgentSession(session_id) ? session_id.slice(0, session_id.lastIndexOf('_')) : session_id;
