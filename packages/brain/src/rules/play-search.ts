import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { isAlike } from './element-choice.ts';
import { quoted, type Target } from './intent.ts';
import { hasWord, plain, wordsOf } from './likeness.ts';
import { click, lookFurther, pressEnter, uncovered, whichOf } from './moves.ts';
import { DONE, fail, isDisabled, type Move, type RuleContext, times } from './rule-context.ts';
import { searchCall } from './tool-choice.ts';

/** Types into the search field and submits; results may appear without it. */
export function playSearch(words: string, ruleContext: RuleContext): Move {
  const [writes, presses] = [times(ruleContext, 'write'), times(ruleContext, 'press')];
  if (times(ruleContext, 'call') > 0 || (presses > 0 && presses >= writes))
    return inSingular(words, ruleContext) ?? DONE;
  if (writes === 0) return searchCall(ruleContext, words) ?? typeWords(words, ruleContext);
  const button = searchButton(ruleContext);
  if (button !== undefined) return uncovered(ruleContext, button, (node) => click(node));
  if (writes > 1 || hasNewNames(ruleContext)) return inSingular(words, ruleContext) ?? DONE;
  const field = searchField(ruleContext);
  if (field !== undefined && ruleContext.features.has('press')) return pressEnter(field);
  const tried = ruleContext.page.nodes.find(
    (node) => isSearchButton(node) && ruleContext.state.step.failed.includes(node.i),
  );
  const problem =
    tried === undefined
      ? 'but see no button that searches'
      : `pressed ${quoted(tried.n)}, and the page shows no change`;
  return { kind: 'ask', question: `I wrote ${quoted(words)}, ${problem}. Which one should I press?` };
}

/** Many searches match exactly: tries "lamps" again in the singular. */
function inSingular(words: string, ruleContext: RuleContext): Move | undefined {
  const single = words.replace(/(?<=\p{L}{3})s$/iu, '');
  const isTried = times(ruleContext, 'write') + times(ruleContext, 'call') > 1;
  if (single === words || isTried || !foundNothing(ruleContext) || searchField(ruleContext) === undefined)
    return undefined;
  return typeWords(single, ruleContext);
}

function typeWords(words: string, ruleContext: RuleContext): Move {
  const field = searchField(ruleContext);
  if (field !== undefined)
    return uncovered(ruleContext, field, (node) => ({
      kind: 'act',
      action: { name: 'setValue', args: [node.i, words] },
      thought: `Write ${quoted(words)} into ${quoted(node.n)}.`,
      part: 'write',
      node,
    }));
  const opener = usable(ruleContext).find(
    (node) => ['btn', 'link', 'item'].includes(node.r) && isSearchName(node.n),
  );
  if (opener !== undefined && times(ruleContext, 'open') === 0)
    return click(opener, 'open', `Open ${quoted(opener.n)} to find the search field.`);
  return fail(
    'I see no search field on this page: open the page that has one, or name the field to write into.',
  );
}

const usable = ({ page, state }: RuleContext): SemanticNode[] =>
  page.nodes.filter((node) => !isDisabled(node) && !state.step.failed.includes(node.i));

const isSearchName = (name: string): boolean => hasWord(wordsOf(name), 'search') || /suche|query/i.test(name);

function searchField(ruleContext: RuleContext): SemanticNode | undefined {
  const fields = usable(ruleContext).filter(({ r }) => r === 'inp' || r === 'sel');
  const inputs = fields.filter(({ r }) => r === 'inp');
  return (
    inputs.find(({ n }) => isSearchName(n)) ??
    fields.find(({ n }) => isSearchName(n)) ??
    (inputs.length === 1 ? inputs[0] : undefined)
  );
}

/** The nearest button after the field; an icon-only button has no name to match. */
function searchButton(ruleContext: RuleContext): SemanticNode | undefined {
  const nodes = usable(ruleContext);
  const field = searchField(ruleContext);
  const after = nodes.slice(field === undefined ? 0 : nodes.indexOf(field) + 1);
  return after.find(isSearchButton) ?? nodes.find(isSearchButton);
}

const isSearchButton = ({ r, n }: SemanticNode): boolean =>
  r === 'btn' && (isSearchName(n) || /^(?:go|los)$/i.test(n));

function hasNewNames({ page, state }: RuleContext): boolean {
  const before = new Set(state.search?.before);
  return page.nodes.some((node) => node.r !== 'inp' && !before.has(placeOf(node)));
}

export const placeOf = ({ r, n }: SemanticNode): string => `${r} ${n}`;

const RESULT =
  /^(?:search )?(?:results?|hits?|links?|items?|products?|entry|entries|matches|match|ones?|ergebnis(?:se)?|treffer|eintrag|artikel|produkt)?$/iu;

export const isResult = ({ name, ordinal }: Target): boolean => ordinal !== undefined && RESULT.test(name);

const NOTHING =
  /\b(?:nothing (?:was )?found|no (?:results?|matches|products?|entries|hits)|0 (?:results|products|hits)|keine (?:treffer|ergebnisse)|nichts gefunden)\b/iu;

const SOMETHING =
  /\b[1-9]\d* (?:results?|matches|match|products?|entries|hits?|items?|treffer|ergebnisse?)\b/iu;

/** Uses the latest message: an earlier search may still be among the events. */
function foundNothing({ state, request, page }: RuleContext): boolean {
  const told = [
    JSON.stringify(state.outputs.at(-1) ?? ''),
    ...(request.recentEvents ?? []),
    ...page.nodes.map(({ n }) => n),
  ];
  const last = told.findLast((text) => NOTHING.test(text) || SOMETHING.test(text));
  return last !== undefined && NOTHING.test(last);
}

/** Opens a search result, or a link below the page's fields. */
export function openResult({ ordinal = 1, name, roles }: Target, ruleContext: RuleContext): Move {
  const { search, step } = ruleContext.state;
  if (search !== undefined && foundNothing(ruleContext))
    return fail(`The search for ${quoted(search.words)} found nothing: try other words.`);
  const { nodes, isSure } =
    roles === undefined ? resultsOf(ruleContext) : { nodes: linksOf(ruleContext), isSure: true };
  const node = nodes.find((one) => isAlike(one, step.pick)) ?? nodes.at(ordinal > 0 ? ordinal - 1 : ordinal);
  if (node === undefined)
    return (
      lookFurther(ruleContext, name || 'result') ??
      fail('I see no such result here: say the name of the one to open.')
    );
  if (!isSure && step.pick === undefined)
    return lookFurther(ruleContext, name || 'result') ?? whichOf([node]);
  return uncovered(ruleContext, node, (free) => click(free, 'open', `Open ${quoted(free.n)}.`));
}

const linksOf = (ruleContext: RuleContext): SemanticNode[] =>
  usable(ruleContext).filter(({ r, n }) => (r === 'link' || r === 'item' || r === 'opt') && n !== '');

/** In order: links with the search words; merely new links may be anything. */
function resultsOf(ruleContext: RuleContext): { readonly nodes: SemanticNode[]; readonly isSure: boolean } {
  const { page, state } = ruleContext;
  const links = linksOf(ruleContext);
  const lastField = page.nodes.findLastIndex(({ r }) => r === 'inp' || r === 'sel');
  const below = links.filter((node) => page.nodes.indexOf(node) > lastField);
  const { search } = state;
  if (search === undefined) return { nodes: below, isSure: true };
  const stems = wordsOf(search.words).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  const holdsWords = ({ n }: SemanticNode) => stems.some((stem) => plain(n).includes(stem));
  const named = [below.filter(holdsWords), links.filter(holdsWords)].find((group) => group.length > 0);
  if (named !== undefined) return { nodes: named, isSure: true };
  const before = new Set(search.before);
  return { nodes: below.filter((node) => !before.has(placeOf(node))), isSure: false };
}
