import type { EffectClass } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { type AskedContent, readContent } from './asked-content.ts';

/** What is known of the element a call is about: told by page code, so believed only where that makes us stricter. */
export interface Purpose {
  /** What the element is called. */
  readonly label?: string;
  readonly submits: boolean;
  /** The form it belongs to asks for a card, an account or a password. */
  readonly sensitive: boolean;
  /** The element itself is a secret field. */
  readonly secret: boolean;
  /** Whether anything beyond the element hears of it: writing in a field sets nothing off. */
  readonly sends?: 'never' | 'maybe' | 'surely';
  /** Whose page code answered: a frame's is another than the tab's. */
  readonly origin?: string;
  /** Told when a person is asked. */
  readonly content?: AskedContent;
}

/** Words on what commits: a heuristic, in the languages our pages come in. */
const COMMITS =
  /(?<![\p{L}])(?:pay|buy|purchase|place (?:the |your )?order|order now|check ?out|confirm|send|submit|delete|remove (?:account|forever|permanently)|erase|publish|post|transfer|withdraw|donate|subscribe|unsubscribe|authori[sz]e|grant|allow access|sign (?:the|and)|cancel (?:account|subscription|order)|deactivate|(?:close|terminate) (?:the |my |your )?account|bezahlen|zahlungspflichtig|kaufen|bestellen|senden|absenden|löschen|veröffentlichen|überweisen|payer|acheter|commander|envoyer|supprimer|publier|pagar|comprar|enviar|eliminar|borrar|publicar|acquista|invia|elimina|pubblica)(?![\p{L}])/iu;

/** Fields whose form, once sent, commits somebody to something. */
export function effectOfPress(purpose: Purpose): EffectClass {
  if (purpose.sends === 'never') return 'act';
  if (purpose.sends === 'surely') return 'irreversible';
  if (purpose.submits && purpose.sensitive) return 'irreversible';
  return COMMITS.test(purpose.label ?? '') ? 'irreversible' : 'act';
}

/** The same for a tool that is known only by its name and what is said of it: `deleteRow`, "Deletes a row". */
export function effectOfWords(text: string): EffectClass {
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const forms = [words, ...['s', 'es', 'd', 'ed', 'ing', 'ion'].map((end) => withoutEnding(words, end))];
  return forms.some((form) => COMMITS.test(form)) ? 'irreversible' : 'act';
}

const withoutEnding = (text: string, end: string): string =>
  text.replace(new RegExp(`${end}(?![\\p{L}])`, 'giu'), '');

/** What page code said, or the strictest reading of what it did not. */
export function readPurpose(value: unknown): Purpose {
  if (!isObject(value)) return { submits: true, sensitive: true, secret: true };
  const { label, sends, origin } = value;
  const content = readContent(value['content']);
  return {
    ...(content !== undefined && { content }),
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(sends === 'never' || sends === 'surely' ? { sends } : {}),
    ...(typeof origin === 'string' && origin !== '' ? { origin } : {}),
    submits: value['submits'] !== false,
    sensitive: value['sensitive'] !== false,
    secret: value['secret'] !== false,
  };
}
