import { elementsNamed } from '../perceive/composed-tree.ts';
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
import { toneOf } from './wording.ts';

/** A change that may be worth reporting; its visibility is checked later. */
export interface Notice {
  readonly element: Element;
  readonly kind: EventKind;
  readonly text: string;
  readonly loudness: Loudness;
}

/** A page that rebuilds itself makes thousands of records at once; the rest are ignored. */
const MOST_RECORDS = 300;
const MOST_PARTS = 200;
const LONG_TEXT = 200;
const SHORTEST_TEXT = 2;

/** Lazy answers, as both are costly and often unused. */
interface Batch {
  /** Whether this container receives many additions: a feed, whose items are content. */
  readonly isFeed: (element: Element, counted: boolean) => boolean;
  /** Whether the same text was removed in the same batch. */
  readonly isRedrawn: (text: string) => boolean;
}

/** Notices of a batch of mutations, without reading style or layout. */
export function noticesIn(records: readonly MutationRecord[], isFeed: Batch['isFeed']): Notice[] {
  const looked = records.length > MOST_RECORDS ? records.slice(-MOST_RECORDS) : records;
  let removed: ReadonlySet<string> | undefined;
  const isRedrawn = (text: string) => {
    removed ??= textsRemoved(looked);
    return removed.has(text);
  };
  const seen = new Set<Node>();
  const once = (node: Node) => !seen.has(node) && seen.add(node).has(node);
  const batch = { isFeed, isRedrawn };
  return looked.flatMap((record) => {
    const { type, target } = record;
    if (type === 'attributes') return isElement(target) ? noticeOfAttribute(target, record) : [];
    const parent = type === 'characterData' ? target.parentElement : target;
    return (type === 'characterData' ? [target] : [...record.addedNodes]).flatMap((node) => {
      if (isElement(node)) return once(node) ? noticesOfAdded(node, batch) : [];
      return isText(node) && parent !== null && isElement(parent) && once(parent)
        ? noticeOfText(parent, batch)
        : [];
    });
  });
}

/** A server's messages about a form are in the page that it answers with. */
export function standingAlerts(document: Document): Notice[] {
  return [...document.querySelectorAll('[role=alert]')].flatMap((element) => {
    const text = wordsOf(element);
    const kind = toneOf(text);
    return kind === undefined ? [] : { element, kind, text, loudness: 'alert' };
  });
}

/** Text removed and added again was re-rendered, and is not a message. */
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

function noticesOfAdded(element: Element, batch: Batch): Notice[] {
  const loudness = element.isConnected ? loudnessOf(unwrapped(element)) : 'off';
  if (loudness === 'off') return [];
  const dialogs = dialogsIn(element);
  const isSilent = loudness === 'none' && dialogs.length === 0;
  // Checked before the text is read, because constantly changing pages add mostly here.
  if (isSilent && element.childElementCount > 1 && batch.isFeed(element, false)) return [];
  const text = wordsOf(element);
  if (text.length < SHORTEST_TEXT || batch.isRedrawn(text)) return [];
  // A list or a column that was drawn again in another order.
  const parts = loudness === 'none' ? partsOf(element) : [];
  if (parts.length > 1 && parts.every((part) => batch.isRedrawn(wordsOf(part)))) return [];
  const isMessage = dialogs.length === 0 && text.length <= LONG_TEXT && isMessageLike(element);
  const kind = isMessage ? kindOf(text, loudness, 'added') : 'added';
  const own: Notice = { element, kind, text, loudness };
  if (isMessage && kind !== 'added') return [own];
  if (isSilent && batch.isFeed(element, true)) return [];
  if (isMessage) return [own];
  return [...dialogs, ...messagesWithin(element, batch), ...(dialogs.length > 0 ? [] : [own])];
}

/** A toast comes in a wrapper or two; the inner element has its urgency. */
function unwrapped(element: Element): Element {
  const { firstElementChild: only, childElementCount } = element;
  return only !== null && childElementCount === 1 ? unwrapped(only) : element;
}

/** The element itself, or dialogs in it: one mostly comes with a backdrop. */
function dialogsIn(element: Element): Notice[] {
  const inside = [...element.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')];
  return (isDialog(element) ? [element] : inside).map((dialog) => ({
    element: dialog,
    kind: 'dialog',
    text: dialogName(dialog),
    loudness: 'none',
  }));
}

/** Messages inside a larger addition, such as a form with errors. */
function messagesWithin(element: Element, batch?: Batch): Notice[] {
  return partsOf(element).flatMap((part) => {
    const text = wordsOf(part);
    if (text.length < SHORTEST_TEXT || text.length > LONG_TEXT || batch?.isRedrawn(text) === true) return [];
    if (!isMessageLike(part)) return [];
    const loudness = loudnessOf(part);
    const kind = kindOf(text, loudness, 'added');
    return kind === 'error' || (kind === 'success' && loudness !== 'none')
      ? { element: part, kind, text, loudness }
      : [];
  });
}

/** The innermost elements with their own text. */
function partsOf(element: Element): Element[] {
  const parts: Element[] = [];
  let looked = 0;
  for (const part of element.querySelectorAll('*')) {
    if (looked++ > MOST_PARTS) break;
    if ([...part.childNodes].some((child) => isText(child) && child.data.trim() !== '')) parts.push(part);
  }
  return parts;
}

/** Text changed in place is reported in a live region, or when it reports failure or success. */
function noticeOfText(element: Element, { isRedrawn }: Batch): Notice[] {
  const loudness = loudnessOf(element);
  const text = loudness === 'off' ? '' : wordsOf(element);
  if (text.length < SHORTEST_TEXT) return [];
  // A number reports neither: counters and clocks.
  if (loudness === 'none' && (text.length > LONG_TEXT || !/\p{L}/u.test(text))) return [];
  const kind = isMessageLike(element) ? kindOf(text, loudness, 'changed') : 'changed';
  if (loudness === 'none' && kind === 'changed') return [];
  const isPart = element.closest('[contenteditable], textarea, script, style, title') !== null;
  return isPart || isRedrawn(text) ? [] : [{ element, kind, text, loudness }];
}

const HIDING_STYLE = /display:\s*none|visibility:\s*hidden|opacity:\s*0(?!\.)/;
const HIDING_CLASS = /(?:^|[\s_-])(?:hidden|hide|d-none|invisible|closed|collapsed|inactive)(?=$|\s)/i;
const SHOWING_CLASS = /(?:^|[\s_-])(?:show|shown|visible|active|open|opened|in|enter)(?=$|\s)/i;

/** An existing element that is now shown. */
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
    return messagesWithin(element);
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

/** A field became invalid: the message is in its description. */
function noticeOfInvalid(field: Element): Notice[] {
  if ((field.getAttribute('aria-invalid') ?? 'false') === 'false') return [];
  const text = ['aria-errormessage', 'aria-describedby']
    .flatMap((name) => elementsNamed(field, name))
    .map((element) => wordsOf(element))
    .filter(Boolean)
    .join(' ');
  return text === '' ? [] : [{ element: field, kind: 'error', text, loudness: 'alert' }];
}
