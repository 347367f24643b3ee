import type { ContextLine } from '@drawbridge/protocol/semantic';
import { lineOf } from './composed-tree.ts';
import { roleOf } from './role.ts';
import { cutText, isText, textIn } from './text.ts';
import type { Sighting } from './viewport.ts';
import { isRendered, touches } from './visibility.ts';
import type { View } from './walk.ts';
import { styleOf } from './walk-cache.ts';

/** Enough to identify the text; `read` returns all of it. */
const TEXT_LIMIT = 100;
const SMALLEST_FONT_PX = 5;

interface Passage {
  readonly element: Element;
  readonly kind: ContextLine['kind'];
}

/** Collects headings and texts in view during a walk, and formats them afterwards. */
export function createContextGatherer(inViewOnly: boolean) {
  let passages: Passage[] = [];

  return {
    visit(element: Element, view: View): void {
      if (passages.at(-1)?.element.contains(element)) return;
      const heading = /^h[1-6]$/.test(element.localName) || element.getAttribute('role') === 'heading';
      if (!heading && !hasOwnText(element)) return;
      if (inViewOnly && !touches(element.getBoundingClientRect(), view.seen)) return;
      if (isLegible(element)) passages.push({ element, kind: heading ? 'heading' : 'text' });
    },
    /** The walk restarts. */
    clear(): void {
      passages = [];
    },
    /** Lines that no listed element repeats, each before the first listed element that follows it. */
    lines(sightings: readonly Sighting[], names: ReadonlySet<string>): ContextLine[] {
      const controls = new Set(
        sightings.filter(({ reason }) => reason !== undefined).map(({ element }) => element),
      );
      let at = 0;
      return passages.flatMap(({ element, kind }) => {
        for (let next = sightings[at]; next && isBefore(next.element, element); next = sightings[at]) at++;
        if (lineOf(element).some((outer) => controls.has(outer))) return [];
        const whole = textIn(element, TEXT_LIMIT * 2);
        if (!/[\p{L}\p{N}]{2}/u.test(whole) || names.has(whole)) return [];
        const text = whole.length > TEXT_LIMIT ? `${cutText(whole, TEXT_LIMIT - 1)}…` : whole;
        return { kind, text, at };
      });
    },
  };
}

function isBefore(element: Element, passage: Element): boolean {
  return (element.compareDocumentPosition(passage) & FOLLOWS) !== 0;
}

/** https://dom.spec.whatwg.org/#dom-node-document_position_following */
const FOLLOWS = 4;

function hasOwnText(element: Element): boolean {
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child) && /[\p{L}\p{N}]/u.test(child.data)) return true;
  }
  return false;
}

/** Text too small or too transparent to read is meant for machines. */
function isLegible(element: Element): boolean {
  return (
    Number.parseFloat(styleOf(element).fontSize) >= SMALLEST_FONT_PX &&
    isRendered(element) &&
    roleOf(element) !== 'textbox'
  );
}
