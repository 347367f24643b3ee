import type { FrameOf } from './frames.ts';

type Replayed = 'session_id' | 'prompt_id' | 'prompt_text' | 'choices';
type Optional = 'timeout_ms' | 'default_choice' | 'detected_at' | 'expires_at';

/** A prompt as browsers get it. */
export type PromptBody = Pick<FrameOf<'permission_prompt'>, Replayed | Optional>;

/** A prompt that is not settled. */
export interface Prompt {
  readonly body: PromptBody;
  /** Of the event that asked it; 0 when that was before the relay started. */
  readonly sequence: number;
  /** It has the id of a settled one and came just now: an answer that does not say which it means may be late. */
  isFresh: boolean;
  /**
   * `answering`: a person has answered, and the proxy has not said what became of it. `ending`: nobody answers it any more, and
   * that is not stored yet; an answer would be taken for one to the next of its id.
   */
  state: 'open' | 'answering' | 'ending';
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
