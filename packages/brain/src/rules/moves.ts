import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { type Choice, choose, type Fit } from './element-choice.ts';
import { quoted, type Target } from './intent.ts';
import { isCaptcha, notHere } from './reasons.ts';
import { type Act, type Ask, fail, type Move, type RuleContext, times } from './rule-context.ts';
import type { Part } from './rule-state.ts';

export function click(node: SemanticNode, part: Part = 'press', why = `Press ${quoted(node.n)}.`): Act {
  return { kind: 'act', action: { name: 'click', args: [node.i] }, thought: why, part, node };
}

/** The target, ready to be acted on, or a move that must come first. */
export function reach(
  ruleContext: RuleContext,
  target: Target,
  fit: Fit,
  act: (node: SemanticNode) => Move,
  otherwise?: () => Move | undefined,
): Move {
  const { pick } = ruleContext.state.step;
  const choice = choose(ruleContext, target, pick === undefined ? fit : { ...fit, isStrict: false });
  if (choice.kind === 'one') return uncovered(ruleContext, choice.node, act);
  if (choice.kind === 'tie') return whichOf(choice.nodes);
  return otherwise?.() ?? missing(ruleContext, target, fit, choice);
}

function missing(
  ruleContext: RuleContext,
  target: Target,
  fit: Fit,
  { disabled }: Extract<Choice, { kind: 'none' }>,
): Move {
  if (disabled !== undefined)
    return {
      kind: 'ask',
      question: `${quoted(disabled.n)} cannot be used yet: it is disabled. What should come first?`,
    };
  const further = lookFurther(ruleContext, target.name);
  if (further !== undefined) return further;
  const near = fit.isStrict === true ? choose(ruleContext, target, { ...fit, isStrict: false }) : undefined;
  if (near?.kind === 'one') return whichOf([near.node]);
  if (near?.kind === 'tie') return whichOf(near.nodes);
  return fail(
    notHere(
      target.name,
      ruleContext.page.nodes.some(({ n }) => isCaptcha(n)),
    ),
  );
}

const MOST_SHOWN = 5;

export function whichOf(nodes: readonly SemanticNode[]): Ask {
  const shown = nodes.slice(0, MOST_SHOWN);
  const names = new Set(shown.map(({ n }) => n));
  const more =
    nodes.length > shown.length ? ` (${nodes.length - shown.length} more like these are here)` : '';
  const question =
    names.size === 1 && nodes.length > 1
      ? `There are ${nodes.length} called ${quoted(shown[0]?.n ?? '')}: which one, the first, the second …?`
      : `${nodes.length > 1 ? 'Which one do' : 'Do'} you mean${nodes.length > 1 ? ':' : ''} ${shown.map(({ n }) => quoted(n)).join(' or ')}${more}?`;
  return { kind: 'ask', question, candidates: nodes };
}

const MOST_LOOKS = 10;
export const PAGE = 'page';

/** Scrolls from the top while there is more: the tree shows only visible elements (INT-216). */
export function lookFurther(ruleContext: RuleContext, name: string): Act | undefined {
  const { request, page, state } = ruleContext;
  const looks = times(ruleContext, 'look');
  if (looks >= MOST_LOOKS) return undefined;
  const { scrollPosition = '100%' } = request;
  const canUse = (selector: string) => !state.step.failed.includes(selector);
  const list = request.scrollableContainers?.find(
    ({ id, hasMore }) => hasMore && canUse(id) && page.nodes.some(({ i }) => i === id),
  );
  const look = (...args: string[]): Act => ({
    kind: 'act',
    action: { name: 'scroll', args },
    thought: `${quoted(name)} is not in view: scroll on.`,
    part: 'look',
  });
  if (looks === 0 && request.scrollPosition !== undefined && scrollPosition !== '0%' && canUse('top'))
    return look('top');
  if (scrollPosition !== '100%' && canUse(PAGE)) return look();
  return list && look(list.id);
}

export const pressEnter = (field: SemanticNode): Act => ({
  kind: 'act',
  action: { name: 'press', args: [field.i, 'Enter'] },
  thought: `Press Enter in ${quoted(field.n)}.`,
  part: 'press',
  node: field,
});

/** Buttons that close a cover, least binding first: closing commits to less than accepting. */
const WAYS_OUT = [
  /^(?:close|dismiss|×|✕|✖|x|schließen|schliessen)\b|^[×✕✖]$|\bclose\b/iu,
  /no,? thanks|not now|skip|later|reject|decline|only necessary|nur notwendige|ablehnen|nein danke|später/iu,
  /^(?:ok|okay|got it|understood|verstanden|alles klar|continue|weiter)$/iu,
  /\b(?:accept|agree|allow)\b|akzeptieren|zustimmen/iu,
];
const MOST_COVERS = 3;

/** INT-123: removes the cover of an element first. */
export function uncovered(
  ruleContext: RuleContext,
  node: SemanticNode,
  act: (node: SemanticNode) => Move,
): Move {
  if (node.occ !== true && ruleContext.state.step.covered !== node.i) return act(node);
  const free = ruleContext.page.nodes.filter(
    ({ r, i, occ }) =>
      (r === 'btn' || r === 'link') && occ !== true && !ruleContext.state.step.failed.includes(i),
  );
  const way = WAYS_OUT.map((pattern) => free.find(({ n }) => pattern.test(n.trim()))).find(
    (found) => found !== undefined,
  );
  if (way !== undefined && times(ruleContext, 'uncover') < MOST_COVERS)
    return click(way, 'uncover', `Something covers ${quoted(node.n)}: press ${quoted(way.n)} first.`);
  return {
    kind: 'ask',
    question: `Something covers ${quoted(node.n)}, and I see nothing that closes it. What should I press?`,
  };
}
