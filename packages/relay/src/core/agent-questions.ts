import type { CoreContext } from './core-context.ts';
import { ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import type { FrameOf } from './frames.ts';
import type { Peer } from './peer.ts';
import { storedOrRefused } from './refusals.ts';

/** Questions that need more than a choice (feature `questions`). The answer is a control command. */
export type AgentQuestions = ReturnType<typeof createAgentQuestions>;

export function createAgentQuestions(context: CoreContext) {
  const store = async (peer: Peer, frame: FrameOf<'agent_question'>): Promise<void> => {
    const { session_id, question_id, text, form, expires_at } = frame;
    const body = { question_id, text, ...(form && { form }), ...(expires_at && { expires_at }) };
    const event = context.event(session_id, 'agent_question', body, { at: context.now() });
    await storedOrRefused(context, peer, frame, context.commit(session_id, [event]));
  };
  return {
    ask: (peer: Peer, frame: FrameOf<'agent_question'>, text: string): void => {
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      if (text.length > MAX_ENTRY_CHARS) peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
      else context.run(store(peer, frame));
    },
  };
}
