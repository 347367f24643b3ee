import type { SemanticNode } from '../interact/semantic-tree.ts';
import { visibleText } from '../wire/visible-text.ts';
import type { ContextLine } from './line-form.ts';

/** A node of the view form: exact name, value, kind and states, with facts that V3 has no field for. */
export interface ViewNode extends SemanticNode {
  /** The name is a guess, from an icon, a class or a nearby text. */
  g?: boolean;
  /** Limits of a slider or number: `0–10`. */
  m?: string;
}

/** One line of a page as an agent reads it; only a node has an id. */
export interface ViewLine {
  readonly id?: string;
  readonly text: string;
}

/** A page as an agent reads it: the grammar is in docs/page/view.md. */
export function formatView(nodes: readonly ViewNode[], context: readonly ContextLine[] = []): string {
  return viewLines(nodes, context)
    .map(({ text }) => text)
    .join('\n');
}

export function viewLines(nodes: readonly ViewNode[], context: readonly ContextLine[] = []): ViewLine[] {
  const lines: ViewLine[] = [];
  let next = 0;
  const texts = (index: number) => {
    for (; (context[next]?.at ?? Infinity) <= index; next++) {
      const line = context[next];
      if (line !== undefined) lines.push({ text: viewText(line) });
    }
  };
  nodes.forEach((node, index) => {
    texts(index);
    lines.push({ id: node.i, text: viewNode(node) });
  });
  texts(Number.MAX_SAFE_INTEGER);
  return lines;
}

export function viewText({ kind, text }: Pick<ContextLine, 'kind' | 'text'>): string {
  const mark = kind === 'heading' ? '#' : kind === 'note' ? '--' : '>';
  // Preformatted text keeps its spaces.
  return `${mark} ${visibleText(text).replace(/[^\S ]+/g, ' ')}`;
}

export function viewNode(node: ViewNode): string {
  return `${bare(node.i, BARE_ID)}${viewFields(node)}`;
}

/** The fields that are set, in the order of a line; a value is always quoted, so that its spaces show. */
export function viewFields(node: Partial<ViewNode>): string {
  let line = '';
  if (node.r !== undefined) line += ` ${bare(node.r, BARE_ROLE)}`;
  if (node.n !== undefined && (node.n !== '' || node.r === undefined))
    line += ` ${node.g === true ? '~' : ''}${bare(oneLine(node.n), BARE_NAME)}`;
  if (node.xy !== undefined && isPlaceTelling(node)) line += ` @${node.xy.join(',')}`;
  if (node.v !== undefined) line += ` =${JSON.stringify(visibleText(node.v))}`;
  if (node.m !== undefined) line += ` ${oneLine(node.m)}`;
  if (node.s !== undefined) line += ` [${oneLine(node.s)}]`;
  if (node.scr !== undefined) line += ` scrolled ${oneLine(node.scr.depth)}${node.scr.h ? ', more' : ''}`;
  if (node.occ === true) line += ' covered';
  return line;
}

/** Kinds of things that look alike, and are told apart by their place. */
const ALIKE = /^(?:canvas|svg|circle|ellipse|rect|polygon|polyline|path|line|image|box)$/;

function isPlaceTelling({ n, r, g }: Partial<ViewNode>): boolean {
  if (r === undefined || r === 'region') return false;
  return n === '' || (g === true && (ALIKE.test(r) || COLOUR.test(n ?? '')));
}

/** A handle or a divider whose colour is all that is known of it. */
const COLOUR = /^#[\da-f]{6}$/;

const BARE_ID = /^\w[\w.:-]*$/;
const BARE_ROLE = /^[a-zA-Z][\w-]*$/;
/** Nothing in it could be taken for a later part of the line. */
const BARE_NAME = /^(?:(?![="[@~])\S+ )*(?![="[@~])\S+$/;

const bare = (text: string, pattern: RegExp): string => {
  const seen = visibleText(text);
  return pattern.test(seen) ? seen : JSON.stringify(seen);
};

const oneLine = (text: string): string => visibleText(text).replace(/\s+/g, ' ').trim();
