import type { FrameOf } from './frames.ts';

type Replayed = 'session_id' | 'prompt_id' | 'prompt_text' | 'choices';
type Optional = 'timeout_ms' | 'default_choice' | 'detected_at' | 'expires_at';

/** A prompt as browsers get it. */
export type PromptBody = Pick<FrameOf<'permission_prompt'>, Replayed | Optional>;

/** A prompt that is not settled. */
export interface Prompt {
  readonly body: PromptBody;
  /** It has the id of a settled one and came just now: an answer that does not say which it means may be late. */
  isFresh: boolean;
  /** `answering`: a person has answered, and the proxy has not said what became of it. */
  state: 'open' | 'answering';
  /** Its time ran out while it was being answered. */
  overdue: boolean;
  callOff: () => void;
}

const DENYING = new Set(['no', 'never', 'deny', 'cancel', 'abort']);

/** CHT-225: whether the default can only ever deny. A choice that says it allows is no denial, whatever its id. */
export function denies({ choices, default_choice }: PromptBody): boolean {
  const choice = choices.find(({ choice_id }) => choice_id === default_choice);
  if (choice === undefined || choice.effect === 'allow') return false;
  const id = choice.choice_id;
  return choice.effect === 'deny' || DENYING.has(id) || id.startsWith('reject');
}
