import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import type { ActionResult, ActOptions } from '../act/action-result.ts';
import { PageError } from '../locate/page-error.ts';
import { elementFor } from './elements.ts';
import type { InPageContext } from './in-page-context.ts';
import { selectedLength } from './located.ts';

type Insert = InputOf<'text.insert'>;
type Inserted = OutputOf<'text.insert'>;
type Locator = NonNullable<Insert['target']>;

const TICKED = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]';
const YES = /^(?:true|on|yes|1|checked)$/i;
const NO = /^(?:false|off|no|0|unchecked|)$/i;

/** Inserts text in the way that the element accepts. A host may ask for it without events. */
export async function insert(
  { text, target, mode = 'replace', quiet = false }: Insert & Pick<ActOptions, 'quiet'>,
  context: InPageContext,
): Promise<Inserted> {
  const { id, element } = writable(target, context, !quiet);
  const { page } = context;
  const inserted = (result: ActionResult, input_method: Inserted['input_method']): Inserted => {
    const { verification_passed } = doneOrThrow(result);
    const inserted = verification_passed || holds(element, text);
    return { inserted, inserted_length: inserted ? text.length : 0, input_method };
  };
  if (element.matches(TICKED)) return inserted(await tick(id, text, context), 'check');
  if (element.localName === 'select') return inserted(await page.fill(id, text), 'option');
  const isEditor = element.matches('[contenteditable]');
  if (mode === 'append') return inserted(await page.type(id, text), isEditor ? 'editor' : 'keyboard');
  return inserted(
    await page.fill(id, text, { quiet, located: target !== undefined }),
    isEditor ? 'editor' : 'native-value-setter+input',
  );
}

function tick(id: string, text: string, { page }: InPageContext): Promise<ActionResult> {
  if (YES.test(text)) return page.check(id);
  if (NO.test(text)) return page.uncheck(id);
  throw new PageError('invalid_input', 'A checkbox takes "true" or "false".', { reason: 'wrong_value' });
}

/** Compared inside the page only; the value is never returned. */
function holds(element: Element, text: string): boolean {
  const value: unknown = Reflect.get(element, 'value');
  return (typeof value === 'string' ? value : (element.textContent ?? '')).includes(text);
}

export function doneOrThrow(result: ActionResult): Extract<ActionResult, { ok: true }> {
  if (result.ok) return result;
  const { code, message, evidence } = result.error;
  throw new PageError(code, message, evidence);
}

function writable(
  target: Locator | undefined,
  context: InPageContext,
  auto_scroll = true,
): { id: string; element: Element } {
  return target === undefined ? focusedField(context) : elementFor(target, context, { auto_scroll });
}

export function focusedField(context: InPageContext): { id: string; element: Element } {
  if (context.pageInternals.focused() !== undefined) return elementFor({ selector: ':focus' }, context);
  const message = 'Nothing has the focus. Name a target, or give a field the focus first.';
  throw new PageError('target_not_found', message, { reason: 'no_focus' });
}

/** Puts the selection where typing starts, for a host that types itself. */
export function prepareTyping(
  { mode, select_back_chars = 0 }: Pick<InputOf<'text.type'>, 'mode' | 'select_back_chars'>,
  context: InPageContext,
): { readonly id: string } {
  const { id, element } = focusedField(context);
  if (mode === 'replace') selectAllOf(element);
  else if (select_back_chars > 0) selectBack(element, select_back_chars);
  return { id };
}

export async function type(
  args: InputOf<'text.type'>,
  context: InPageContext,
): Promise<OutputOf<'text.type'>> {
  const { id } = prepareTyping(args, context);
  doneOrThrow(await context.page.type(id, args.text));
  return { typed: true, typed_length: args.text.length, fidelity: 'synthetic' };
}

export function select({ target }: InputOf<'text.select'>, context: InPageContext): OutputOf<'text.select'> {
  const { element } = writable(target, context);
  if ('focus' in element && typeof element.focus === 'function') element.focus({ preventScroll: true });
  selectAllOf(element);
  return { selected: true, selected_length: selectedLength(context) };
}

function selectAllOf(element: Element): void {
  if ('select' in element && typeof element.select === 'function') {
    element.select();
    return;
  }
  const selection = element.ownerDocument.getSelection();
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  selection?.removeAllRanges();
  selection?.addRange(range);
}

function selectBack(element: Element, chars: number): void {
  const caret: unknown = Reflect.get(element, 'selectionEnd');
  if (typeof caret === 'number' && 'setSelectionRange' in element) {
    const setRange: unknown = element.setSelectionRange;
    if (typeof setRange === 'function') setRange.call(element, Math.max(0, caret - chars), caret);
    return;
  }
  const selection = element.ownerDocument.getSelection();
  for (let back = 0; back < chars; back++) selection?.modify('extend', 'backward', 'character');
}
