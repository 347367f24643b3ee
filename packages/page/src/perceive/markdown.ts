import { isField } from '../secrets/secret-field.ts';
import { fullNameOf, isGuessedName } from './accessible-name.ts';
import { isControl, reasonToList } from './actionable.ts';
import { frameDocument, isFrame, renderedChildNodes } from './composed-tree.ts';
import { containerOf } from './container.ts';
import { hasTrait, roleOf } from './role.ts';
import type { SnapshotContext } from './snapshot.ts';
import { exactValueOf, viewStatesOf } from './state.ts';
import { isElement, isText, isUnseenTag, tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

const SMALLEST_FONT_PX = 5;
/** A line break that stays, until whitespace is tidied. */
const BREAK = '\u0001';
/** A space that stays, until then. */
const SPACE = '\u0002';
const keptSpaces = (text: string): string => text.replace(/^ | $| {2,}/gm, (gap) => SPACE.repeat(gap.length));

export interface Markdown {
  readonly blocks: string[];
  readonly documents: ReadonlySet<Document>;
}

/** The text of an element, one block for each paragraph, heading, list item, row or code block. */
export function toMarkdownBlocks(root: Element, context: SnapshotContext, mainOnly: boolean): Markdown {
  const blocks: string[] = [];
  const documents = new Set([root.ownerDocument]);
  let line = '';
  let isRow = false;

  function flush(prefix = ''): void {
    const text = tidyLines(line);
    line = '';
    if (/[\p{L}\p{N}\p{S}]/u.test(text)) blocks.push(prefix + text);
  }

  function block(element: Element, prefix: string): void {
    flush();
    inside(element);
    flush(prefix);
  }

  function inside(element: Element): void {
    for (const child of renderedChildNodes(element, context.shadowRootOf)) {
      if (isText(child)) writeText(child.data, element);
      else if (isElement(child)) write(child);
    }
  }

  /** Preformatted text keeps its lines, and an empty one ends a paragraph. */
  function writeText(text: string, element: Element): void {
    if (isRow || !/^(?:pre|break-spaces)/.test(styleOf(element).whiteSpace)) {
      line += text;
      return;
    }
    text.split(/\n[^\S\n]*(?=\n)/).forEach((paragraph, index) => {
      if (index > 0) flush();
      const kept = keptSpaces(paragraph.replaceAll('\t', '    ').replace(/^\n|\n$/g, ''));
      line += kept.replaceAll('\n', BREAK);
    });
  }

  function write(element: Element): void {
    if (isUnseenTag(element) || !isShown(element)) return;
    const prefix = prefixOf(element);
    if (isFrame(element)) writeFrame(element);
    else if (isControl(element) || isPressed(element)) writeControl(element);
    else if (prefix !== undefined) block(element, prefix);
    else if (!(mainOnly && element !== root && hasTrait(roleOf(element), 'a'))) writeOther(element);
  }

  /** Listens, and its content is its label. */
  function isPressed(element: Element): boolean {
    const reason = element === root ? undefined : reasonToList(element, context.listenerHint);
    const isTarget = reason === 'listens' || isKnownTarget(element);
    return isTarget && containerOf(element, styleOf(element).cursor) === undefined;
  }

  /** A look has listed it: a part of a container that listens. */
  function isKnownTarget(element: Element): boolean {
    const id = element === root ? undefined : context.registry.knownIdOf(element);
    return id !== undefined && context.registry.fingerprintOf(id) !== undefined;
  }

  function writeOther(element: Element): void {
    if (element.localName === 'img') line += ` ${imageText(element)} `;
    else if (element.localName === 'br') line += ' ';
    else if (element.localName === 'pre') {
      flush();
      blocks.push(`\`\`\`\n${element.textContent?.replace(/^(?:\s*\n)+|\s*\n\s*$/g, '') ?? ''}\n\`\`\``);
    } else if (element.localName === 'tr') {
      flush();
      writeRow(element);
    } else if (isBlock(element)) block(element, '');
    else inside(element);
  }

  function writeRow(row: Element): void {
    const cells: string[] = [];
    isRow = true;
    for (const cell of row.children) {
      inside(cell);
      cells.push(tidy(line));
      line = '';
    }
    isRow = false;
    if (cells.some((cell) => cell !== '')) blocks.push(`| ${cells.join(' | ')} |`);
  }

  function writeControl(element: Element): void {
    const id = context.registry.idOf(element);
    const state = viewStatesOf(element);
    const value = exactValueOf(element);
    const text = [
      `${isGuessedName(element) ? '~' : ''}${fullNameOf(element)}`,
      value !== undefined && `= ${keptSpaces(JSON.stringify(value))}`,
      state !== undefined && `(${state})`,
    ];
    const mark = isField(element) ? '?' : '';
    line += `${mark}[${text.filter(Boolean).join(' ')}](${id})`;
  }

  function writeFrame(frame: Element): void {
    const inner = frameDocument(frame);
    if (inner?.body == null) return;
    documents.add(inner);
    flush();
    inside(inner.body);
    flush();
  }

  if (isControl(root)) inside(root);
  else write(root);
  flush();
  return { blocks, documents };
}

function tidyLines(text: string): string {
  const lines = tidy(text)
    .split(BREAK)
    .map((part) => part.trim().replaceAll(SPACE, ' '));
  return lines.join('\n').replace(/^\n+|\n+$/g, '');
}

/** Block prefixes: https://spec.commonmark.org/ */
function prefixOf(element: Element): string | undefined {
  const level = headingLevel(element);
  if (level !== undefined) return `${'#'.repeat(level)} `;
  if (element.localName === 'li') return '- ';
  return element.localName === 'blockquote' ? '> ' : undefined;
}

function headingLevel(element: Element): number | undefined {
  const tag = /^h([1-6])$/.exec(element.localName)?.[1];
  if (tag !== undefined) return Number(tag);
  if (element.getAttribute('role') !== 'heading') return undefined;
  return Math.min(6, Math.max(1, Number(element.getAttribute('aria-level')) || 2));
}

function imageText(element: Element): string {
  const alternative = element.getAttribute('alt')?.trim() ?? '';
  return alternative === '' ? '' : `![${alternative}]`;
}

/** Invisible text is skipped, as it is written for machines. */
function isShown(element: Element): boolean {
  const style = styleOf(element);
  if (style.display === 'none') return false;
  if (style.display === 'contents') return true;
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  return Number.parseFloat(style.fontSize) >= SMALLEST_FONT_PX && !isOffPage(element, style);
}

/** Moved off to the left or above, or clipped to a dot. */
function isOffPage(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.position !== 'absolute' && style.position !== 'fixed') return false;
  const box = element.getBoundingClientRect();
  const window = element.ownerDocument.defaultView;
  const right = box.right + (window?.scrollX ?? 0);
  const bottom = box.bottom + (window?.scrollY ?? 0);
  return right <= 0 || bottom <= 0 || (box.width <= 2 && box.height <= 2 && style.overflow !== 'visible');
}

function isBlock(element: Element): boolean {
  const { display } = styleOf(element);
  return !display.startsWith('inline') && display !== 'contents';
}
