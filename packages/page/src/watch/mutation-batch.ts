import { isElement, isText } from '../perceive/text.ts';
import {
  dialogName,
  isDialog,
  isMessageLike,
  kindOf,
  type Loudness,
  loudnessOf,
  wordsOf,
} from './announcement.ts';
import type { EventKind } from './page-event.ts';

/** Something that changed and may be worth telling; whether a person can see it is asked later. */
export interface Notice {
  readonly element: Element;
  readonly kind: EventKind;
  readonly text: string;
  readonly loudness: Loudness;
}

/** A page that rebuilds itself makes thousands of records at once; these many are looked at. */
const MOST_RECORDS = 300;
const MOST_PARTS = 200;
const LONG_TEXT = 200;
const SHORTEST_TEXT = 2;

/** What a batch of mutations says, before anything is asked of style or layout. */
export function noticesIn(records: readonly MutationRecord[]): Notice[] {
  const looked = records.length > MOST_RECORDS ? records.slice(-MOST_RECORDS) : records;
  const gone = textsRemoved(looked);
  const notices: Notice[] = [];
  const seen = new Set<Node>();
  for (const record of looked) {
    if (record.type === 'childList') {
      for (const node of record.addedNodes) {
        if (seen.has(node)) continue;
        seen.add(node);
        if (isElement(node)) notices.push(...noticesOfAdded(node, gone));
        else if (isText(node) && isElement(record.target)) notices.push(...noticeOfText(record.target, gone));
      }
    } else if (record.type === 'characterData') {
      const parent = record.target.parentElement;
      if (parent !== null && !seen.has(parent)) {
        seen.add(parent);
        notices.push(...noticeOfText(parent, gone));
      }
    } else if (isElement(record.target)) notices.push(...noticeOfAttribute(record.target, record));
  }
  return notices;
}

/** What was there before and is there again was drawn anew, not said. */
function textsRemoved(records: readonly MutationRecord[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { type, removedNodes, oldValue } of records) {
    if (type === 'characterData' && oldValue !== null) texts.add(oldValue.trim());
    for (const node of removedNodes) {
      texts.add(wordsOf(node));
      if (isElement(node) && node.childElementCount > 0) {
        for (const part of partsOf(node)) texts.add(wordsOf(part));
      }
    }
  }
  return texts;
}

function noticesOfAdded(element: Element, gone: ReadonlySet<string>): Notice[] {
  if (!element.isConnected) return [];
  const text = wordsOf(element);
  if (text.length < SHORTEST_TEXT || gone.has(text)) return [];
  const loudness = loudnessOf(element);
  if (loudness === 'off') return [];
  const dialogs = dialogsIn(element);
  if (dialogs.length === 0 && text.length <= LONG_TEXT && isMessageLike(element)) {
    return [{ element, kind: kindOf(text, loudness, 'added'), text, loudness }];
  }
  const messages = messagesWithin(element, gone);
  return dialogs.length > 0
    ? [...dialogs, ...messages]
    : [...messages, { element, kind: 'added', text, loudness }];
}

/** The element itself, or those in it: a dialog mostly comes with what it covers the page with. */
function dialogsIn(element: Element): Notice[] {
  const inside = [...element.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')];
  return (isDialog(element) ? [element] : inside).map((dialog) => ({
    element: dialog,
    kind: 'dialog',
    text: dialogName(dialog),
    loudness: 'none',
  }));
}

/** Messages in something larger that was added: a form that came back with its errors. */
function messagesWithin(element: Element, gone: ReadonlySet<string>): Notice[] {
  return partsOf(element).flatMap((part) => {
    const text = wordsOf(part);
    if (text.length < SHORTEST_TEXT || text.length > LONG_TEXT || gone.has(text) || !isMessageLike(part))
      return [];
    const loudness = loudnessOf(part);
    const kind = kindOf(text, loudness, 'added');
    return kind === 'error' || (kind === 'success' && loudness !== 'none')
      ? { element: part, kind, text, loudness }
      : [];
  });
}

/** The innermost elements that hold words of their own. */
function partsOf(element: Element): Element[] {
  const parts: Element[] = [];
  let looked = 0;
  for (const part of element.querySelectorAll('*')) {
    if (looked++ > MOST_PARTS) break;
    if ([...part.childNodes].some((child) => isText(child) && child.data.trim() !== '')) parts.push(part);
  }
  return parts;
}

/** Text that changes in place is told when it is in a live region, or says that something failed or worked. */
function noticeOfText(element: Element, gone: ReadonlySet<string>): Notice[] {
  if (element.closest('[contenteditable], textarea, script, style, title') !== null) return [];
  const loudness = loudnessOf(element);
  if (loudness === 'off') return [];
  const text = wordsOf(element);
  if (text.length < SHORTEST_TEXT || gone.has(text)) return [];
  const kind = isMessageLike(element) ? kindOf(text, loudness, 'changed') : 'changed';
  return loudness === 'none' && kind === 'changed' ? [] : [{ element, kind, text, loudness }];
}

const HIDING_STYLE = /display:\s*none|visibility:\s*hidden|opacity:\s*0(?!\.)/;
const HIDING_CLASS = /(?:^|[\s_-])(?:hidden|hide|d-none|invisible|closed|collapsed|inactive)(?=$|\s)/i;
const SHOWING_CLASS = /(?:^|[\s_-])(?:show|shown|visible|active|open|opened|in|enter)(?=$|\s)/i;

/** What was in the document all along and is shown now. */
function noticeOfAttribute(element: Element, { attributeName, oldValue }: MutationRecord): Notice[] {
  if (attributeName === 'open' && isDialog(element)) {
    const kind = element.hasAttribute('open') ? 'dialog' : 'closed';
    return [{ element, kind, text: dialogName(element), loudness: 'none' }];
  }
  if (attributeName === 'aria-invalid') return noticeOfInvalid(element);
  if (attributeName === null || !wasHidden(element, attributeName, oldValue)) return [];
  const text = wordsOf(element);
  if (text.length < SHORTEST_TEXT) return [];
  const loudness = loudnessOf(element);
  if (isDialog(element)) return [{ element, kind: 'dialog', text: dialogName(element), loudness }];
  if (text.length > LONG_TEXT || loudness === 'off' || !isMessageLike(element))
    return messagesWithin(element, new Set());
  return [{ element, kind: kindOf(text, loudness, 'added'), text, loudness }];
}

function wasHidden(element: Element, attribute: string, oldValue: string | null): boolean {
  const value = element.getAttribute(attribute);
  if (attribute === 'hidden') return oldValue !== null && value === null;
  if (attribute === 'aria-hidden') return oldValue === 'true' && value !== 'true';
  if (attribute === 'style') return HIDING_STYLE.test(oldValue ?? '') && !HIDING_STYLE.test(value ?? '');
  if (attribute !== 'class') return false;
  const [before, now] = [oldValue ?? '', value ?? ''];
  return (
    (HIDING_CLASS.test(before) && !HIDING_CLASS.test(now)) ||
    (SHOWING_CLASS.test(now) && !SHOWING_CLASS.test(before))
  );
}

/** A field turned invalid: the words are in what describes it. */
function noticeOfInvalid(field: Element): Notice[] {
  if (field.getAttribute('aria-invalid') === 'false' || !field.hasAttribute('aria-invalid')) return [];
  const ids = `${field.getAttribute('aria-errormessage') ?? ''} ${field.getAttribute('aria-describedby') ?? ''}`;
  const root = field.getRootNode();
  const described = ids
    .split(/\s+/)
    .map((id) => (id !== '' && 'getElementById' in root ? field.ownerDocument.getElementById(id) : null))
    .map((element) => (element === null ? '' : wordsOf(element)))
    .filter(Boolean)
    .join(' ');
  return described === '' ? [] : [{ element: field, kind: 'error', text: described, loudness: 'alert' }];
}
