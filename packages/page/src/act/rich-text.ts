import { tidy } from '../perceive/text.ts';
import { sendInput, USUAL, viewOf } from './page-events.ts';

/** Replaces the content of an editing host. */
export async function fillRichText(host: HTMLElement, text: string): Promise<void> {
  host.focus();
  selectAll(host);
  await nextTask();
  if (text === '') deleteSelection(host);
  else await insert(host, text, () => selectAll(host));
}

/** The same without touching focus and selection. */
export async function fillUnfocused(host: HTMLElement, text: string): Promise<void> {
  if (readRichText(host) !== '') {
    byWriting(host, '');
    await nextTask();
  }
  if (text !== '') await insert(host, text, () => {}, UNFOCUSED_WAYS);
}

/** Inserts at the caret, which goes to the end when it is outside the editor. */
export async function typeRichText(host: HTMLElement, text: string): Promise<void> {
  const selection = host.ownerDocument.getSelection();
  if (selection?.anchorNode == null || !host.contains(selection.anchorNode)) {
    host.focus();
    selectAll(host);
    selection?.collapseToEnd();
    await nextTask();
  }
  await insert(host, text, () => {});
}

/** An editor that undoes an attempt loses the selection: each attempt sets its own. */
async function insert(
  host: HTMLElement,
  text: string,
  select: () => void,
  ways: readonly Way[] = WAYS,
): Promise<void> {
  const before = readRichText(host);
  for (const way of ways) {
    select();
    const isTaken = way(host, text);
    await nextTask();
    const now = readRichText(host);
    // Something changed, even if not as expected: another attempt would write it twice.
    if (now !== before || (isTaken && tidy(now).includes(tidy(text)))) return;
  }
}

export function readRichText(host: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered has its lines, and lacks what is hidden
  return host.innerText
    .replace(/\u200B|\uFEFF/g, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Lexical and Slate cancel the event and write into their own document. */
function byBeforeInput(host: HTMLElement, text: string): boolean {
  return !sendInput(host, 'beforeinput', text, 'insertText');
}

/** The browser's own typing: ProseMirror, CodeMirror and Quill read the changed DOM. */
function byCommand(host: HTMLElement, text: string): boolean {
  return host.ownerDocument.execCommand('insertText', false, text);
}

function byPaste(host: HTMLElement, text: string): boolean {
  const view = viewOf(host);
  const clipboardData = new view.DataTransfer();
  clipboardData.setData('text/plain', text);
  return !host.dispatchEvent(new view.ClipboardEvent('paste', { ...USUAL, clipboardData }));
}

/** Writes into the DOM: ProseMirror reads the change, a plain host gets an `input` event. */
function byWriting(host: HTMLElement, text: string): boolean {
  host.textContent = text;
  return sendInput(
    host,
    'input',
    text === '' ? null : text,
    text === '' ? 'deleteContentBackward' : 'insertText',
  );
}

function deleteSelection(host: HTMLElement): void {
  if (sendInput(host, 'beforeinput', null, 'deleteContentBackward')) host.ownerDocument.execCommand('delete');
}

export function selectAll(host: HTMLElement): void {
  host.ownerDocument.getSelection()?.selectAllChildren(host);
}

/** Editors read the selection and changes in later tasks. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(undefined);
  });
}

type Way = (host: HTMLElement, text: string) => boolean;

// Declared after the functions, because the bundle makes constants of them.

/**
 * Editors with an internal document model (ProseMirror, Lexical, Slate, Quill, CodeMirror) must receive text
 * through events they handle, else they restore the old document. Listed in order of preference.
 */
const WAYS: readonly Way[] = [byBeforeInput, byCommand, byPaste];
/** The browser types only at the selection, which belongs to the person in a window in use. */
const UNFOCUSED_WAYS: readonly Way[] = [byBeforeInput, byPaste, byWriting];
