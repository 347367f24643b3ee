import { quoted } from './intent.ts';
import { hasWords, likeness, wordsOf } from './likeness.ts';
import { fail, type Move, type RuleContext } from './rule-context.ts';

const AMOUNT = /(?:[€$£]|EUR|USD|CHF|GBP)\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€$£]|EUR|USD|CHF|GBP|Euro)/iu;
const NUMBER = /\d+/;

/** Reads values from the tree, which lacks plain text. */
export function playRead(what: string, of: string, ruleContext: RuleContext): Move {
  const value = valueIn(what, of, ruleContext);
  if (value !== undefined) return { kind: 'done', found: { what, value } };
  return fail(
    `I can read titles, names and values of fields, and the ${what}${of && ` of ${quoted(of)}`} is not among them here: set a model key to ask about the text of a page.`,
  );
}

function valueIn(what: string, of: string, { page, request }: RuleContext): string | undefined {
  if (of === '' && /^(?:page )?(?:title|titel|überschrift)$|^page$/iu.test(what))
    return page.title || undefined;
  if (of === '' && /^(?:url|address|adresse)$/iu.test(what)) return request.url;
  const subject = of || what;
  const named = page.nodes
    .map((node) => ({ node, like: likeness(subject, node.n) }))
    .filter(({ like }) => like > 0)
    .sort((one, other) => other.like - one.like)
    .map(({ node }) => node);
  if (/^(?:price|cost|preis)$/iu.test(what))
    return named
      .map(({ n, v }) => AMOUNT.exec(`${n} ${v ?? ''}`)?.[0])
      .find((amount) => amount !== undefined);
  if (what === 'number')
    return named.map(({ n, v }) => NUMBER.exec(v ?? n)?.[0]).find((number) => number !== undefined);
  const field = named.find(({ v }) => v !== undefined && v !== '');
  if (field !== undefined) return field.v;
  const isAbout = of !== '' && hasWords(wordsOf('title name heading titel'), wordsOf(what));
  return isAbout ? named[0]?.n : undefined;
}
