import type { ContextLine } from '@drawbridge/protocol/semantic';
import { isField } from '../secrets/secret-field.ts';
import { fullNameOf } from './accessible-name.ts';
import { isControl } from './actionable.ts';
import { frameDocument, isFrame, isLabel, renderedChildNodes, type ShadowRootOf } from './composed-tree.ts';
import { roleOf } from './role.ts';
import { isElement, isText, isUnseenTag, textIn, tidy } from './text.ts';
import type { Sighting } from './viewport.ts';
import { type Box, isRendered, touches } from './visibility.ts';
import { styleOf } from './walk-cache.ts';

const SMALLEST_FONT_PX = 5;
const CELL = ' | ';

export interface TextOptions {
  readonly shadowRootOf: ShadowRootOf;
  /** Whether the line of a listed element says all of its text. */
  readonly saysAll: (sighting: Sighting) => boolean;
}

/**
 * Collects the elements of a walk that show text, and formats that text afterwards: exact, in page order, one
 * line for each block or table row, split at every listed element.
 */
export function createContextGatherer(inViewOnly: boolean) {
  let visited = new Set<Element>();
  let legible = new Set<Element>();

  return {
    visit(element: Element, seen: Box): void {
      visited.add(element);
      if (!hasOwnText(element)) return;
      if (inViewOnly && !touches(element.getBoundingClientRect(), seen)) return;
      if (isLegible(element)) legible.add(element);
    },
    /** The walk restarts. */
    clear(): void {
      visited = new Set();
      legible = new Set();
    },
    /** The lines, each before the first listed element that follows it. */
    lines(root: Element, sightings: readonly Sighting[], options: TextOptions): ContextLine[] {
      return createWriter({ visited, legible, inViewOnly }, sightings, options)(root);
    },
  };
}

interface Gathered {
  readonly visited: ReadonlySet<Element>;
  readonly legible: ReadonlySet<Element>;
  readonly inViewOnly: boolean;
}

function createWriter(
  { visited, legible, inViewOnly }: Gathered,
  sightings: readonly Sighting[],
  { shadowRootOf, saysAll }: TextOptions,
): (root: Element) => ContextLine[] {
  const listed = new Map(sightings.map((sighting, index) => [sighting.element, { sighting, index }]));
  const lines: ContextLine[] = [];
  let at = 0;
  let run = '';
  let kind: ContextLine['kind'] = 'text';
  /** Cells of the current row, where there is one. */
  let cells: string[] | undefined;

  function flush(): void {
    const text = tidy(run);
    run = '';
    if (text !== '' && /[^\p{P}\p{Z}|]|[-+=?!%#&@*]/u.test(text)) lines.push({ kind, text, at });
  }

  function endRow(): void {
    const row = (cells ?? []).join(CELL).replace(/(?:\s*\|\s*)+$/, '');
    cells = undefined;
    run = row;
    flush();
  }

  function block(element: Element): void {
    if (cells !== undefined) {
      run += ' ';
      inside(element);
      run += ' ';
      return;
    }
    flush();
    inside(element);
    flush();
  }

  function inside(element: Element): void {
    const writesText = legible.has(element);
    const keepsBreaks = writesText && /^(?:pre|break-spaces)/.test(styleOf(element).whiteSpace);
    for (const child of renderedChildNodes(element, shadowRootOf)) {
      if (isText(child)) {
        if (!writesText) run += child.data.trim() === '' ? ' ' : '';
        else if (keepsBreaks && cells === undefined) writeBroken(child.data);
        else run += child.data;
      } else if (isElement(child)) write(child);
    }
  }

  function writeBroken(text: string): void {
    text.split('\n').forEach((part, index) => {
      if (index > 0) flush();
      run += part;
    });
  }

  function write(element: Element): void {
    if (isUnseenTag(element) || !visited.has(element)) return;
    const entry = listed.get(element);
    if (entry !== undefined) {
      if (cells === undefined) flush();
      // In a row the text comes first: its elements follow the whole row.
      if (cells === undefined) at = entry.index + 1;
      const isTarget = entry.sighting.reason !== undefined;
      if (isTarget && saysAll(entry.sighting)) {
        if (cells === undefined) at = lastInside(entry.index);
        return;
      }
    }
    // An unlisted control is out of view, or a part of a listed one.
    if (entry === undefined && inViewOnly && isControl(element)) return;
    if (!isField(element)) writeContent(element);
  }

  /** The index after the last listed element within this one. */
  function lastInside(index: number): number {
    const outer = sightings[index];
    let next = index + 1;
    while (outer !== undefined && (sightings[next]?.order ?? Infinity) < outer.end) next++;
    return next;
  }

  function writeContent(element: Element): void {
    const { localName } = element;
    if (isFrame(element)) writeFrame(element);
    else if (localName === 'br') {
      if (cells === undefined) flush();
      else run += ' ';
    } else if (isLabel(element) && namesListed(element)) skipText(element);
    else if (isHeading(element)) writeHeading(element);
    else if (localName === 'tr' || roleOf(element) === 'row') writeRow(element);
    else if (localName === 'svg') writeDrawing(element);
    else if (localName === 'img') run += imageText(element);
    else if (localName === 'progress' || localName === 'meter') run += ` ${amountText(element)} `;
    else if (localName === 'details' && !element.hasAttribute('open')) writeSummary(element);
    else if (isInline(element)) inside(element);
    else {
      if (isDialog(element)) writeNote(`dialog ${fullNameOf(element)}`);
      block(element);
    }
  }

  function writeNote(text: string): void {
    if (cells !== undefined) return;
    flush();
    lines.push({ kind: 'note', text: tidy(text), at });
  }

  function writeSummary(details: Element): void {
    for (const child of details.children) if (child.localName === 'summary') write(child);
  }

  function writeFrame(frame: Element): void {
    const inner = frameDocument(frame)?.documentElement;
    if (inner != null) block(inner);
  }

  function writeHeading(element: Element): void {
    if (cells !== undefined) {
      inside(element);
      return;
    }
    flush();
    kind = 'heading';
    inside(element);
    flush();
    kind = 'text';
  }

  function writeRow(row: Element): void {
    if (cells !== undefined) {
      inside(row);
      return;
    }
    flush();
    const own: string[] = [];
    cells = own;
    for (const cell of row.children) {
      run = '';
      write(cell);
      own.push(tidy(run));
    }
    run = '';
    endRow();
    const last = sightings.findLastIndex(({ element }) => row.contains(element));
    at = Math.max(at, last + 1);
  }

  /** Axis labels and captions of a drawing, in one line. */
  function writeDrawing(drawing: Element): void {
    const texts = [...drawing.querySelectorAll('text')].filter(
      (text) => visited.has(text) && (listed.get(text)?.sighting.reason ?? undefined) === undefined,
    );
    const words = texts.map((text) => tidy(text.textContent ?? '')).filter((text) => text !== '');
    if (cells === undefined) flush();
    run += words.join(CELL);
    if (cells === undefined) flush();
    const last = sightings.findLastIndex(({ element }) => drawing.contains(element));
    if (cells === undefined) at = Math.max(at, last + 1);
  }

  /** A label whose field carries its words; its other elements stand for themselves. */
  function namesListed(label: HTMLLabelElement): boolean {
    const { control } = label;
    return control !== null && listed.has(control) && fullNameOf(control).includes(textIn(label));
  }

  function skipText(label: Element): void {
    if (cells === undefined) flush();
    const last = sightings.findLastIndex(({ element }) => label.contains(element));
    if (cells === undefined) at = Math.max(at, last + 1);
  }

  return (root) => {
    write(root);
    if (cells === undefined) flush();
    return lines;
  };
}

const isDialog = (element: Element): boolean => /^(?:alert)?dialog$/.test(roleOf(element));

function imageText(image: Element): string {
  const alternative = tidy(image.getAttribute('alt') ?? '');
  return alternative === '' ? '' : ` ![${alternative}] `;
}

/** `progress 30/100`. */
function amountText(element: Element): string {
  const value = element.getAttribute('value');
  if (value === null) return element.localName;
  return `${element.localName} ${value}/${element.getAttribute('max') ?? '1'}`;
}

function isHeading(element: Element): boolean {
  return /^h[1-6]$/.test(element.localName) || element.getAttribute('role') === 'heading';
}

function isInline(element: Element): boolean {
  const { display } = styleOf(element);
  return display.startsWith('inline') || display === 'contents';
}

function hasOwnText(element: Element): boolean {
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child) && /\S/.test(child.data)) return true;
  }
  return false;
}

/** Text too small or too transparent to read is meant for machines. */
function isLegible(element: Element): boolean {
  return Number.parseFloat(styleOf(element).fontSize) >= SMALLEST_FONT_PX && isRendered(element);
}
