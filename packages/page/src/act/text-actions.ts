import { tidy } from '../perceive/text.ts';
import { isEditable, isSecretField, isSelect, rawValueOf } from '../secrets/secret-field.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform } from './action-run.ts';
import { chooseOptions } from './choice.ts';
import { pressChord } from './keyboard.ts';
import { focusFrom } from './pointer.ts';
import { bringIntoView, requireEditable, requirePressable, requireUsable } from './readiness.ts';
import { refusal } from './refusal.ts';
import { fillRichText, fillUnfocused, readRichText, selectAll, typeRichText } from './rich-text.ts';
import type { Target } from './target.ts';
import { fillField, isTextField, putCaretAtEnd } from './text-field.ts';

/** Replaces a field's value and reads it back. */
export function fill(
  id: string,
  text: string,
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    async ready(target: Target) {
      requireUsable(target, context);
      if (!isSelect(target.element)) requireEditable(target, context);
      bringIntoView(target.element);
      if (isEditable(target.element)) await requirePressable(target, context);
    },
    async act({ element }: Target): Promise<OwnWord> {
      const isRich = !isSelect(element) && !isTextField(element) && isHtml(element);
      if (isSelect(element)) chooseOptions(element, [optionFor(element, text)]);
      else if (!options.quiet) focusFrom(element);
      if (isTextField(element)) fillField(element, text);
      else if (isRich && options.quiet) await fillUnfocused(element, text);
      else if (isRich) await writeRichText(element, text, context);
      return readBack(element, text, isRich && !options.quiet, context);
    },
  };
  return perform('fill', id, options, steps, context);
}

/** Appends to a field's value with the events of every key. */
export function type(
  id: string,
  text: string,
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    ready(target: Target) {
      requireUsable(target, context);
      requireEditable(target, context);
      requireRoom(target.element, text);
      bringIntoView(target.element);
    },
    async act({ element }: Target): Promise<OwnWord> {
      const before = rawValueOf(element) ?? '';
      if (element.ownerDocument.activeElement !== element) {
        focusFrom(element);
        if (isTextField(element)) putCaretAtEnd(element);
      }
      if (context.host.insertText !== undefined) await context.host.insertText(text);
      else if (isTextField(element)) {
        for (const character of text)
          pressChord(element, { key: character === '\n' ? 'Enter' : character, modifiers: [] });
      } else if (isHtml(element)) await typeRichText(element, text);
      const own = readBack(element, text, true, context);
      return { ...own, achieved: (rawValueOf(element) ?? '') !== before || text === '' };
    },
  };
  return perform('type', id, options, steps, context);
}

/** The page moves the focus on from a box of one character: only keys follow it there. */
function requireRoom(element: Element, text: string): void {
  if (!isTextField(element) || element.maxLength !== 1 || text.length < 2) return;
  throw refusal(
    'state_mismatch',
    'not_editable',
    'The box takes one character: press keys, which follow the focus.',
  );
}

async function writeRichText(element: HTMLElement, text: string, { host }: ActionContext): Promise<void> {
  if (host.insertText === undefined) return fillRichText(element, text);
  selectAll(element);
  await host.insertText(text);
}

/** The new value, and whether it equals the written text; for a secret only the latter. */
function readBack(element: Element, text: string, byHost: boolean, { watch, host }: ActionContext): OwnWord {
  watch.secrets.learn(element);
  const fidelity = byHost && host.insertText !== undefined ? 'trusted' : 'synthetic';
  const raw = isHtml(element) && isEditable(element) ? readRichText(element) : (rawValueOf(element) ?? '');
  const achieved =
    tidy(raw) === tidy(text) ||
    (isSelect(element) && [...element.selectedOptions].some(({ value }) => value === text));
  if (isSecretField(element))
    return { fidelity, achieved, shortfall: 'the field does not hold what was written' };
  const reads = watch.secrets.clean(raw);
  return { fidelity, achieved, reads, shortfall: `the field says '${reads}'` };
}

function optionFor(select: HTMLSelectElement, text: string) {
  return [...select.options].some(({ value }) => value === text) ? { value: text } : { label: text };
}

function isHtml(element: Element): element is HTMLElement {
  return 'innerText' in element;
}
