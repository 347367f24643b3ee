import type { FrameOf } from './frames.ts';
import type { Peer } from './peer.ts';

type Replayed = 'session_id' | 'prompt_id' | 'prompt_text' | 'choices';
type Optional = 'timeout_ms' | 'default_choice' | 'detected_at' | 'expires_at';

/** A prompt as browsers receive it. */
export type PromptBody = Pick<FrameOf<'permission_prompt'>, Replayed | Optional>;

export interface Prompt {
  readonly body: PromptBody;
  /** Sequence of its event; 0 when that was before the relay started. */
  readonly sequence: number;
  /**
   * True for a new prompt with the id of a settled one: an answer without `detected_at` may be a late one.
   */
  reusesRecentId: boolean;
  /**
   * `answering`: a person has answered, and the proxy has not confirmed it. `ending`: the end is not stored
   * yet; an answer now would count for the next prompt of this id.
   */
  state: 'open' | 'answering' | 'ending';
  /** Timed out while it was being answered. */
  overdue: boolean;
  /** Withdrawn while it was being answered: it does not open again. */
  withdrawn: boolean;
  cancel: () => void;
  /** The peer beside the session's proxy that asked, and gets the answer (CHT-332). */
  readonly asker?: Peer | undefined;
}

/** Feature of a peer of the relay itself, which speaks in the session of a proxy beside it. */
export const BESIDE = 'beside';

/** Begins a question whether an agent may use the lent tabs; a guest of the session cannot lend them (CHT-361). */
export const LENDING_PROMPT = 'browser_lend_';

const DENYING = new Set(['no', 'never', 'deny', 'cancel', 'abort']);

/** CHT-225: true when the default can only deny. A choice that allows is no denial, whatever its id. */
export function defaultDenies({ choices, default_choice }: PromptBody): boolean {
  const choice = choices.find(({ choice_id }) => choice_id === default_choice);
  if (choice === undefined || choice.effect === 'allow') return false;
  const id = choice.choice_id;
  return choice.effect === 'deny' || DENYING.has(id) || id.startsWith('reject');
}
