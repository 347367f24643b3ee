import { visibleJson } from '@drawbridge/protocol';
import { listAt, numberAt, textAt, textsAt, valueAt } from '../loose-value.ts';
import type { Answer } from './answer.ts';
import { oneLine, originOf } from './fence.ts';
import { changeLines, diffEditFrom, nodeLines } from './node-lines.ts';

/** A snapshot as an answer: whole, as changes, or as HTML. */
export function snapshotAnswer(output: unknown, url: string | undefined): Answer {
  const origin = originOf(textAt(output, 'page', 'url') ?? url);
  const said = idWords(output);
  if (valueAt(output, 'unchanged') === true) return { said: `${said}: unchanged` };
  if (valueAt(output, 'full') !== undefined) {
    const whole = snapshotAnswer(valueAt(output, 'full'), url);
    return { ...whole, said: `${whole.said ?? said}: that snapshot is forgotten, this is the whole page` };
  }
  if (valueAt(output, 'diff') !== undefined) return deltaAnswer(output, said, origin);
  if (valueAt(output, 'page') === undefined) {
    const isCut = valueAt(output, 'truncated') === true;
    return {
      pages: [{ origin, text: typeof output === 'string' ? output : markupOf(output) }],
      ...(isCut && { next: 'Cut: narrow with region, or raise max_tokens.' }),
    };
  }
  const leftOut = numberAt(output, 'left_out', 'nodes');
  return {
    said,
    pages: [{ origin, text: pageText(output) }],
    ...(leftOut !== undefined && {
      next: `${leftOut} nodes left out: narrow with query or region, or raise max_tokens.`,
    }),
  };
}

/** A loading page adds everything: only blocking events are worth their tokens. */
const LOUD = /^\[\d+s ago\] (?:Error|Dialog): /;
const MOST_EVENTS = 5;

/** The whole page in lines: address, nodes, recent events, omissions. */
export function pageText(output: unknown): string {
  const page = valueAt(output, 'page');
  const parts = leftOutWords(listAt(output, 'left_out', 'parts'));
  const events = textsAt(page, 'recentEvents').filter((event) => LOUD.test(event));
  const scroll = textAt(page, 'scrollPosition');
  return [
    [
      oneLine(textAt(page, 'url') ?? ''),
      quoted(textAt(page, 'title')),
      scroll === undefined || scroll === '0%' ? '' : `scrolled ${oneLine(scroll, 10)}`,
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
    nodeLines(listAt(page, 'interactive_tree'), listAt(output, 'context')),
    ...textsAt(output, 'closed_frames').map((line) => oneLine(line)),
    ...events.slice(-MOST_EVENTS).map((event) => oneLine(event)),
    ...(parts.length === 0 ? [] : [`left out: ${parts.join(', ')}`]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** One heading may cover several parts. */
function leftOutWords(parts: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const about = oneLine(textAt(part, 'about') ?? '', 40);
    if (about !== '') counts.set(about, (counts.get(about) ?? 0) + (numberAt(part, 'nodes') ?? 0));
  }
  return [...counts].map(([about, nodes]) => `${nodes} under ${JSON.stringify(about)}`);
}

function deltaAnswer(output: unknown, said: string, origin: string): Answer {
  const lines = changeLines({
    added: listAt(output, 'diff', 'added').map((placed) => valueAt(placed, 'node')),
    removed: textsAt(output, 'diff', 'removed'),
    changed: listAt(output, 'diff', 'changed').flatMap(diffEditFrom),
  });
  if (lines.length === 0) return { said: `${said}: unchanged` };
  return { said, pages: [{ origin, text: lines.join('\n') }] };
}

/** The id for later deltas; a new document restarts the count of snapshots. */
export function idWords(output: unknown): string {
  const id = textAt(output, 'snapshot_id') ?? '';
  return /^[\w-]{1,40}$/.test(id) ? `snapshot ${id}` : 'snapshot';
}

const quoted = (title: string | undefined): string | undefined =>
  title === undefined || title === '' ? undefined : JSON.stringify(oneLine(title, 100));

function markupOf(output: unknown): string {
  for (const key of ['html', 'skeleton', 'text', 'dom']) {
    const text = textAt(output, key);
    if (text !== undefined) return text;
  }
  return visibleJson(output) ?? '';
}
