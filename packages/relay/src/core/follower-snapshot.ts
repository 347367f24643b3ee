import type { LaunchRecord, PromptRecord } from '@drawbridge/ledger';
import { configsShownTo } from './configs.ts';
import type { CoreContext } from './core-context.ts';
import { type FrameOf, type OwnFrame, timeText, trustStored } from './frames.ts';
import type { BuildInitialState } from './handshake.ts';
import { createInitialState } from './initial-state.ts';
import type { Peer } from './peer.ts';
import { isFor } from './peers.ts';
import type { RelayEvent } from './ports.ts';
import type { PromptBody } from './prompt.ts';
import { hasEnded } from './sessions.ts';

type Named = Pick<PromptBody, 'session_id' | 'prompt_id'>;

/**
 * Follower snapshot: initial state of a connection, built from events and the ledger, equal to the leader's.
 */
export function createFollowerSnapshot(
  context: CoreContext,
  onDelivered: (peer: Peer, request_id: string) => void,
) {
  const { ledger, sessions } = context;
  const prompts = new Map<string, PromptBody>();
  const keyOf = ({ session_id, prompt_id }: Named): string => JSON.stringify([session_id, prompt_id]);

  const put = (session_id: string, said: PromptRecord['body']): void => {
    const prompt = { session_id, ...trustStored<Omit<PromptBody, 'session_id'>>(said) };
    prompts.set(keyOf(prompt), prompt);
  };

  /**
   * CHT-217: no event reports that a prompt is being answered, so the ledger is read. A prompt that was asked
   * during the read is a new one.
   */
  const openPrompts = async (): Promise<(peer: Peer) => readonly PromptBody[]> => {
    const before = new Map(prompts);
    const answering = new Set((await ledger.answeringPrompts()).map(keyOf));
    return (peer) =>
      [...prompts]
        .filter(([key, prompt]) => {
          const session = sessions.get(prompt.session_id);
          const isTaken = answering.has(key) && before.get(key) === prompt;
          return !isTaken && context.sessions.isSeenBy(peer, session) && !hasEnded(session);
        })
        .map(([, prompt]) => prompt);
  };

  const pendingLaunches = async (peer: Peer) =>
    (await ledger.pendingLaunches())
      .filter((launch) => isFor(launch, peer))
      .map(({ request_id, body, launched_at, timeout_at }) => ({
        request_id,
        agent_type: trustStored<FrameOf<'launch_session'>>(body).agent_type,
        launched_at: timeText(launched_at),
        timeout_at: timeText(timeout_at),
      }));

  /** Until the launch's timeout; for a launch that timed out, twice as long. */
  const isHeld = ({ launched_at, timeout_at, settled_at }: LaunchRecord): boolean => {
    const ranOut = settled_at !== null && settled_at >= timeout_at;
    return context.now() <= timeout_at + (ranOut ? timeout_at - launched_at : 0);
  };

  return {
    restore: async (): Promise<void> => {
      for (const { session_id, body } of await ledger.openPrompts()) put(session_id, body);
    },
    observe: ({ type, session_id, payload }: RelayEvent): void => {
      if (type === 'permission_prompt') put(session_id, payload);
      else if (type === 'permission_prompt_answered' || type === 'permission_prompt_expired')
        prompts.delete(keyOf({ session_id, prompt_id: String(payload['prompt_id']) }));
    },
    initialState: async (peer: Peer): Promise<BuildInitialState> => {
      const [open, launches] = await Promise.all([openPrompts(), pendingLaunches(peer)]);
      return (budget) =>
        createInitialState({ launches, prompts: open(peer), configs: configsShownTo(peer, context) }, budget);
    },
    /** CHT-190 */
    sendHeldPrompts: async (peer: Peer): Promise<void> => {
      const { device_id } = peer;
      for (const record of await ledger.unreportedLaunches(device_id)) {
        if (!isFor(record, peer)) continue;
        if (isHeld(record)) peer.answer(trustStored<OwnFrame>(record.outcome ?? {}));
        onDelivered(peer, record.request_id);
        await ledger.commit([{ do: 'tell_launch', device_id, request_id: record.request_id }]);
      }
    },
  };
}
