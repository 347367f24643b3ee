import { median, printTable } from '../measure.ts';
import type { IdleOverhead } from './idle-overhead.ts';
import type { MeasuredPage } from './measured-page.ts';
import { percent, summaryOf } from './report.ts';

/** Something promised, and what was measured. `undefined`: could not be measured in this run. */
export interface Verdict {
  readonly promise: string;
  readonly measured: string;
  readonly met: boolean | undefined;
}

export interface Measurements {
  /** Real pages, or failing them the shop's start page: promises about medians are about these. */
  readonly typical: readonly MeasuredPage[];
  /** Real and generated pages and the shop's start page. */
  readonly ordinary: readonly MeasuredPage[];
  /** Made to be hard. */
  readonly corners: readonly MeasuredPage[];
  readonly small: MeasuredPage;
  readonly large: MeasuredPage;
  readonly idle: IdleOverhead;
}

const JSON_FORM = { ours: 'ours, V3 JSON', sketch: 'sketch, JSON' };
const LINES = { ours: 'ours, lines', sketch: 'sketch, lines' };

export function mustsOf({ typical, ordinary, small, large }: Measurements): Verdict[] {
  const perForm = [JSON_FORM, LINES].flatMap(({ ours, sketch }): Verdict[] => {
    const [our, their] = [summaryOf(ours, typical), summaryOf(sketch, typical)];
    const measurable = their.pages > 0;
    return [
      {
        promise: `${ours}: no more tokens than the ${sketch} (medians)`,
        measured: `${our.tokens} against ${their.tokens}`,
        met: measurable ? our.tokens <= their.tokens : undefined,
      },
      {
        promise: `${ours}: at most 2 × the time of the ${sketch} (median of the ratios)`,
        measured: `${timeRatio(typical, ours, sketch).toFixed(2)} ×`,
        met: measurable ? timeRatio(typical, ours, sketch) <= 2 : undefined,
      },
    ];
  });
  const growth = summaryOf(LINES.ours, [large]).ms / summaryOf(LINES.ours, [small]).ms;
  return [
    ...perForm,
    recall('at least 99 % of what a person can press', ordinary),
    {
      promise: 'linear: 4 × the elements take at most 5 × the time',
      measured: `${growth.toFixed(2)} ×`,
      met: growth <= 5,
    },
  ];
}

export function aimsOf({ typical, ordinary, corners, large, idle }: Measurements): Verdict[] {
  const tokens = (name: string, most: number): Verdict => {
    const measured = summaryOf(name, typical).tokens;
    return {
      promise: `${name}: at most ${most} tokens, median`,
      measured: String(measured),
      met: measured <= most,
    };
  };
  const time = (name: string, pages: readonly MeasuredPage[], most: number, where: string): Verdict => {
    const { ms } = summaryOf(name, pages);
    return {
      promise: `${name}: at most ${most} ms ${where}`,
      measured: `${ms.toFixed(1)} ms`,
      met: ms <= most,
    };
  };
  const clicks = [...ordinary, ...corners].flatMap(({ deltas }) => deltas);
  const told = clicks.filter(({ changed }) => changed).map(({ tokens }) => tokens);
  const delta = median(told);
  const added = addedMs(idle);
  return [
    recall('the same in awkward corners, without a host that sees more than a page does', corners),
    tokens(LINES.ours, 320),
    tokens('ours, lines + text', 428),
    tokens(JSON_FORM.ours, 600),
    time(LINES.ours, typical, 6, '(median)'),
    time(LINES.ours, [large], 60, `on ${large.elements} elements`),
    {
      promise: 'delta after one click that changed something: at most 40 tokens, median',
      measured: `${delta} (${told.length} of ${clicks.length} clicks)`,
      met: delta <= 40,
    },
    {
      promise: 'idle: at most 2 % more CPU on a page that changes 100 times a second',
      measured: `${percent(added / idle.without.taskMs)} of the page's own, ${percent(added / idle.having.lastedMs)} of a core`,
      met: added <= idle.without.taskMs * 0.02,
    },
  ];
}

export function printVerdicts(title: string, verdicts: readonly Verdict[]): void {
  console.log('');
  printTable(
    [title, 'measured', 'met'],
    verdicts.map(({ promise, measured, met }) => [
      promise,
      measured,
      met === undefined ? 'not measured' : met ? 'yes' : 'NO',
    ]),
  );
}

function recall(promise: string, pages: readonly MeasuredPage[]): Verdict {
  const { found, of } = summaryOf(LINES.ours, pages);
  return { promise, measured: `${percent(found / of)} (${found} of ${of})`, met: found >= of * 0.99 };
}

/** Script, style and layout only: all of a page's CPU varies by more, from run to run, than we may add. */
function addedMs({ without, having }: IdleOverhead): number {
  return having.scriptMs - without.scriptMs + having.layoutMs - without.layoutMs;
}

function timeRatio(pages: readonly MeasuredPage[], ours: string, sketch: string): number {
  return median(pages.map((page) => summaryOf(ours, [page]).ms / summaryOf(sketch, [page]).ms));
}
