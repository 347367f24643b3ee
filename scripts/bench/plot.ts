import { advantageOverBound, advantageOverPeers } from './advantage.ts';
import { boundWords, type Figure, oursWords } from './figure.ts';
import { whole } from './words.ts';

/** One bar: the advantage over `than`; below 1 it is worse. */
interface Bar {
  readonly name: string;
  readonly ours: string;
  readonly than: string;
  readonly advantage: number;
  readonly isClear: boolean;
}

interface Panel {
  readonly title: string;
  readonly same: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 970;
const MARGIN = 16;
const LEFT = 412;
const RIGHT = 820;
const ROW = 42;
const TITLE = 54;
const AXIS = 34;

const STYLE = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { font-size: 11.5px; fill: #59636e; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .same { stroke: #1f2328; stroke-width: 1.5; }
  .better { fill: #1a7f64; }
  .worse { fill: #c2410c; }
  .unclear { fill: #818b98; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .same { stroke: #f0f6fc; }
    .better { fill: #3fb68b; }
    .worse { fill: #f0883e; }
    .unclear { fill: #9198a1; }
  }`;

/** Renders `docs/bench/figures.svg`: the headlines against the best peer and against the promised bound. */
export function plotOf(figures: readonly Figure[]): string {
  const headlines = figures.filter(({ headline }) => headline !== undefined);
  const panels: readonly Panel[] = [
    {
      title: 'Beside the best program that does the same',
      same: 'as good as it',
      bars: headlines.flatMap(besidePeer),
    },
    {
      title: 'Beside what was promised',
      same: 'as promised',
      bars: headlines.flatMap(besidePromise),
    },
  ].filter(({ bars }) => bars.length > 0);
  const reach = Math.max(2, ...panels.flatMap(({ bars }) => bars.map(({ advantage }) => spread(advantage))));
  let top = 8;
  const parts = panels.map((panel) => {
    const drawn = drawPanel(panel, top, reach);
    top += heightOf(panel);
    return drawn;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-labelledby="title">
<title id="title">Drawbridge: how many times better or worse than the best peer, and than promised</title>
<style>${STYLE}
</style>
${parts.join('\n')}
</svg>
`;
}

function besidePeer(each: Figure): readonly Bar[] {
  const advantage = advantageOverPeers(each);
  if (advantage === undefined) return [];
  const { over, times } = advantage;
  return [barOf(each, `${over.name}: ${whole(over.value)}`, times, true)];
}

function besidePromise(each: Figure): readonly Bar[] {
  const kind = each.must === undefined ? 'aim' : 'must';
  const bound = each[kind];
  const advantage = bound && advantageOverBound(bound, each);
  if (bound === undefined || advantage === undefined) return [];
  return [barOf(each, `${kind} ${boundWords(bound, each)}`, advantage, each.met[kind] !== 'unclear')];
}

const barOf = (each: Figure, than: string, advantage: number, isClear: boolean): Bar => ({
  name: each.headline ?? each.what,
  ours: oursWords(each),
  than,
  advantage,
  isClear,
});

const spread = (advantage: number): number => Math.max(advantage, 1 / advantage);
const heightOf = ({ bars }: Panel): number => TITLE + bars.length * ROW + AXIS;

/** Logarithmic scale: twice as good and half as good are equally far from the centre. */
function drawPanel({ title, same, bars }: Panel, top: number, reach: number): string {
  const widest = Math.log(reach) * 1.02;
  const isWorseThere = bars.some(({ advantage }) => advantage < 1);
  const lowest = isWorseThere ? Math.log(Math.min(...bars.map(({ advantage }) => advantage))) * 1.15 : 0;
  const x = (advantage: number) =>
    round(LEFT + ((Math.log(advantage) - lowest) / (widest - lowest)) * (RIGHT - LEFT));
  const first = top + TITLE;
  const bottom = first + bars.length * ROW;
  const ticks = [1 / 100, 1 / 10, 1 / 5, 1 / 2, 1, 2, 5, 10, 100, 1_000].filter(
    (tick) => Math.log(tick) >= lowest && Math.log(tick) <= widest,
  );
  const labelled = ticks.filter((tick) => isLabelled(tick, ticks, x));
  const [from, to] = [Math.min(...labelled), Math.max(...labelled)];
  return [
    text(0, top + 20, title, 'title'),
    text(0, top + 38, 'What we measured, and what it is held against', 'quiet'),
    ...(isWorseThere ? [text(x(1) - 10, top + 46, '← worse', 'quiet end')] : []),
    text(x(1) + 10, top + 46, 'better →', 'quiet'),
    ...ticks.flatMap((tick) => [
      `<line class="${tick === 1 ? 'same' : 'grid'}" x1="${x(tick)}" x2="${x(tick)}" y1="${first}" y2="${bottom}"/>`,
      ...(labelled.includes(tick)
        ? [text(x(tick), bottom + 18, tickWords(tick, same, tick === from || tick === to), 'quiet middle')]
        : []),
    ]),
    ...bars.flatMap((bar, index) => drawBar(bar, first + index * ROW, x)),
  ].join('\n');
}

/** Width reserved for the label of a grid line. */
const LABEL = 64;

/** Hides labels that would overlap: powers of ten win over their neighbours, the centre over all. */
function isLabelled(tick: number, ticks: readonly number[], x: (advantage: number) => number): boolean {
  const rank = (each: number) => (each === 1 ? 2 : Number.isInteger(Math.log10(each)) ? 1 : 0);
  return ticks.every(
    (other) => other === tick || rank(other) <= rank(tick) || Math.abs(x(other) - x(tick)) >= LABEL,
  );
}

function drawBar(
  { name, ours, than, advantage, isClear }: Bar,
  top: number,
  x: (advantage: number) => number,
): string[] {
  const [from, to] = [Math.min(x(1), x(advantage)), Math.max(x(1), x(advantage))];
  const kind = !isClear ? 'unclear' : advantage >= 1 ? 'better' : 'worse';
  return [
    text(0, top + 17, name),
    text(0, top + 33, `${ours}; ${than}`, 'quiet'),
    `<rect class="${kind}" x="${from}" y="${top + 9}" width="${round(Math.max(2, to - from))}" height="18" rx="2"/>`,
    text(to + 6, top + 23, `${advantageWords(advantage)}${isClear ? '' : ', unclear'}`),
  ];
}

function advantageWords(advantage: number): string {
  if (Math.abs(advantage - 1) < 0.005) return 'the same';
  return advantage > 1 ? `${shortly(advantage)} × better` : `${shortly(1 / advantage)} × worse`;
}

const shortly = (value: number): string =>
  value < 10 ? value.toFixed(value < 1.1 ? 2 : 1) : value.toFixed(0);

function tickWords(tick: number, same: string, isOutermost: boolean): string {
  if (tick === 1) return same;
  const size = `${Math.round(tick > 1 ? tick : 1 / tick)} ×`;
  return isOutermost ? `${size} ${tick > 1 ? 'better' : 'worse'}` : size;
}

function text(x: number, y: number, words: string, kind?: string): string {
  return `<text${kind === undefined ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped(words)}</text>`;
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): number => Math.round(value * 10) / 10;
