import { isField, isInput } from '../secrets/secret-field.ts';
import { guessName } from './guessed-name.ts';
import { huntLabel } from './label-hunt.ts';
import { cutText, textIn, tidy } from './text.ts';
import { textAlternative } from './text-alternative.ts';
import { type Answers, inWalk } from './walk-cache.ts';

/** Contract 4: names are cut to 50 characters. */
export const NAME_LIMIT = 50;

/** The element's name, cut to 50 characters; empty when it has none. */
export function nameOf(element: Element): string {
  return cutText(fullNameOf(element), NAME_LIMIT);
}

/** The same before the cut. */
export function fullNameOf(element: Element): string {
  return inWalk(element, computeName);
}

/** Arrows, bars and dots around a name are decoration. */
const ORNAMENTS = /^[\s|·‣›→▸▶►]+|[\s|·‣›→▸▶►▾▼⋁⌄﹀]+$|(?<=^[^«]+)\s*»$/g;

export function withoutOrnaments(name: string): string {
  return /[\p{L}\p{N}]/u.test(name) ? name.replace(ORNAMENTS, '') : name;
}

/** Whether the name comes from nearby text, an icon or code, and may be wrong. */
export function isGuessedName(element: Element): boolean {
  return inWalk(element, computeIsGuess);
}

/** The cached names of a walk, which stay valid until the page changes. */
export function namesIn(answers: Answers): Answers {
  return new Map([[computeName, answers.get(computeName) ?? new Map()]]);
}

function computeName(element: Element): string {
  const accessible = textAlternative(element);
  if (accessible !== '') return WORDS.test(accessible) ? accessible : titleOf(element) || accessible;
  if (isField(element)) return huntLabel(element) || placeholderOf(element) || guessName(element);
  return textIn(element) || guessName(element);
}

const WORDS = /[\p{L}\p{N}]/u;

/** Says what a sign such as `×` does. */
function titleOf(element: Element): string {
  const title = tidy(element.getAttribute('title') ?? '');
  return WORDS.test(title) ? title : '';
}

function computeIsGuess(element: Element): boolean {
  if (fullNameOf(element) === '' || textAlternative(element) !== '') return false;
  if (isField(element)) return huntLabel(element) !== '' || placeholderOf(element) === '';
  return textIn(element) === '';
}

/** https://www.w3.org/TR/html-aam-1.0/#accessible-name-and-description-computation, and nothing beyond. */
export function accessibleNameOf(element: Element): string {
  return textAlternative(element) || placeholderOf(element) || captionOf(element);
}

function placeholderOf(element: Element): string {
  const placeholder = element.getAttribute('placeholder') ?? element.getAttribute('aria-placeholder') ?? '';
  return isInput(element) && element.type === 'image' ? '' : tidy(placeholder);
}

/** https://www.w3.org/TR/html-aam-1.0/#figure-element-accessible-name-computation */
function captionOf(element: Element): string {
  const caption = element.localName === 'figure' ? element.querySelector(':scope > figcaption') : null;
  return caption === null ? '' : textIn(caption);
}
