import type { SemanticNode } from '../interact/semantic-tree.ts';
import { visibleText } from '../wire/visible-text.ts';
import type { TreeDiff } from './keyed-diff.ts';
import { LineReader } from './line-reader.ts';

/** Headings and text in view, which show where the nodes are. */
export interface ContextLine {
  /** `note`: our own words about the page, such as where the view ends. */
  readonly kind: 'heading' | 'text' | 'note';
  readonly text: string;
  /** Number of nodes before it. */
  readonly at: number;
}

export interface ParsedLines {
  readonly nodes: SemanticNode[];
  readonly context: ContextLine[];
}

/** A tree as lines for a model: the grammar is in docs/page/line-form.md. */
export function formatLines(nodes: readonly SemanticNode[], context: readonly ContextLine[] = []): string {
  const lines: string[] = [];
  let next = 0;
  nodes.forEach((node, index) => {
    for (; (context[next]?.at ?? Infinity) <= index; next++) lines.push(formatContext(context[next]));
    lines.push(formatNode(node));
  });
  for (; next < context.length; next++) lines.push(formatContext(context[next]));
  return lines.join('\n');
}

export function parseLines(text: string): ParsedLines {
  const nodes: SemanticNode[] = [];
  const context: ContextLine[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('# ')) context.push({ kind: 'heading', text: line.slice(2), at: nodes.length });
    else if (line.startsWith('> ')) context.push({ kind: 'text', text: line.slice(2), at: nodes.length });
    else nodes.push(parseNode(line));
  }
  return { nodes, context };
}

/** Changes as lines: `-` removed, `+` added (after which id), `~` changed fields, `^` moved. */
export function formatDiffLines(diff: TreeDiff): string {
  const lines: string[] = [];
  if (diff.removed.length > 0) lines.push(`-${diff.removed.join(' ')}`);
  let last: string | null | undefined;
  for (const { node, after } of diff.added) {
    lines.push(after === last ? `+${formatNode(node)}` : `+${formatNode(node)} <${after ?? ''}`);
    last = node.i;
  }
  for (const { i, set, unset } of diff.changed) {
    const gone = unset === undefined ? '' : ` -${unset.join(' -')}`;
    lines.push(`~${quotedId(i)}${formatFields(set)}${gone}`);
  }
  for (const { i, after } of diff.moved) lines.push(`^${i} <${after ?? ''}`);
  return lines.join('\n');
}

function formatContext(line: ContextLine | undefined): string {
  if (line === undefined) return '';
  return `${line.kind === 'heading' ? '#' : '>'} ${visibleText(line.text).replace(/\s+/g, ' ')}`;
}

function formatNode(node: SemanticNode): string {
  const frame = node.f === impliedFrame(node.i) ? '' : ` ^${node.f ?? ''}`;
  return `${quotedId(node.i)}${formatFields(node)}${frame}`;
}

/** A bare name ends before a space and one of these marks. */
const MARKS = '="[@#~!^<';

const BARE_ID = /^\w[\w.:-]*$/;
const BARE_ROLE = /^[a-zA-Z][\w-]*$/;
/** No mark at its start or after a space, no space at its ends or doubled; \s includes every line break. */
const BARE_NAME = /^(?:(?![="[@#~!^<])\S+ )*(?![="[@#~!^<])\S+$/;
const BARE_VALUE = /^[^\s"]\S*$/;
const BARE_STATE = /^[a-zA-Z][\w, -]*$/;
const BARE_DEPTH = /^[\d.]+%$/;

const quotedId = (id: string): string => (BARE_ID.test(id) ? id : JSON.stringify(id));

/** An escape would restore an invisible character. */
function quoted(text: string, bare: RegExp): string {
  const seen = visibleText(text);
  return bare.test(seen) ? seen : JSON.stringify(seen);
}

function formatFields(node: Partial<SemanticNode>): string {
  let line = '';
  if (node.r !== undefined) line += ` ${quoted(node.r, BARE_ROLE)}`;
  if (node.n !== undefined && (node.n !== '' || node.r === undefined))
    line += ` ${quoted(node.n, BARE_NAME)}`;
  if (node.v !== undefined) line += ` =${quoted(node.v, BARE_VALUE)}`;
  if (node.s !== undefined) line += ` [${quoted(node.s, BARE_STATE)}]`;
  if (node.xy !== undefined) line += ` @${node.xy.join(',')}`;
  if (node.box !== undefined) line += ` #${node.box.join(',')}`;
  if (node.scr !== undefined) line += ` ~${quoted(node.scr.depth, BARE_DEPTH)}${node.scr.h ? '+' : ''}`;
  if (node.occ !== undefined) line += node.occ ? ' !' : ' !0';
  return line;
}

/** `f2_7` is in frame 2, so its id needs no `^2`. */
function impliedFrame(id: string): number | undefined {
  const number = /^f(\d{1,9})_/.exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
}

function parseNode(line: string): SemanticNode {
  const reader = new LineReader(line);
  const i = reader.text(' ');
  reader.skip(' ');
  const r = reader.text(' ');
  const node: SemanticNode = { i, r, n: '' };
  if (reader.skip(' ') && !reader.isAt(MARKS, '"')) {
    node.n = reader.name(MARKS);
    reader.skip(' ');
  }
  const implied = impliedFrame(i);
  if (implied !== undefined) node.f = implied;
  while (!reader.atEnd()) {
    readField(reader, node);
    reader.skip(' ');
  }
  return node;
}

function readField(reader: LineReader, node: SemanticNode): void {
  const mark = reader.take();
  if (mark === '=') node.v = reader.text(' ');
  else if (mark === '[') {
    node.s = reader.text(']');
    reader.skip(']');
  } else if (mark === '@') node.xy = pair(reader.numbers());
  else if (mark === '#') node.box = four(reader.numbers());
  else if (mark === '~') {
    const depth = reader.text(' +');
    node.scr = { depth, h: reader.skip('+') };
  } else if (mark === '!') node.occ = !reader.skip('0');
  else if (mark === '^') setFrame(node, reader.text(' '));
  else throw new Error(`Not a line of a page: ${reader.line}`);
}

function setFrame(node: SemanticNode, text: string): void {
  if (text === '') delete node.f;
  else node.f = Number(text);
}

function pair(numbers: readonly number[]): [number, number] {
  return [numbers[0] ?? 0, numbers[1] ?? 0];
}

function four(numbers: readonly number[]): [number, number, number, number] {
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 0];
}
