import { type Beside, type Figure, figure } from '../../scripts/bench/figure.ts';
import { median } from '../measure.ts';
import type { IdleOverhead } from './idle-overhead.ts';
import type { MeasuredPage } from './measured-page.ts';
import { precisionOf, type Summary, summaryOf } from './report.ts';

export interface Measurements {
  /** Real pages, or the shop's start page without them: the bounds on medians apply to these. */
  readonly typical: readonly MeasuredPage[];
  /** Description of these pages. */
  readonly typicalWords: string;
  /** Real and generated pages and the shop's start page. */
  readonly ordinary: readonly MeasuredPage[];
  /** Pages made to be hard. */
  readonly corners: readonly MeasuredPage[];
  readonly small: MeasuredPage;
  readonly large: MeasuredPage;
}

const JSON_FORM = { words: 'V3 JSON', id: 'json', ours: 'ours, V3 JSON', sketch: 'sketch, JSON' };
const LINES = { words: 'lines', id: 'lines', ours: 'ours, lines', sketch: 'sketch, lines' };
const WITH_TEXT = 'ours, lines + text';

export function pageFigures({
  typical,
  typicalWords,
  ordinary,
  corners,
  small,
  large,
}: Measurements): readonly Figure[] {
  const ours = summaryOf(LINES.ours, typical);
  const tokens = { unit: 'tokens', better: 'less', how: `o200k, ${typicalWords}` } as const;
  const clicks = [...ordinary, ...corners].flatMap(({ deltas }) => deltas);
  const told = clicks.filter(({ changed }) => changed).map((each) => each.tokens);
  return [
    figure({
      ...tokens,
      id: 'page.tokens',
      headline: 'Tokens that an agent reads of a page',
      what: 'a page in line form',
      ours: ours.tokens,
      beside: peersIn(typical, (each) => each.tokens, 'less'),
      aim: { value: 320 },
    }),
    figure({
      ...tokens,
      id: 'page.tokens.text',
      what: 'a page in line form, with its headings and text',
      ours: summaryOf(WITH_TEXT, typical).tokens,
      beside: peersIn(typical, (each) => each.tokens, 'less'),
      aim: { value: 428 },
    }),
    figure({
      ...tokens,
      id: 'page.tokens.json',
      what: 'a page as V3 JSON',
      ours: summaryOf(JSON_FORM.ours, typical).tokens,
      aim: { value: 600 },
    }),
    figure({
      ...recallOf(ordinary),
      id: 'page.recall',
      headline: 'Share of the pressable elements that an agent is told',
      what: 'recall on ordinary pages',
      beside: peersIn(ordinary, recallPercent, 'more'),
      must: { value: 99 },
    }),
    figure({
      ...recallOf(corners),
      id: 'page.recall.corners',
      what: 'recall in awkward corners, without a host that sees more than a page does',
      beside: peersIn(corners, recallPercent, 'more'),
      aim: { value: 99 },
    }),
    figure({
      ...precisionIn(ordinary),
      id: 'page.precision',
      what: 'precision on ordinary pages',
      beside: peersIn(ordinary, precisionPercent, 'more'),
    }),
    figure({
      ...precisionIn(corners),
      id: 'page.precision.corners',
      what: 'precision in awkward corners',
      beside: peersIn(corners, precisionPercent, 'more'),
    }),
    figure({
      ...pressedOf([...ordinary, ...corners]),
      id: 'page.pressed',
      what: 'announced elements that react when pressed, in the shop and in awkward corners',
      aim: { value: 95 },
    }),
    figure({
      id: 'page.time',
      headline: 'Time to look at a page',
      what: 'a look at a page, there and back',
      unit: 'ms',
      better: 'less',
      ours: ours.wallMs,
      beside: peersIn(typical, ({ wallMs }) => wallMs, 'less'),
      how: `${typicalWords}; ours over CDP, peers over the way agents reach them`,
    }),
    figure({
      id: 'page.time.in-page',
      what: 'a look at a page, in the page alone',
      unit: 'ms',
      better: 'less',
      ours: ours.ms,
      aim: { value: 6 },
      how: typicalWords,
    }),
    figure({
      id: 'page.time.large',
      what: `a look at a page of ${large.elements.toLocaleString('en')} elements, there and back`,
      unit: 'ms',
      better: 'less',
      ours: summaryOf(LINES.ours, [large]).wallMs,
      beside: peersIn([large], ({ wallMs }) => wallMs, 'less'),
      how: 'a generated page; ours over CDP, peers over the way agents reach them',
    }),
    figure({
      id: 'page.time.large.in-page',
      what: `a look at a page of ${large.elements.toLocaleString('en')} elements, in the page alone`,
      unit: 'ms',
      better: 'less',
      ours: summaryOf(LINES.ours, [large]).ms,
      aim: { value: 60 },
      how: 'a generated page',
    }),
    figure({
      id: 'page.growth',
      what: 'time for 4 times the elements',
      unit: 'times as long',
      better: 'less',
      ours: summaryOf(LINES.ours, [large]).ms / summaryOf(LINES.ours, [small]).ms,
      must: { value: 5 },
      how: `${small.elements.toLocaleString('en')} and ${large.elements.toLocaleString('en')} elements`,
    }),
    figure({
      ...tokens,
      id: 'page.delta',
      what: 'what changed after one click that changed something',
      ours: median(told),
      aim: { value: 40 },
      how: `median of ${told.length} clicks, of ${clicks.length} that were made`,
    }),
    ...[LINES, JSON_FORM].flatMap((form) => besideSketch(form, typical, typicalWords)),
  ];
}

export function idleFigure({ without, having }: IdleOverhead): Figure {
  // Script, style and layout only: a page's total CPU varies between runs by more than our code may add.
  const added = having.scriptMs - without.scriptMs + having.layoutMs - without.layoutMs;
  return figure({
    id: 'page.idle',
    what: 'CPU that our code adds to a page that changes 100 times a second',
    unit: '% of the page’s own',
    better: 'less',
    ours: (added / without.taskMs) * 100,
    aim: { value: 2 },
    how: `script, style and layout; ${((added / having.lastedMs) * 100).toFixed(2)} % of a core`,
  });
}

/** A plain sketch of the same tree, without text, labels, deltas, healing and budgets. */
function besideSketch(
  { words, id, ours, sketch }: typeof LINES,
  pages: readonly MeasuredPage[],
  how: string,
): readonly Figure[] {
  const [our, their] = [summaryOf(ours, pages), summaryOf(sketch, pages)];
  if (their.pages === 0) return [];
  const ratios = pages.map((page) => summaryOf(ours, [page]).ms / summaryOf(sketch, [page]).ms);
  return [
    figure({
      id: `page.sketch.${id}.tokens`,
      what: `${words}, beside a plain sketch of the same tree`,
      unit: 'tokens',
      better: 'less',
      ours: our.tokens,
      beside: [{ name: 'the sketch', value: their.tokens }],
      must: { ratio: 1 },
      how,
    }),
    figure({
      id: `page.sketch.${id}.time`,
      what: `${words}, beside a plain sketch of the same tree`,
      unit: 'ms',
      better: 'less',
      ours: our.ms,
      beside: [{ name: 'the sketch', value: their.ms }],
      ratio: median(ratios),
      must: { ratio: 2 },
      how: `in the page alone; the ratio is the median of theirs; ${how}`,
    }),
  ];
}

function recallOf(pages: readonly MeasuredPage[]) {
  const { found, of } = summaryOf(LINES.ours, pages);
  return {
    unit: '%',
    better: 'more',
    ours: (found / of) * 100,
    how: `${found.toLocaleString('en')} of ${of.toLocaleString('en')}, by an independent oracle over CDP`,
  } as const;
}

function precisionIn(pages: readonly MeasuredPage[]) {
  const summary = summaryOf(LINES.ours, pages);
  const { listed, extra } = summary;
  return {
    unit: '%',
    better: 'more',
    ours: precisionPercent(summary),
    how: `${(listed - extra).toLocaleString('en')} of ${listed.toLocaleString('en')} announced elements take a press, by the same oracle`,
  } as const;
}

function pressedOf(pages: readonly MeasuredPage[]) {
  const { pressed, reacted } = summaryOf(LINES.ours, pages);
  return {
    unit: '%',
    better: 'more',
    ours: (reacted / pressed) * 100,
    how: `${reacted} of ${pressed}, each pressed in a fresh document: anything changes, navigates, opens or takes the focus as a field`,
  } as const;
}

const precisionPercent = (summary: Summary): number => precisionOf(summary) * 100;

const recallPercent = ({ found, of }: Summary): number => (found / of) * 100;

/** Sorts the strongest first, which the ratio is to. Only peers that were measured on every page. */
function peersIn(
  pages: readonly MeasuredPage[],
  value: (summary: Summary) => number,
  better: Figure['better'],
): readonly Beside[] {
  const isOther = (name: string) => !name.startsWith('ours') && !name.startsWith('sketch');
  const names = new Set(pages.flatMap(({ subjects }) => subjects.map(({ subject }) => subject)));
  return [...names]
    .filter(isOther)
    .map((name) => summaryOf(name, pages))
    .filter((summary) => summary.pages === pages.length)
    .map((summary) => ({ name: summary.subject, value: value(summary), isPeer: true as const }))
    .toSorted((a, b) => (better === 'less' ? a.value - b.value : b.value - a.value));
}
