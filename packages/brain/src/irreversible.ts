import type { InteractRequest } from '@drawbridge/protocol';
import { type ClientStep, GRANTS_FEATURE, toolsFor } from './actions.ts';

/** Words on what cannot be taken back: a heuristic, for clients that ask nobody themselves (INT-143). */
const COMMITS =
  /(?<!\p{L})(?:pay|buy|purchase|place (?:the |your )?order|order now|send|delete|erase|publish|post|transfer|withdraw|donate|authori[sz]e|grant|deactivate|close account|bezahlen|zahlungspflichtig|kaufen|bestellen|senden|absenden|löschen|veröffentlichen|überweisen|payer|acheter|commander|envoyer|supprimer|publier|pagar|comprar|enviar|eliminar|borrar|publicar|acquista|invia|elimina|pubblica)(?!\p{L})/iu;

const PRESSES = ['click', 'press', 'select'];

/** Whether a person has to agree first, because nobody else will ask them. */
export function mustAsk(step: ClientStep, subject: string | undefined, request: InteractRequest): boolean {
  if (request.features?.includes(GRANTS_FEATURE) === true) return false;
  const { name, args } = step.action;
  if (name === 'call')
    return toolsFor(request).some((tool) => tool.name === args[0] && tool.effect === 'irreversible');
  return PRESSES.includes(name) && subject !== undefined && COMMITS.test(subject);
}

const REFUSAL = /^\W*(?:no|nope|don['’]?t|do not|stop|cancel|never|nein|nicht|non|pas|annuler?)(?!\p{L})/iu;

/** Who asks back has not agreed yet. */
const QUESTION = /[?？؟]\s*$/;

export const refuses = (words: readonly string[]): boolean =>
  words.some((said) => REFUSAL.test(said) || QUESTION.test(said));
