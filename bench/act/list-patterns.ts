import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { tokensOf } from '@drawbridge/testbed/tokens';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median, printTable } from '../measure.ts';
import type { BenchChromium } from '../page/chromium.ts';
import { startDrawbridge } from './drawbridge-driver.ts';

/** A way in which pages change their lists. */
interface ListPattern {
  readonly name: string;
  /** Body of `change()` in the page; `rows`, `draw` and `html` are those of the script below. */
  readonly change: string;
}

const PATTERNS: readonly ListPattern[] = [
  { name: 'drawn again, unchanged', change: 'draw()' },
  { name: 'drawn again, one row edited', change: "rows[4].note = 'paid'; draw()" },
  { name: 'drawn again, one row added at the end', change: 'rows.push(row(100)); draw()' },
  { name: 'drawn again, one row added on top', change: 'rows.unshift(row(100)); draw()' },
  { name: 'drawn again, one row removed', change: 'rows.splice(5, 1); draw()' },
  { name: 'drawn again, sorted the other way', change: 'rows.reverse(); draw()' },
  { name: 'drawn again, filtered to a third', change: 'rows = rows.filter((_, n) => n % 3 === 0); draw()' },
  { name: 'one row replaced', change: "rows[4].note = 'paid'; list.children[4].outerHTML = html(rows[4])" },
  { name: 'rows moved', change: 'list.append(list.children[0], list.children[1])' },
  {
    name: 'more rows loaded',
    change: "for (let n = 12; n < 16; n++) list.insertAdjacentHTML('beforeend', html(row(n)))",
  },
  { name: 'virtual list, new elements', change: 'from += 3; draw()' },
  {
    name: 'virtual list, elements used again',
    change:
      'from += 3; for (const [n, item] of [...list.children].entries()) item.innerHTML = cells(row(from + n))',
  },
];

const ROWS = 12;

const pageOf = ({
  change,
}: ListPattern): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Orders</title>
<h1>Orders</h1><ul id="list"></ul><p>End of the list</p><script>
const NAMES = 'Ada Bo Cy Dee Eli Flo Gus Hal Ida Jo Kit Lou Max Nia Oz Pia Quin Ray Sue Tom'.split(' ');
const row = (n) => ({ n, name: NAMES[n % 20] + ' ' + (1000 + n * 37), note: 'open' });
const cells = ({ name, note }) => '<a href="#x">Order ' + name + '</a> <span>' + note + '</span> <button>Pay ' + name + '</button>';
const html = (each) => '<li>' + cells(each) + '</li>';
let from = 0;
let rows = Array.from({ length: ${ROWS} }, (_, n) => row(n));
const draw = () => { list.innerHTML = (from > 0 ? Array.from({ length: ${ROWS} }, (_, n) => row(from + n)) : rows).map(html).join(''); };
draw();
const change = () => { ${change} };
</script></html>`;

export interface ListOutcome {
  readonly name: string;
  /** Things that were there before and after the change, and those of them that kept their id. */
  readonly stayed: number;
  readonly survived: number;
  /** Things whose id now names another thing. */
  readonly confused: number;
  /** Tokens of the second look, as a caller asks that passes the mark of its last one. */
  readonly deltaTokens: number;
  readonly wholeTokens: number;
}

/** Through `drawbridge mcp`: a look, the change by the page's own script, what changed, and a whole look. */
export async function runListPatterns(chromium: BenchChromium): Promise<readonly ListOutcome[]> {
  const server = createServer((request, response) => {
    const pattern = PATTERNS[Number((request.url ?? '').slice(1))];
    response.writeHead(pattern === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(pattern && pageOf(pattern));
  });
  const port = await listenOnLoopback(server);
  const outcomes: ListOutcome[] = [];
  try {
    for (const [index, pattern] of PATTERNS.entries()) {
      const url = `http://127.0.0.1:${port}/${index}`;
      const tab = await chromium.openTab();
      await chromium.closeOthers(tab);
      await tab.goto(url);
      const session = await startDrawbridge(chromium.port, url);
      try {
        const before = await session.call('snapshot', {});
        await tab.evaluate('change()');
        const delta = await session.call('snapshot', { since: markIn(before) });
        const after = await session.call('snapshot', { fresh: true });
        outcomes.push({ ...idsOver(before, after), ...tokensIn(delta, after), name: pattern.name });
      } finally {
        session.close();
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return outcomes;
}

const tokensIn = (delta: string, after: string) => ({
  deltaTokens: tokensOf(delta),
  wholeTokens: tokensOf(after),
});

function markIn(answer: string): string {
  const [, mark] = /<page \S+ (\S+?)>/.exec(answer) ?? [];
  if (mark === undefined) throw new Error(`No mark in:\n${answer}`);
  return mark;
}

/** Names of links and buttons by id: each name is there once. */
function namesIn(answer: string): ReadonlyMap<string, string> {
  const lines = answer.matchAll(/^(\d+) (?:link|btn) ((?:Order|Pay) \w+ \d+)/gm);
  return new Map([...lines].map(([, id = '', name = '']) => [name, id]));
}

function idsOver(before: string, after: string) {
  const [old, now] = [namesIn(before), namesIn(after)];
  const stayed = [...old].filter(([name]) => now.has(name));
  const oldNames = new Map([...old].map(([name, id]) => [id, name]));
  return {
    stayed: stayed.length,
    survived: stayed.filter(([name, id]) => now.get(name) === id).length,
    confused: [...now].filter(([name, id]) => (oldNames.get(id) ?? name) !== name).length,
  };
}

export function printLists(lists: readonly ListOutcome[]): void {
  console.log('\nlists that change: ids that survive, and tokens of what changed (o200k)');
  printTable(
    ['list', 'stayed', 'same id', 'id of another', 'delta', 'whole'],
    lists.map(({ name, stayed, survived, confused, deltaTokens, wholeTokens }) => [
      name,
      ...[stayed, survived, confused, deltaTokens, wholeTokens].map(String),
    ]),
  );
}

const MOST_DELTA_TOKENS = 60;

export function listFigures(lists: readonly ListOutcome[]): readonly Figure[] {
  const sum = (of: (each: ListOutcome) => number) => lists.reduce((total, each) => total + of(each), 0);
  const [stayed, survived] = [sum((each) => each.stayed), sum((each) => each.survived)];
  return [
    figure({
      id: 'act.lists.ids',
      what: `ids that survive ${lists.length} ways to change a list`,
      unit: '%',
      better: 'more',
      ours: (survived / stayed) * 100,
      aim: { value: 95 },
      how: `${survived} of ${stayed} links and buttons that stayed; ${sum(({ confused }) => confused)} ids named another thing`,
    }),
    figure({
      id: 'act.lists.delta',
      what: 'what changed in a list, for a caller that passes the mark of its last look',
      unit: 'tokens',
      better: 'less',
      ours: median(lists.map(({ deltaTokens }) => deltaTokens)),
      beside: [{ name: 'the whole page', value: median(lists.map(({ wholeTokens }) => wholeTokens)) }],
      aim: { value: MOST_DELTA_TOKENS },
      how: `median of ${lists.length} lists of ${ROWS} rows, o200k`,
    }),
  ];
}
