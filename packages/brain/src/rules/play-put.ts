import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { isAlike } from './element-choice.ts';
import { type PutIntent, quoted } from './intent.ts';
import { hasWord, hasWords, wordsOf } from './likeness.ts';
import { click, lookFurther, uncovered, whichOf } from './moves.ts';
import { DONE, fail, isDisabled, type Move, type RuleContext, times } from './rule-context.ts';
import { callFor } from './tool-choice.ts';

/** More presses than this are no plain request. */
const MOST_PRESSES = 20;

/** Adds a quantity: by a tool, by a quantity field and a button, or by repeated presses. */
export function playPut(intent: PutIntent, ruleContext: RuleContext): Move {
  const { thing, place, quantity } = intent;
  const isCounted = times(ruleContext, 'quantity') > 0;
  if (times(ruleContext, 'call') > 0 || times(ruleContext, 'press') >= (isCounted ? 1 : quantity))
    return DONE;
  if (quantity < 1 || quantity > MOST_PRESSES)
    return fail(`I add 1 to ${MOST_PRESSES} of a thing at once, not ${quantity}.`);
  if (ruleContext.state.step.did.length === 0) {
    const call = callFor(ruleContext, { text: `add ${thing} ${place}`, thing, quantity });
    if (call !== undefined) return call;
  }
  const buttons = addButtons(intent, ruleContext);
  const [button] = buttons;
  if (button === undefined) return openFirst(intent, ruleContext);
  if (buttons.length > 1) return whichOf(buttons);
  const field = quantity > 1 && !isCounted ? quantityField(ruleContext, button) : undefined;
  if (field !== undefined)
    return {
      kind: 'act',
      action: { name: 'setValue', args: [field.i, String(quantity)] },
      thought: `Write ${quantity} into ${quoted(field.n)}.`,
      part: 'quantity',
      node: field,
    };
  return uncovered(ruleContext, button, (node) => click(node));
}

/** Buttons that add the named thing; on its own page the unnamed one. */
function addButtons({ thing, place }: PutIntent, ruleContext: RuleContext): SemanticNode[] {
  const { pick, failed } = ruleContext.state.step;
  const adding = ruleContext.page.nodes.filter((node) => {
    const words = wordsOf(node.n);
    const isPlace = place !== '' && hasWords(words, wordsOf(place));
    return (
      node.r === 'btn' && !isDisabled(node) && !failed.includes(node.i) && (hasWord(words, 'add') || isPlace)
    );
  });
  const picked = adding.filter((node) => node.i === pick?.i || isAlike(node, pick));
  if (picked.length > 0) return picked.slice(0, 1);
  const wanted = wordsOf(thing);
  const known = [...wordsOf(place), 'add', 'cart'];
  const general = adding.filter(({ n }) => wordsOf(n).every((word) => hasWord(known, word)));
  if (thing === '') return general.length > 0 ? general : adding;
  const isItsPage = hasWords(wordsOf(ruleContext.page.title), wanted);
  if (isItsPage && general.length > 0) return general.slice(0, 1);
  return adding.filter(({ n }) => hasWords(wordsOf(n), wanted));
}

function quantityField({ page, state }: RuleContext, button: SemanticNode): SemanticNode | undefined {
  const at = page.nodes.indexOf(button);
  const names = wordsOf(button.n);
  // A list has one field per thing or none: only a field beside a plain "Add to cart" is meant.
  if (!names.every((word) => hasWord(['add', 'cart'], word))) return undefined;
  return page.nodes
    .slice(Math.max(0, at - 3), at + 4)
    .find(
      (node) =>
        (node.r === 'inp' || node.r === 'sel') &&
        hasWord(wordsOf(node.n), 'quantity') &&
        !state.step.failed.includes(node.i),
    );
}

/** Opens the thing's own page where no button adds it. */
function openFirst({ thing }: PutIntent, ruleContext: RuleContext): Move {
  const named =
    thing === ''
      ? []
      : ruleContext.page.nodes.filter(({ r, n }) => r === 'link' && hasWords(wordsOf(n), wordsOf(thing)));
  const [link] = named;
  if (link !== undefined && times(ruleContext, 'open') === 0) {
    if (named.every((node) => isAlike(node, link)))
      return click(link, 'open', `Open ${quoted(link.n)} to add it there.`);
    return whichOf(named);
  }
  const name = thing === '' ? 'a button that adds it' : thing;
  return (
    lookFurther(ruleContext, name) ??
    fail(
      `I see nothing here that adds ${quoted(thing || 'it')}: say “search for …” first, or which button to press.`,
    )
  );
}
