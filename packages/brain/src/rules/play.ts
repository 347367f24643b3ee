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
import { DONE, fail, isDisabled, type Move, type Scene, times } from './scene.ts';
import { callFor } from './tool-choice.ts';

/** Next move of an intent on the current page. */
export function play(intent: Intent, scene: Scene): Move {
  switch (intent.kind) {
    case 'navigate':
      return once(scene, () => ({
        kind: 'act',
        action: { name: 'navigate', args: [intent.url] },
        thought: `Go to ${intent.url}.`,
        part: 'open',
      }));
    case 'back':
      return once(scene, () => goBack(scene));
    case 'open':
      return once(scene, () => open(intent.target, scene));
    case 'press':
      return once(scene, () => press(intent.target, scene));
    case 'do':
      return once(scene, () => doAsSaid(intent.words, scene));
    case 'search':
      return playSearch(intent.words, scene);
    case 'set':
      return playSet(intent, scene);
    case 'form':
      return askForValues(scene);
    case 'tick':
      return once(scene, () => tick(intent.target, intent.wanted, scene));
    case 'submit':
      return once(scene, () => submit(scene));
    case 'scroll':
      return once(scene, () => ({
        kind: 'act',
        action: { name: 'scroll', args: intent.way === 'down' ? [] : [intent.way] },
        thought: `Scroll ${intent.way}.`,
        part: 'scroll',
      }));
    case 'put':
      return playPut(intent, scene);
    case 'read':
      return playRead(intent.what, intent.of, scene);
    case 'decline':
      return fail(whyNot(intent.words));
  }
}

const once = (scene: Scene, move: () => Move): Move =>
  times(scene, 'press') + times(scene, 'open') + times(scene, 'call') + times(scene, 'scroll') > 0
    ? DONE
    : move();

function goBack(scene: Scene): Move {
  if (!scene.features.has('back')) return press({ name: 'back' }, scene);
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

function open(target: Target, scene: Scene): Move {
  if (isResult(target)) return openResult(target, scene);
  const call =
    target.ordinal === undefined
      ? callFor(scene, { text: `open ${target.name}`, thing: target.name })
      : undefined;
  const fit = { prefer: ['link', 'tab', 'item'], only: OPENED, isAnyOfSameName: true, isStrict: true };
  return call ?? reach(scene, target, fit, (node) => click(node, 'open', `Open ${quoted(node.n)}.`));
}

const PRESSED = [...OPENED, 'chk', 'radio', 'switch', 'application', 'sel', 'video', 'audio'];
const BEHIND_MENUS = ['account', 'profile', 'user', 'menu', 'konto', 'settings'];

function press(target: Target, scene: Scene): Move {
  const isLogout = hasWord(wordsOf(target.name), 'logout');
  const fit = { prefer: ['btn', 'link', 'item'], only: PRESSED, isAnyOfSameName: isLogout, isStrict: true };
  return reach(
    scene,
    target,
    fit,
    (node) => click(node),
    () => callFor(scene, { text: target.name }) ?? (isLogout ? openMenu(scene) : undefined),
  );
}

/** Logging out is often one page away. */
function openMenu(scene: Scene): Move | undefined {
  const menu = scene.page.nodes.find(
    (node) =>
      ['link', 'btn', 'item'].includes(node.r) &&
      !isDisabled(node) &&
      BEHIND_MENUS.some((word) => hasWord(wordsOf(node.n), word)),
  );
  if (menu === undefined || times(scene, 'uncover') > 0) return undefined;
  return click(menu, 'uncover', `I see no way to log out here: look behind ${quoted(menu.n)}.`);
}

/** Buttons often named by the verb alone: "pay now", "send the message". */
const ALONE =
  /^(?:send|save|pay|continue|confirm|cancel|subscribe|download|print|share|accept|close|submit|order|book|register|proceed|check ?out)\b/i;
const OBJECT =
  /^\S+(?:\s+(?:it|this|that|now|all|message|mail|order|changes?|form|file|on|page|cookies?|dialog|here))*$/i;

/** An unknown verb needs an element of that name. */
function doAsSaid(words: string, scene: Scene): Move {
  const [verb = '', ...rest] = words.split(' ');
  const call = callFor(scene, { text: words, thing: rest.join(' ') });
  if (call !== undefined) return call;
  const fit = { prefer: ['btn', 'link'], only: PRESSED };
  const names = ALONE.test(words) && OBJECT.test(words) ? [words, verb] : [words];
  const name = names.find((one) => isWholeName(one, choose(scene, { name: one }, fit)));
  if (name !== undefined) return reach(scene, { name }, fit, (node) => click(node));
  return (isShort(words) ? lookFurther(scene, words) : undefined) ?? fail(whyNot(words));
}

/** Requires the whole name: a button for a part of it does something else. */
function isWholeName(words: string, choice: Choice): boolean {
  const nodes = choice.kind === 'one' ? [choice.node] : choice.kind === 'tie' ? choice.nodes : [];
  return nodes.some(({ n }) => hasWords(wordsOf(n), wordsOf(words)));
}

/** Possibly a button's name; a whole sentence is declined at once. */
const isShort = (words: string): boolean => wordsOf(words).length <= 3 && ALONE.test(words);

function askForValues({ page }: Scene): Move {
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

function tick(target: Target, wanted: boolean, scene: Scene): Move {
  const boxes = scene.page.nodes.filter(({ r }) => TICKED.includes(r));
  const [only] = boxes;
  const named =
    target.name === '' && only !== undefined && boxes.length === 1 ? { ...target, name: only.n } : target;
  const act = (node: SemanticNode): Move => {
    if (isOn(node) === wanted) return DONE;
    const verb = wanted ? 'check' : 'uncheck';
    const thought = `${wanted ? 'Tick' : 'Untick'} ${quoted(node.n)}.`;
    if (!scene.features.has(verb)) return click(node, 'press', thought);
    return { kind: 'act', action: { name: verb, args: [node.i] }, thought, part: 'press', node };
  };
  return reach(scene, { ...named, roles: TICKED }, { prefer: ['chk', 'switch'] }, act);
}

const SUBMITS =
  /^(?:submit|send|save|continue|next|confirm|apply|sign (?:up|in)|register|log ?in|create|done|ok|go|order|search|subscribe|update|add|absenden|senden|abschicken|weiter|speichern|bestätigen|anmelden|registrieren)(?![\p{L}])/iu;
const NEVER = /^(?:show|hide|cancel|reset|clear|back|close|remove|delete|zurück|abbrechen)(?![\p{L}])/iu;

/** The submit button of the last filled field: the nearest one after it. */
function submit(scene: Scene): Move {
  const { page, state } = scene;
  const at = page.nodes.findIndex(({ i }) => i === state.touched);
  const buttons = page.nodes.filter(({ r, i }) => r === 'btn' && !state.step.failed.includes(i));
  const after = buttons.filter((node) => page.nodes.indexOf(node) > at && !NEVER.test(node.n));
  const button =
    buttons.find(({ n }) => /^(?:submit|absenden)(?![\p{L}])/iu.test(n)) ??
    after.find(({ n }) => SUBMITS.test(n)) ??
    (at >= 0 ? after[0] : buttons.find(({ n }) => SUBMITS.test(n)));
  if (button === undefined) return enter(scene);
  return uncovered(scene, button, (node) => click(node));
}

function enter(scene: Scene): Move {
  const field = scene.page.nodes.find(({ i }) => i === scene.state.touched);
  if (field !== undefined && scene.features.has('press') && !scene.state.step.failed.includes(field.i))
    return pressEnter(field);
  return lookFurther(scene, 'submit') ?? fail('I see no button that submits: say which one to press.');
}
