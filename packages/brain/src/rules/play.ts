import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { type Choice, choose } from './element-choice.ts';
import { type Intent, quoted, type Target } from './intent.ts';
import { hasWord, hasWords, wordsOf } from './likeness.ts';
import { click, lookFurther, pressEnter, reach, uncovered } from './moves.ts';
import { playPut } from './play-put.ts';
import { playRead } from './play-read.ts';
import { isResult, openResult, playSearch } from './play-search.ts';
import { isOn, playSet } from './play-set.ts';
import { whyNot } from './reasons.ts';
import { DONE, fail, isDisabled, type Move, type RuleContext, times } from './rule-context.ts';
import { callFor } from './tool-choice.ts';

/** Next move of an intent on the current page. */
export function play(intent: Intent, ruleContext: RuleContext): Move {
  switch (intent.kind) {
    case 'navigate':
      return once(ruleContext, () => ({
        kind: 'act',
        action: { name: 'navigate', args: [intent.url] },
        thought: `Go to ${intent.url}.`,
        part: 'open',
      }));
    case 'back':
      return once(ruleContext, () => goBack(ruleContext));
    case 'open':
      return once(ruleContext, () => open(intent.target, ruleContext));
    case 'press':
      return once(ruleContext, () => press(intent.target, ruleContext));
    case 'do':
      return once(ruleContext, () => followInstruction(intent.words, ruleContext));
    case 'search':
      return playSearch(intent.words, ruleContext);
    case 'set':
      return playSet(intent, ruleContext);
    case 'form':
      return askForValues(ruleContext);
    case 'tick':
      return once(ruleContext, () => tick(intent.target, intent.wanted, ruleContext));
    case 'submit':
      return once(ruleContext, () => submit(ruleContext));
    case 'scroll':
      return once(ruleContext, () => ({
        kind: 'act',
        action: { name: 'scroll', args: intent.way === 'down' ? [] : [intent.way] },
        thought: `Scroll ${intent.way}.`,
        part: 'scroll',
      }));
    case 'put':
      return playPut(intent, ruleContext);
    case 'read':
      return playRead(intent.what, intent.of, ruleContext);
    case 'decline':
      return fail(whyNot(intent.words));
  }
}

const once = (ruleContext: RuleContext, move: () => Move): Move =>
  times(ruleContext, 'press') +
    times(ruleContext, 'open') +
    times(ruleContext, 'call') +
    times(ruleContext, 'scroll') >
  0
    ? DONE
    : move();

function goBack(ruleContext: RuleContext): Move {
  if (!ruleContext.features.has('back')) return press({ name: 'back' }, ruleContext);
  return { kind: 'act', action: { name: 'back', args: [] }, thought: 'Go back.', part: 'open' };
}

const OPENED = [
  'link',
  'tab',
  'item',
  'btn',
  'opt',
  'menu',
  'tree',
  'treeitem',
  'row',
  'gridcell',
  'article',
  'img',
];

function open(target: Target, ruleContext: RuleContext): Move {
  if (isResult(target)) return openResult(target, ruleContext);
  const call =
    target.ordinal === undefined
      ? callFor(ruleContext, { text: `open ${target.name}`, thing: target.name })
      : undefined;
  const fit = { prefer: ['link', 'tab', 'item'], only: OPENED, isAnyOfSameName: true, isStrict: true };
  return call ?? reach(ruleContext, target, fit, (node) => click(node, 'open', `Open ${quoted(node.n)}.`));
}

const PRESSED = [...OPENED, 'chk', 'radio', 'switch', 'application', 'sel', 'video', 'audio'];
const BEHIND_MENUS = ['account', 'profile', 'user', 'menu', 'konto', 'settings'];

function press(target: Target, ruleContext: RuleContext): Move {
  const isLogout = hasWord(wordsOf(target.name), 'logout');
  const fit = { prefer: ['btn', 'link', 'item'], only: PRESSED, isAnyOfSameName: isLogout, isStrict: true };
  return reach(
    ruleContext,
    target,
    fit,
    (node) => click(node),
    () => callFor(ruleContext, { text: target.name }) ?? (isLogout ? openMenu(ruleContext) : undefined),
  );
}

/** Logging out is often one page away. */
function openMenu(ruleContext: RuleContext): Move | undefined {
  const menu = ruleContext.page.nodes.find(
    (node) =>
      ['link', 'btn', 'item'].includes(node.r) &&
      !isDisabled(node) &&
      BEHIND_MENUS.some((word) => hasWord(wordsOf(node.n), word)),
  );
  if (menu === undefined || times(ruleContext, 'uncover') > 0) return undefined;
  return click(menu, 'uncover', `I see no way to log out here: look behind ${quoted(menu.n)}.`);
}

/** Buttons often named by the verb alone: "pay now", "send the message". */
const ALONE =
  /^(?:send|save|pay|continue|confirm|cancel|subscribe|download|print|share|accept|close|submit|order|book|register|proceed|check ?out)\b/i;
const OBJECT =
  /^\S+(?:\s+(?:it|this|that|now|all|message|mail|order|changes?|form|file|on|page|cookies?|dialog|here))*$/i;

/** An unknown verb needs an element of that name. */
function followInstruction(words: string, ruleContext: RuleContext): Move {
  const [verb = '', ...rest] = words.split(' ');
  const call = callFor(ruleContext, { text: words, thing: rest.join(' ') });
  if (call !== undefined) return call;
  const fit = { prefer: ['btn', 'link'], only: PRESSED };
  const names = ALONE.test(words) && OBJECT.test(words) ? [words, verb] : [words];
  const name = names.find((one) => isWholeName(one, choose(ruleContext, { name: one }, fit)));
  if (name !== undefined) return reach(ruleContext, { name }, fit, (node) => click(node));
  return (isShort(words) ? lookFurther(ruleContext, words) : undefined) ?? fail(whyNot(words));
}

/** Requires the whole name: a button for a part of it does something else. */
function isWholeName(words: string, choice: Choice): boolean {
  const nodes = choice.kind === 'one' ? [choice.node] : choice.kind === 'tie' ? choice.nodes : [];
  return nodes.some(({ n }) => hasWords(wordsOf(n), wordsOf(words)));
}

/** Possibly a button's name; a whole sentence is declined at once. */
const isShort = (words: string): boolean => wordsOf(words).length <= 3 && ALONE.test(words);

function askForValues({ page }: RuleContext): Move {
  const fields = page.nodes.filter((node) => (node.r === 'inp' || node.r === 'sel') && !isDisabled(node));
  const empty = fields
    .filter(({ v, s }) => v === undefined && s?.includes('filled') !== true)
    .map(({ n }) => n);
  if (empty.length === 0)
    return fail('I see no empty field on this page: say what to write into which field.');
  return {
    kind: 'ask',
    question: `What should I write into ${empty.map(quoted).join(', ')}?`,
    missing: empty,
  };
}

const TICKED = ['chk', 'switch', 'radio'];

function tick(target: Target, wanted: boolean, ruleContext: RuleContext): Move {
  const boxes = ruleContext.page.nodes.filter(({ r }) => TICKED.includes(r));
  const [only] = boxes;
  const named =
    target.name === '' && only !== undefined && boxes.length === 1 ? { ...target, name: only.n } : target;
  const act = (node: SemanticNode): Move => {
    if (isOn(node) === wanted) return DONE;
    const verb = wanted ? 'check' : 'uncheck';
    const thought = `${wanted ? 'Tick' : 'Untick'} ${quoted(node.n)}.`;
    if (!ruleContext.features.has(verb)) return click(node, 'press', thought);
    return { kind: 'act', action: { name: verb, args: [node.i] }, thought, part: 'press', node };
  };
  return reach(ruleContext, { ...named, roles: TICKED }, { prefer: ['chk', 'switch'] }, act);
}

const SUBMITS =
  /^(?:submit|send|save|continue|next|confirm|apply|sign (?:up|in)|register|log ?in|create|done|ok|go|order|search|subscribe|update|add|absenden|senden|abschicken|weiter|speichern|bestätigen|anmelden|registrieren)(?![\p{L}])/iu;
const NEVER = /^(?:show|hide|cancel|reset|clear|back|close|remove|delete|zurück|abbrechen)(?![\p{L}])/iu;

/** The submit button of the last filled field: the nearest one after it. */
function submit(ruleContext: RuleContext): Move {
  const { page, state } = ruleContext;
  const at = page.nodes.findIndex(({ i }) => i === state.touched);
  const buttons = page.nodes.filter(({ r, i }) => r === 'btn' && !state.step.failed.includes(i));
  const after = buttons.filter((node) => page.nodes.indexOf(node) > at && !NEVER.test(node.n));
  const button =
    buttons.find(({ n }) => /^(?:submit|absenden)(?![\p{L}])/iu.test(n)) ??
    after.find(({ n }) => SUBMITS.test(n)) ??
    (at >= 0 ? after[0] : buttons.find(({ n }) => SUBMITS.test(n)));
  if (button === undefined) return enter(ruleContext);
  return uncovered(ruleContext, button, (node) => click(node));
}

function enter(ruleContext: RuleContext): Move {
  const field = ruleContext.page.nodes.find(({ i }) => i === ruleContext.state.touched);
  if (
    field !== undefined &&
    ruleContext.features.has('press') &&
    !ruleContext.state.step.failed.includes(field.i)
  )
    return pressEnter(field);
  return lookFurther(ruleContext, 'submit') ?? fail('I see no button that submits: say which one to press.');
}
