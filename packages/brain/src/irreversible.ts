import type { InteractRequest } from '@drawbridge/protocol';
import { saysCommit } from '@drawbridge/protocol/wording';
import { type ClientStep, GRANTS_FEATURE, toolsFor } from './actions.ts';

const PRESSES = ['click', 'press', 'select'];

/** True if the person must consent here, because the client does not ask (INT-143). */
export function mustAsk(step: ClientStep, subject: string | undefined, request: InteractRequest): boolean {
  if (request.features?.includes(GRANTS_FEATURE) === true) return false;
  const { name, args } = step.action;
  if (name === 'call')
    return toolsFor(request).some((tool) => tool.name === args[0] && tool.effect === 'irreversible');
  return PRESSES.includes(name) && subject !== undefined && saysCommit(subject);
}

const REFUSAL = /^\W*(?:no|nope|don['’]?t|do not|stop|cancel|never|nein|nicht|non|pas|annuler?)(?!\p{L})/iu;

/** A question back is no consent. */
const QUESTION = /[?？؟]\s*$/;

export const refuses = (words: readonly string[]): boolean =>
  words.some((said) => REFUSAL.test(said) || QUESTION.test(said));
