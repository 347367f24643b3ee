import type { ContextLine } from '@drawbridge/protocol/semantic';
import { isField } from '../secrets/secret-field.ts';
import { fullNameOf } from './accessible-name.ts';
import { isControl } from './actionable.ts';
import { hexOf } from './colour.ts';
import { frameDocument, isFrame, isLabel, renderedChildNodes, type ShadowRootOf } from './composed-tree.ts';
import { roleOf } from './role.ts';
import { isElement, isText, isUnseenTag, textIn, tidy } from './text.ts';
import type { Sighting } from './viewport.ts';
import { type Box, isInReach, isRendered, touches } from './visibility.ts';
import { styleOf } from './walk-cache.ts';

const SMALLEST_FONT_PX = 5;
const CELL = ' | ';
/** A space that stays, until whitespace is tidied. */
const SPACE = '\u0001';

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
      if (isLegible(element) && (inViewOnly || isInReach(element))) legible.add(element);
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
  /** Cells of a table that reach into later rows, by column. */
  const carried = new Map<Element | null, Map<number, { text: string; rows: number }>>();
  /** Cells of the current row, where there is one. */
  let cells: string[] | undefined;

  function flush(): void {
    const text = tidy(run).replaceAll(SPACE, ' ');
    run = '';
    if (text.trim() !== '' && /[^\p{P}\p{Z}|]|[-+=?!%#&@*]/u.test(text)) lines.push({ kind, text, at });
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

  /** Preformatted text keeps its lines and spaces; a tab is worth four. */
  function writeBroken(text: string): void {
    const spaced = text
      .replaceAll('\t', '    ')
      .replace(/ {2,}|^ | $| (?=\n)|(?<=\n) /g, (gap) => SPACE.repeat(gap.length));
    spaced.split('\n').forEach((part, index) => {
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
    else if (isBar(element)) run += ` bar ${barShare(element)} `;
    else if (isLamp(element)) run += ` (${hexOf(styleOf(element).backgroundColor)}) `;
    else if (writeGrid(element)) return;
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
    writeCells([...row.children], row.closest('table'));
    const last = sightings.findLastIndex(({ element }) => row.contains(element));
    at = Math.max(at, last + 1);
  }

  /** Cells that span rows are written in each, those that span columns are followed by empty ones. */
  function writeCells(row: readonly Element[], table: Element | null): void {
    const own: string[] = [];
    cells = own;
    const spans = carried.get(table) ?? new Map<number, { text: string; rows: number }>();
    carried.set(table, spans);
    const carry = () => {
      for (
        let from = spans.get(own.length);
        from !== undefined && from.rows > 0;
        from = spans.get(own.length)
      ) {
        from.rows--;
        own.push(from.text);
      }
    };
    for (const cell of row) {
      carry();
      run = '';
      write(cell);
      const text = tidy(run);
      if (text === '' && table === null && holdsListed(cell)) continue;
      const rows = spanOf(cell, 'rowspan');
      if (rows > 1) spans.set(own.length, { text, rows: rows - 1 });
      own.push(text);
      if (row.length > 1) for (let more = spanOf(cell, 'colspan'); more > 1; more--) own.push('');
    }
    if (own.some((text) => text !== '')) carry();
    run = '';
    endRow();
  }

  const holdsListed = (cell: Element): boolean => [...listed.keys()].some((each) => cell.contains(each));

  /** Rows of a grid, or a row of several like it, that are no table for the browser. */
  function writeGrid(element: Element): boolean {
    if (cells !== undefined) return false;
    const rows = gridRows(element);
    for (const row of rows) {
      flush();
      writeCells(row, null);
      const last = sightings.findLastIndex(({ element: each }) => row.some((cell) => cell.contains(each)));
      at = Math.max(at, last + 1);
    }
    return rows.length > 0;
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

const HIGHEST_BAR_PX = 40;
/** A box without words whose only part is as wide as a share of it. */
const isBar = (element: Element): boolean => barShare(element) !== '' && element.textContent?.trim() === '';

function barShare({ childElementCount, firstElementChild, clientHeight }: Element): string {
  if (childElementCount !== 1 || clientHeight === 0 || clientHeight > HIGHEST_BAR_PX) return '';
  const style = firstElementChild?.getAttribute('style') ?? '';
  return /(?:^|;)\s*width:\s*(\d+(?:\.\d+)?%)/.exec(style)?.[1] ?? '';
}

const SMALLEST_LAMP_PX = 5;
const LARGEST_LAMP_PX = 40;
const LONGEST_LAMP_LABEL = 200;

/** A small box without words and of another colour than what is around it, beside words: a lamp, a key of a legend. */
function isLamp(element: Element): boolean {
  const { parentElement: parent, childElementCount, clientWidth, clientHeight } = element;
  if (childElementCount > 0 || parent === null || element.textContent?.trim() !== '') return false;
  const sides = [clientWidth, clientHeight];
  if (sides.some((side) => side < SMALLEST_LAMP_PX || side > LARGEST_LAMP_PX)) return false;
  const label = parent.textContent?.trim() ?? '';
  if (label === '' || label.length > LONGEST_LAMP_LABEL || !isRendered(element)) return false;
  const { backgroundColor } = styleOf(element);
  return hexOf(backgroundColor) !== '' && backgroundColor !== styleOf(parent).backgroundColor;
}

const MOST_SPAN = 24;
const spanOf = (cell: Element, attribute: 'colspan' | 'rowspan'): number =>
  Math.min(Number(cell.getAttribute(attribute)) || 1, MOST_SPAN);

const FEWEST_CELLS = 3;
const MOST_CELLS = 12;
const LONGEST_CELL = 60;
const PARTS = 'h1, h2, h3, h4, h5, h6, ul, ol, table, form, p + p';

/** Children of one visual row, in a flex box or grid beside another with the same class; or the rows of one grid. */
function gridRows(element: Element): readonly (readonly Element[])[] {
  const { display, flexDirection, gridTemplateColumns } = styleOf(element);
  const children = [...element.children];
  if (!/^(?:flex|grid)$/.test(display) || children.length < FEWEST_CELLS) return [];
  const isCell = (child: Element) =>
    child.querySelector(PARTS) === null && (child.textContent?.trim().length ?? 0) <= LONGEST_CELL;
  if (!children.every(isCell)) return [];
  const columns = display === 'grid' ? gridTemplateColumns.split(' ').length : children.length;
  if (columns < FEWEST_CELLS || columns > MOST_CELLS || children.length % columns !== 0) return [];
  if (children.length === columns)
    return flexDirection.startsWith('row') && hasTwin(element) ? [children] : [];
  const rows = Array.from({ length: children.length / columns }, (_, row) =>
    children.slice(row * columns, (row + 1) * columns),
  );
  const isRecord = (row: readonly Element[]) =>
    row.filter((cell) => cell.querySelector('a, button, input, select') !== null || isControl(cell)).length <=
    1;
  return rows.every(isRecord) ? rows : [];
}

const hasTwin = ({ previousElementSibling, nextElementSibling, localName, classList }: Element): boolean =>
  [previousElementSibling, nextElementSibling].some(
    (other) => other?.localName === localName && other.classList[0] === classList[0],
  );

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
