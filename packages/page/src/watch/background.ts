import { lineOf } from '../perceive/composed-tree.ts';
import { isElement, isText } from '../perceive/text.ts';

/** The changing part of an element: text, children, or an attribute by name. */
export type ChangeKind = 'text' | 'children' | `@${string}`;

/** Changes of one element during an act. */
export interface Touched {
  readonly kinds: ReadonlySet<ChangeKind>;
  /** The text before its first change. */
  readonly text: string | undefined;
}

/**
 * Tells what a page does by itself, such as clocks and adverts, from the effect of an act: a change that was
 * repeated before the act and was still due, at its own pace, when the act began.
 */
export type Background = ReturnType<typeof createBackground>;

/** A change seen this often has a pace. */
const OFTEN = 3;
/** Late effects of an act are no background. */
const AFTERMATH_MS = 500;
/** Allows for a busy page. */
const LATE_MS = 60;
const MOST_RECORDS = 500;
/** An act that was prepared and dropped has no end. */
const LONGEST_ACT_MS = 10_000;

export function createBackground() {
  const paces = new WeakMap<Element, Map<ChangeKind, readonly number[]>>();
  const contents = new WeakMap<Element, Content>();
  let touched = new Map<Element, { kinds: Set<ChangeKind>; text: string | undefined }>();
  let stirred = new Set<Element>();
  let [begunAt, endedAt, latest, counted, acts] = [-Infinity, -Infinity, 0, 0, 0];
  const isActing = () => latest < endedAt + AFTERMATH_MS && latest < begunAt + LONGEST_ACT_MS;
  const isDue = (times: readonly number[] = []): boolean => {
    const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
    const since = (isActing() ? begunAt : latest) - last;
    return (
      times.length >= OFTEN &&
      isRegular(times) &&
      since <= (2 * (last - first)) / (times.length - 1) + LATE_MS
    );
  };

  const varies = (element: Element): boolean => contents.get(element)?.varies ?? true;
  /** Once varied, always varied: a ticker may show a text twice. An act may have changed what is drawn since. */
  const noteContent = (element: Element): void => {
    const before = contents.get(element);
    if (before?.varies === true) return;
    const html = contentOf(element);
    const hasVaried = html === undefined || (before?.acts === acts && before.html !== html);
    contents.set(element, { html, acts, varies: hasVaried });
  };
  /** Whether an element that is always drawn with the same content now has another. */
  const isDrawnOtherwise = (element: Element): boolean => {
    const before = contents.get(element);
    if (before === undefined || before.varies) return false;
    const html = contentOf(element);
    contents.set(element, { html, acts, varies: false });
    return html !== before.html;
  };

  return {
    add(records: readonly MutationRecord[], now: number): void {
      latest = now;
      for (const record of records.slice(-MOST_RECORDS)) {
        const element = isElement(record.target) ? record.target : record.target.parentElement;
        if (element === null || element.closest('head') !== null) continue;
        const kind = kindOf(record);
        const times = paces.get(element)?.get(kind) ?? [];
        const isDrawn = kind === 'children';
        const isKnown = isDue(times) && !(isDrawn && isActing() && isDrawnOtherwise(element));
        if (isKnown) {
          if (!isDrawn || varies(element)) stirred.add(element);
        } else {
          counted++;
          if (isActing()) {
            const known = touched.get(element) ?? { kinds: new Set(), text: undefined };
            if (kind === 'text') known.text ??= formerText(record);
            known.kinds.add(kind);
            touched.set(element, known);
          }
        }
        if (times.at(-1) === now || (isActing() && !isKnown)) continue;
        if (isDrawn && !isActing()) noteContent(element);
        paces.set(element, (paces.get(element) ?? new Map()).set(kind, [...times, now].slice(-OFTEN - 1)));
      }
    },
    /** Changes from now on are those of an act, until `end`. */
    begin(now: number): void {
      begunAt = latest = now;
      endedAt = Number.POSITIVE_INFINITY;
      acts++;
      touched = new Map();
      stirred = new Set();
    },
    /** More is expected of the act. */
    resume(): void {
      endedAt = Number.POSITIVE_INFINITY;
    },
    end(now: number): void {
      endedAt = latest = now;
    },
    isActing,
    /** False for an element that is drawn again and again with the same content. */
    varies,
    /** Whether an element changes by itself; `fits` selects kinds of changes. */
    isRestless: (element: Element, fits: (kind: ChangeKind) => boolean = () => true): boolean =>
      [...(paces.get(element) ?? [])].some(([kind, times]) => fits(kind) && isDue(times)),
    /** Elements changed since the act began, without the background. */
    touched: (): ReadonlyMap<Element, Touched> => touched,
    /** How many changes were none of the background, ever. */
    count: (): number => counted,
    /** Restless elements that have changed since the act began. */
    stirred: (): ReadonlySet<Element> => stirred,
  };
}

/** A clock ticks evenly; what several acts have caused, one after the other, does not. */
function isRegular(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return Math.max(...gaps) <= 4 * Math.min(...gaps) + LATE_MS * 4;
}

interface Content {
  readonly html: string | undefined;
  readonly varies: boolean;
  /** The number of acts that had begun. */
  readonly acts: number;
}

const LONGEST_CONTENT = 100_000;
/** These differ between two drawings that look the same. */
const UNSEEN_ATTRIBUTES = / (?:id|for|name|data-[\w-]+|aria-[\w-]+)="[^"]*"/g;

/** Undefined when it is too long to be compared. */
function contentOf({ innerHTML }: Element): string | undefined {
  return innerHTML.length > LONGEST_CONTENT ? undefined : innerHTML.replace(UNSEEN_ATTRIBUTES, '');
}

function kindOf({ type, attributeName, addedNodes, removedNodes }: MutationRecord): ChangeKind {
  if (type === 'attributes') return `@${attributeName}`;
  const isTextual = type === 'characterData' || [...addedNodes, ...removedNodes].every(isText);
  return isTextual ? 'text' : 'children';
}

const formerText = ({ type, oldValue, removedNodes }: MutationRecord): string =>
  type === 'characterData'
    ? (oldValue ?? '')
    : [...removedNodes].map(({ textContent }) => textContent ?? '').join(' ');

/** Whether an element, or one around it, changes by itself. */
export function isInBackground(
  { isRestless }: Background,
  element: Element,
  fits?: (kind: ChangeKind) => boolean,
): boolean {
  return lineOf(element).some((outer) => isRestless(outer, fits));
}
