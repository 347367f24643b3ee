import { visibleJson } from '@drawbridge/protocol';
import { viewLines } from '@drawbridge/protocol/semantic';
import { listAt, numberAt, textAt, textsAt, valueAt } from '../loose-value.ts';
import type { Answer, PageText } from './answer.ts';
import { lateLines } from './effect-lines.ts';
import { markOf, type Nonce, oneLine, originOf } from './fence.ts';
import type { Look, LookLine } from './looks.ts';
import { contextFrom, nodeFrom } from './node-lines.ts';

/** A page as an agent sees it, with what was left out. */
export interface SeenPage {
  readonly look: Look;
  /** The whole page in its own fence, then recent errors and dialogs. */
  readonly pages: readonly PageText[];
  readonly next?: string;
}

export function seenPage(output: unknown, url: string | undefined, nonce: Nonce, query?: string): SeenPage {
  const address = textAt(output, 'page', 'url') ?? url;
  const lines = pageLines(output, query === undefined);
  const text = lines.map((line) => line.text).join('\n');
  const events = textsAt(output, 'page', 'recentEvents').filter((event) => LOUD.test(event));
  const next = query === undefined ? leftOutWords(output) : otherWords(output);
  const named = `${address ?? ''}\n${text}`;
  const mark = markOf(named, nonce);
  const series = textAt(output, 'snapshot_id')?.split('-')[0];
  return {
    look: { mark, text: named, lines, ...(series !== undefined && { document: series }) },
    pages: [
      { origin: originOf(address), text: firstLate(lateLines(output)).join('\n') },
      { origin: labelOf(address), text: text === '' ? 'nothing to see' : text, mark },
      {
        origin: originOf(address),
        text: events
          .slice(-MOST_EVENTS)
          .map((event) => oneLine(event))
          .join('\n'),
      },
    ],
    ...(next !== undefined && { next }),
  };
}

/** HTML as an answer. */
export function markupAnswer(output: unknown, url: string | undefined): Answer {
  const text = typeof output === 'string' ? output : markupOf(output);
  if (text === '') return { said: 'Nothing to press or fill in here: mode=full has the HTML.' };
  const isCut = valueAt(output, 'truncated') === true;
  return {
    pages: [{ origin: originOf(url), text }],
    ...(isCut && { next: 'Cut: narrow with region, or raise max_tokens.' }),
  };
}

/** A loading page adds everything: only blocking events are worth their tokens. */
const LOUD = /^\[\d+s ago\] (?:Error|Dialog): /;
const MOST_EVENTS = 5;
/** The page itself follows. */
const MOST_LATE = 6;
const firstLate = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_LATE ? lines : [...lines.slice(0, MOST_LATE), `… ${lines.length - MOST_LATE} more`];

/** Title, scroll position, nodes and texts, closed frames. */
function pageLines(output: unknown, isWhole: boolean): LookLine[] {
  const page = valueAt(output, 'page');
  const nodes = listAt(page, 'interactive_tree').flatMap(nodeFrom);
  const context = listAt(output, 'context').flatMap(contextFrom);
  const title = oneLine(textAt(page, 'title') ?? '', 100);
  const scroll = oneLine(textAt(page, 'scrollPosition') ?? '0%', 10);
  const isSaid = context.some(({ text }) => oneLine(text, 100) === title);
  const head = [
    title === '' || isSaid ? '' : JSON.stringify(title),
    scroll === '0%' ? '' : `scrolled ${scroll}`,
  ];
  const first = head.filter((part) => part !== '').join(' ');
  return [
    ...(first === '' ? [] : [{ text: first }]),
    ...viewLines(nodes, context),
    ...textsAt(output, 'closed_frames').map((line) => ({ text: oneLine(line) })),
    ...(isWhole ? leftOutParts(listAt(output, 'left_out', 'parts')) : []),
  ];
}

/** Headings over what was left out; one may cover several parts. */
function leftOutParts(parts: readonly unknown[]): LookLine[] {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const about = oneLine(textAt(part, 'about') ?? '', 40);
    if (about !== '') counts.set(about, (counts.get(about) ?? 0) + (numberAt(part, 'nodes') ?? 0));
  }
  const words = [...counts].map(([about, nodes]) => `${nodes} under ${JSON.stringify(about)}`);
  return words.length === 0 ? [] : [{ text: `left out: ${words.join(', ')}` }];
}

/** Says how much is missing from a view, and how to get it. */
function leftOutWords(output: unknown): string | undefined {
  const nodes = numberAt(output, 'left_out', 'nodes') ?? 0;
  const texts = numberAt(output, 'left_out', 'texts') ?? 0;
  const beyond = numberAt(output, 'beyond');
  const said = [
    nodes + texts > 0 &&
      `Left out: ${[counted(nodes, 'element'), counted(texts, 'text')].filter(Boolean).join(' and ')}. Narrow with query or region, or raise max_tokens.`,
    beyond !== undefined &&
      `${beyond === 0 ? 'More text' : counted(beyond, 'element')} outside the view: scope=page.`,
  ].filter((words) => typeof words === 'string');
  return said.length === 0 ? undefined : said.join(' ');
}

function otherWords(output: unknown): string | undefined {
  const counts = [
    counted(numberAt(output, 'left_out', 'nodes') ?? 0, 'element'),
    counted(numberAt(output, 'left_out', 'texts') ?? 0, 'text'),
  ].filter(Boolean);
  return counts.length === 0 ? undefined : `Not about it, or left out: ${counts.join(' and ')}.`;
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

function labelOf(address: string | undefined): string {
  const parsed = URL.parse(address ?? '');
  if (parsed === null || parsed.origin === 'null') return originOf(address);
  return `${parsed.origin}${parsed.pathname}${parsed.search}${parsed.hash}`;
}

function markupOf(output: unknown): string {
  for (const key of ['html', 'skeleton', 'text', 'dom']) {
    const text = textAt(output, key);
    if (text !== undefined) return text;
  }
  return visibleJson(output) ?? '';
}
