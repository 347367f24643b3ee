import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { choose } from './element-choice.ts';
import { type Intent, quoted, type SetIntent, shownValue } from './intent.ts';
import { hasWord, likeness, wordsOf } from './likeness.ts';
import { click, reach } from './moves.ts';
import { DONE, fail, isDisabled, type Move, type RuleContext, times } from './rule-context.ts';
import { formCall } from './tool-choice.ts';

const FIELDS = ['inp', 'sel'];
const CHOICES = ['radio', 'opt', 'tab', 'item', 'chk', 'switch'];

/** Fills a field, or chooses in a list or among buttons. */
export function playSet(intent: SetIntent, ruleContext: RuleContext): Move {
  if (times(ruleContext, 'write') > 0 || times(ruleContext, 'press') > 0 || times(ruleContext, 'call') > 0)
    return DONE;
  const run = [intent, ...leading(ruleContext.next)];
  const isSubmitted = ruleContext.next[run.length - 1]?.kind === 'submit';
  const call = isSubmitted ? formCall(ruleContext, run) : undefined;
  if (call !== undefined) return call;
  const { field, value } = intent.isLoose ? fitted(intent, ruleContext) : intent;
  if (intent.by === 'choose') return chooseValue(field, value, ruleContext);
  if (field === '') return writeSomewhere(value, ruleContext);
  return reach(
    ruleContext,
    { name: field },
    { prefer: FIELDS, only: FIELDS },
    (node) => write(node, field, value, ruleContext),
    () => pressChoice(value, ruleContext) ?? openLogin(ruleContext),
  );
}

/** Opens the login page first, from any page. */
function openLogin(ruleContext: RuleContext): Move | undefined {
  const isLogin = ruleContext.next.some(
    (intent) => intent.kind === 'press' && hasWord(wordsOf(intent.target.name), 'login'),
  );
  const way = ruleContext.page.nodes.find(
    ({ r, n }) => (r === 'link' || r === 'btn') && likeness('log in', n) > 0.9,
  );
  if (!isLogin || way === undefined || times(ruleContext, 'uncover') > 0) return undefined;
  return click(way, 'uncover', `I see no field for it here: open ${quoted(way.n)}.`);
}

function leading(intents: readonly Intent[]): SetIntent[] {
  const end = intents.findIndex(({ kind }) => kind !== 'set');
  return intents.slice(0, end < 0 ? undefined : end).filter((intent) => intent.kind === 'set');
}

/** The page's fields decide where the field name ends: "town or city Paris". */
function fitted({ field, value }: SetIntent, { page }: RuleContext): { field: string; value: string } {
  const words = `${field} ${value}`.split(' ');
  const names = page.nodes.filter(({ r }) => FIELDS.includes(r)).map(({ n }) => n);
  const guess = field.split(' ').length;
  const cuts = words.slice(1).map((_, index) => {
    const name = words.slice(0, index + 1).join(' ');
    const like = Math.max(0, ...names.map((other) => likeness(name, other)));
    return { cut: index + 1, score: like + (index + 1 === guess ? 0.01 : 0) };
  });
  const best = cuts.reduce((one, other) => (other.score > one.score ? other : one), { cut: guess, score: 0 });
  return { field: words.slice(0, best.cut).join(' '), value: words.slice(best.cut).join(' ') };
}

function chooseValue(field: string, value: string, ruleContext: RuleContext): Move {
  const lists = ruleContext.page.nodes.filter((node) => node.r === 'sel' && !isDisabled(node));
  const list =
    field === '' ? undefined : choose(ruleContext, { name: field }, { prefer: ['sel'], only: ['sel'] });
  if (list?.kind === 'one')
    return reach(ruleContext, { name: list.node.n, roles: ['sel'] }, { prefer: ['sel'] }, (node) =>
      write(node, field, value, ruleContext),
    );
  const pressed = pressChoice(value, ruleContext);
  if (pressed !== undefined) return pressed;
  const [only] = lists;
  if (field === '' && only !== undefined && lists.length === 1)
    return write(only, only.n, value, ruleContext);
  return reach(ruleContext, { name: value }, { prefer: ['btn', 'link'], only: ['btn', 'link'] }, (node) =>
    click(node),
  );
}

/** Presses a radio button, option or tab named like the value. */
function pressChoice(value: string, ruleContext: RuleContext): Move | undefined {
  const target = { name: value };
  const fit = { prefer: CHOICES.slice(0, 3), only: CHOICES };
  if (choose(ruleContext, target, fit).kind === 'none') return undefined;
  return reach(ruleContext, target, fit, (node) =>
    isOn(node) ? DONE : click(node, 'press', `Choose ${quoted(node.n)}.`),
  );
}

export const isOn = (node: SemanticNode): boolean =>
  node.s?.split(',').some((state) => state === 'checked' || state === 'selected' || state === 'pressed') ===
  true;

function writeSomewhere(value: string, ruleContext: RuleContext): Move {
  const fields = ruleContext.page.nodes.filter((node) => node.r === 'inp' && !isDisabled(node));
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return write(only, only.n, value, ruleContext);
  if (fields.length === 0) return fail('I see no field to write into here: open the page that has it first.');
  return {
    kind: 'ask',
    question: `Into which field should I write ${quoted(value)}: ${fields.map(({ n }) => quoted(n)).join(', ')}?`,
    candidates: fields,
  };
}

function write(node: SemanticNode, field: string, value: string, { features }: RuleContext): Move {
  const isList = node.r === 'sel';
  const text = isList ? asLabel(value) : value;
  if (node.v === text) return DONE;
  const name = isList && features.has('select') ? 'select' : 'setValue';
  const thought = isList
    ? `Choose ${quoted(text)} in ${quoted(node.n)}.`
    : `Write ${shownValue(`${field} ${node.n}`, text)} into ${quoted(node.n)}.`;
  return { kind: 'act', action: { name, args: [node.i, text] }, thought, part: 'write', node };
}

/** Lists capitalize their entries; people often do not. */
const asLabel = (value: string): string =>
  value === value.toLowerCase() ? value.charAt(0).toUpperCase() + value.slice(1) : value;
