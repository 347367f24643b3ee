import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { MASK } from '@drawbridge/protocol/secrets';
import { PageError } from '../locate/page-error.ts';
import { repeatsSecret, selectedAround } from '../secrets/scrub.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import { elementFor } from './elements.ts';
import type { InPageContext } from './in-page-context.ts';
import { doneOrThrow, focusedField } from './writing.ts';

export const read = (
  _: InputOf<'clipboard.read'>,
  { window }: InPageContext,
): Promise<OutputOf<'clipboard.read'>> =>
  allowed(async () => ({ text: await window.navigator.clipboard.readText() }));

export const write = (
  { text }: InputOf<'clipboard.write'>,
  { window }: InPageContext,
): Promise<OutputOf<'clipboard.write'>> =>
  allowed(async () => {
    await window.navigator.clipboard.writeText(text);
    return { written: true, length: text.length };
  });

/** A page in the background or not on https has no clipboard. */
async function allowed<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch {
    const message = 'The browser lets this page have no clipboard: bring its tab to the front, or allow it.';
    throw new PageError('capability_unavailable', message, {
      reason: 'clipboard_refused',
      capability: 'clipboard',
    });
  }
}

/** The text that a copy would take. */
export function selection(context: InPageContext): { readonly text: string } {
  const { document, pageInternals } = context;
  const focused = pageInternals.focused();
  if (focused !== undefined && isSecretField(focused)) {
    const message = 'Nothing is copied out of a secret field.';
    throw new PageError('permission_denied', message, { reason: 'secret_field' });
  }
  const start: unknown = focused === undefined ? undefined : Reflect.get(focused, 'selectionStart');
  const end: unknown = focused === undefined ? undefined : Reflect.get(focused, 'selectionEnd');
  const value: unknown = focused === undefined ? undefined : Reflect.get(focused, 'value');
  const text =
    typeof start === 'number' && typeof end === 'number' && typeof value === 'string'
      ? value.slice(start, end)
      : ((focused?.ownerDocument ?? document).getSelection()?.toString() ?? '');
  // Part of a secret is not recognized as one.
  const around = typeof value === 'string' ? value : selectedAround();
  if (text !== '') return { text: repeatsSecret(around) && text !== around ? MASK : text };
  throw new PageError('state_mismatch', 'Nothing is selected. Use text.select first.', {
    reason: 'nothing_selected',
  });
}

/** Fires a paste event; if the page leaves it to the browser, the text is typed instead. */
export async function paste(
  { text: given, html, target }: InputOf<'clipboard.paste'>,
  context: InPageContext,
): Promise<OutputOf<'clipboard.paste'>> {
  const text = given ?? (html === undefined ? (await read({}, context)).text : '');
  const { id, element } =
    target === undefined ? focusedField(context) : elementFor(target, context, { auto_scroll: true });
  if ('focus' in element && typeof element.focus === 'function') element.focus({ preventScroll: true });
  const view = element.ownerDocument.defaultView ?? context.window;
  const clipboardData = new view.DataTransfer();
  if (text !== '') clipboardData.setData('text/plain', text);
  if (html !== undefined) clipboardData.setData('text/html', html);
  const init = { clipboardData, bubbles: true, composed: true, cancelable: true };
  const isTaken = !element.dispatchEvent(new view.ClipboardEvent('paste', init));
  // The length of a secret would reveal half of it.
  const length = isSecretField(element) ? 0 : (text === '' ? (html ?? '') : text).length;
  const pasted = {
    pasted: true,
    length,
    taken_by: isTaken ? 'page' : 'field',
    default_prevented: isTaken,
    html_provided: html !== undefined,
    inserted_length: length,
  } as const;
  if (isTaken) return pasted;
  if (text === '' && html !== undefined) {
    const message = 'This place takes no HTML. Paste text instead.';
    throw new PageError('invalid_input', message, { reason: 'not_editable' });
  }
  doneOrThrow(await context.page.type(id, text));
  return pasted;
}
