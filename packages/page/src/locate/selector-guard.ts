import { PageError } from './page-error.ts';
import { type Compound, compoundsOf } from './selector-text.ts';

/** Equals `LIMITS.selector` of the protocol. */
const MAX_SELECTOR_CHARS = 1_024;
/** Each makes the browser search whole subtrees for every element. */
const MAX_HAS = 2;

/** Elements whose `value` comes from the page and is never typed. */
const CHOICE_TAGS = new Set(['option', 'button', 'li', 'data', 'meter', 'progress', 'param']);
const CHOICE_TYPES = new Set(['radio', 'checkbox', 'submit', 'button', 'reset', 'image']);

/**
 * Refuses a selector that is too long or too slow, or that would reveal a typed value letter by letter, like
 * `input[type=password][value^=a]`.
 */
export function requireAllowed(selector: string): void {
  requireShort(selector);
  if (selector.split(/:has\(/i).length - 1 > MAX_HAS)
    throw refusal(selector, `uses :has() more than ${MAX_HAS} times`);
  const compounds = compoundsOf(selector);
  // An unparsed test could ask for anything.
  if (compounds.some(({ attributes }) => attributes.some(({ name }) => name === '')))
    throw refusal(selector, 'is not valid CSS');
  if (compounds.some(asksForTypedValue))
    throw refusal(selector, 'asks what a field holds: describe the field by its name or label');
}

/** Whether it tests a `value`: then its matches must not include a secret field. */
export function testsValue(selector: string): boolean {
  return compoundsOf(selector).some((compound) => valueTests(compound).length > 0);
}

/** https://www.w3.org/TR/xpath-10/: refuses tests of attribute values, as for selectors. */
export function requireAllowedPath(xpath: string): void {
  requireShort(xpath);
  if (/(?:@|attribute\s*::)\s*(?:\*|node\s*\(|(?:[\w-]+:)?value(?![\w-]))/i.test(xpath))
    throw refusal(xpath, 'asks what a field holds');
  requireQuickPath(xpath);
}

/** Limit of subtree scans by nesting depth of conditions, since each condition repeats its content. */
const MAX_SCANS = [5, 2];
const PATH_TOKEN =
  /"[^"]*"|'[^']*'|\[|\]|(?<=(?:^|[[(,=<>|+*-]|\b(?:and|or|not|div|mod))\s*)\/|\/\/|(?:descendant|following|preceding|ancestor)[\w-]*\s*::/g;

/** The browser cannot interrupt an XPath, so its time is bounded beforehand. */
function requireQuickPath(xpath: string): void {
  const scans: number[] = [];
  let depth = 0;
  for (const [token] of xpath.matchAll(PATH_TOKEN)) {
    if (token === '[') depth += 1;
    else if (token === ']') depth -= 1;
    else if (token === '/' && depth > 0) throw refusal(xpath, 'looks through the whole page in a condition');
    else if (token !== '/' && !/^["']/.test(token)) scans[depth] = (scans[depth] ?? 0) + 1;
  }
  if (scans.some((count, at) => count > (MAX_SCANS[at] ?? 0)))
    throw refusal(xpath, 'looks through the page too often');
}

function requireShort(selector: string): void {
  if (selector.length > MAX_SELECTOR_CHARS)
    throw refusal(selector, `is longer than ${MAX_SELECTOR_CHARS} characters`);
}

function asksForTypedValue(compound: Compound): boolean {
  const tests = valueTests(compound);
  if (tests.length === 0 || isChoice(compound)) return false;
  return !compound.isSubject || tests.some(({ operator }) => operator !== '=');
}

const valueTests = ({ attributes }: Compound) =>
  attributes.filter(({ name, operator }) => name === 'value' && operator !== undefined);

function isChoice({ tag, attributes }: Compound): boolean {
  if (CHOICE_TAGS.has(tag)) return true;
  return attributes.some(
    ({ name, operator, value = '' }) =>
      name === 'type' && operator === '=' && CHOICE_TYPES.has(value.toLowerCase()),
  );
}

function refusal(selector: string, problem: string): PageError {
  return new PageError('invalid_input', `The selector ${problem}.`, { reason: 'selector_refused', selector });
}
