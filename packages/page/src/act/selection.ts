import { recall, repeatsSecret } from '../secrets/scrub.ts';
import { isEditable, isSecretField } from '../secrets/secret-field.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform } from './action-run.ts';
import { senderFor } from './pointer.ts';
import { bringIntoView, requireUsable } from './readiness.ts';
import { refusal } from './refusal.ts';
import type { Target } from './target.ts';
import { isTextField } from './text-field.ts';

/** Words of the element's text, at their first or a later place, or the characters from the first to before the second; else all of it. */
export interface SelectionOptions extends ActOptions {
  readonly text?: string;
  /** From 1. */
  readonly nth?: number;
  readonly range?: readonly [number, number];
}

export function selectText(
  id: string,
  options: SelectionOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    ready: (target: Target) => requireUsable(target, context),
    act({ element }: Target): OwnWord {
      bringIntoView(element);
      if (isTextField(element)) {
        const [start, end] = isSecretField(element)
          ? wholeOnly(options, [0, element.value.length])
          : rangeIn(element.value, options);
        element.focus({ preventScroll: true });
        element.setSelectionRange(start, end);
      } else return selectNodes(element, options);
      endSelection(element);
      return { achieved: true };
    },
  };
  return perform('select_text', id, options, steps, context);
}

/** Pages show their toolbar for a selection when the mouse button goes up. */
function endSelection(element: Element): void {
  const { left, top } = element.getBoundingClientRect();
  const send = senderFor(element, { x: left + 1, y: top + 1 }, {}, 1);
  send('pointerup');
  send('mouseup');
}

function selectNodes(element: Element, options: SelectionOptions): OwnWord {
  const document = element.ownerDocument;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
    parentElement?.checkVisibility({ visibilityProperty: true }) === false
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) nodes.push(trustText(node));
  const [start, end] = rangeIn(nodes.map(({ data }) => data).join(''), options);
  const selection = document.getSelection();
  const first = placeOf(nodes, start, false);
  const last = placeOf(nodes, end, true);
  if (selection === null || first === undefined || last === undefined) throw notThere();
  const around = first.node.parentElement ?? element;
  const editor = around.closest('[contenteditable]');
  if (editor instanceof HTMLElement && isEditable(editor)) editor.focus({ preventScroll: true });
  selection.setBaseAndExtent(first.node, first.offset, last.node, last.offset);
  endSelection(around);
  return { achieved: true };
}

/** The text node of a character; an end belongs to the node before it. */
function placeOf(nodes: readonly Text[], index: number, isEnd: boolean) {
  let before = 0;
  for (const node of nodes) {
    const offset = index - before;
    if (isEnd ? offset <= node.length : offset < node.length) return { node, offset };
    before += node.length;
  }
  return undefined;
}

/** A line break of the source counts as the space that the page shows. */
function rangeIn(whole: string, options: SelectionOptions): readonly [number, number] {
  const { text, range, nth = 1 } = options;
  if (recall(whole) !== whole || repeatsSecret(whole)) return wholeOnly(options, [0, whole.length]);
  if (text === undefined) return range ?? [0, whole.length];
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const all = [...whole.matchAll(new RegExp(words.join('\\s+'), 'g'))];
  const found = all[nth - 1];
  if (found === undefined) throw notThere(all.length);
  return [found.index, found.index + found[0].length];
}

/** Whether a part is there, and where, would tell the secret letter by letter: the same answer for each part. */
function wholeOnly(
  { text, range, nth = 1 }: SelectionOptions,
  whole: readonly [number, number],
): readonly [number, number] {
  if (text === undefined && range === undefined && nth === 1) return whole;
  throw refusal(
    'invalid_input',
    'wrong_value',
    'The element holds or repeats a secret: select its whole text.',
  );
}

function notThere(times = 0) {
  const has = times === 0 ? 'does not have this text' : `has this text only ${times} times`;
  return refusal('invalid_input', 'wrong_value', `The element ${has}: nothing was selected.`);
}

/** The walker shows text nodes only. */
function trustText(node: Node): Text {
  return node as Text;
}
