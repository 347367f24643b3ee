import { amount, whole } from './words.ts';

/** One measurement: ours, peers or limits from the same run, and the promised bounds. */
export interface Figure {
  /** Benchmark and subject, such as `relay.accepts`. */
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** Missing where this run could not measure it; `note` says why. */
  readonly ours?: number;
  /** Peers and limits in the same unit. The ratio is to the first. */
  readonly beside: readonly Beside[];
  /** Ours divided by the first of `beside`. */
  readonly ratio?: number;
  /** 95 % interval of the resampled ratios. */
  readonly range?: readonly [low: number, high: number];
  readonly must?: Bound;
  readonly aim?: Bound;
  readonly met: { readonly must?: Verdict; readonly aim?: Verdict };
  readonly how: string;
  readonly note?: string;
  /** Short label for the page and the plot, only on the main figures of a benchmark. */
  readonly headline?: string;
}

export interface Beside {
  readonly name: string;
  readonly value: number;
  /**
   * Another program that does the same job. Without it, the value is a floor: part of the work, or none of
   * it.
   */
  readonly isPeer?: true;
}

/** A maximum where less is better, a minimum where more is. Every bound that is given must hold. */
export interface Bound {
  readonly value?: number;
  readonly ratio?: number;
}

/** `unclear`: not measured, or the range includes the bound. */
export type Verdict = 'yes' | 'no' | 'unclear';

export type Measurement = Omit<Figure, 'ratio' | 'met' | 'beside' | 'ours'> & {
  readonly ours?: number | undefined;
  readonly beside?: readonly (Beside | undefined)[];
  /** Set where it is not the plain quotient: a median of ratios differs from the ratio of medians. */
  readonly ratio?: number | undefined;
};

export function figure({ ours, beside = [], ratio: given, ...rest }: Measurement): Figure {
  const others = beside
    .filter((each) => each !== undefined)
    .filter(({ value }) => Number.isFinite(value))
    .map((each) => ({ ...each, value: rounded(each.value) }));
  const [first] = others;
  const isKnown = ours !== undefined && Number.isFinite(ours);
  const ratio = given ?? (isKnown && first !== undefined ? ours / first.value : undefined);
  const measured = {
    ...rest,
    ...(isKnown && { ours: rounded(ours) }),
    beside: others,
    ...(ratio !== undefined && Number.isFinite(ratio) && { ratio: rounded(ratio) }),
  };
  return {
    ...measured,
    met: {
      ...(rest.must && { must: verdictOn(rest.must, measured) }),
      ...(rest.aim && { aim: verdictOn(rest.aim, measured) }),
    },
  };
}

/** Six digits: no clock here is more precise. */
const rounded = (value: number): number => Number(value.toPrecision(6));

type Judged = Pick<Figure, 'better' | 'ours' | 'ratio' | 'range'>;

function verdictOn({ value, ratio }: Bound, measured: Judged): Verdict {
  const verdicts = [
    ...(value === undefined ? [] : [within(measured.ours, undefined, value, measured.better)]),
    ...(ratio === undefined ? [] : [within(measured.ratio, measured.range, ratio, measured.better)]),
  ];
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('unclear') ? 'unclear' : 'yes';
}

function within(
  value: number | undefined,
  range: Figure['range'],
  bound: number,
  better: Figure['better'],
): Verdict {
  if (value === undefined) return 'unclear';
  const holds = (each: number) => (better === 'less' ? each <= bound : each >= bound);
  const [low, high] = range ?? [value, value];
  if (holds(low) !== holds(high)) return 'unclear';
  return holds(value) ? 'yes' : 'no';
}

export function boundWords(bound: Bound, { better, unit, beside }: Figure): string {
  const edge = better === 'less' ? 'at most' : 'at least';
  const even = better === 'less' ? 'no more than' : 'no less than';
  const of = beside[0]?.name ?? 'what is beside it';
  return [
    ...(bound.value === undefined ? [] : [`${edge} ${amount(bound.value, unit)}`]),
    ...(bound.ratio === undefined
      ? []
      : [`${bound.ratio === 1 ? even : `${edge} ${shareWords(bound.ratio)}`} ${of}`]),
  ].join(' and ');
}

const SHARES = new Map([
  [1 / 2, 'half of'],
  [1 / 3, 'a third of'],
  [1 / 10, 'a tenth of'],
]);

const shareWords = (ratio: number): string => SHARES.get(ratio) ?? `${whole(ratio)} ×`;

export function oursWords({ ours, unit }: Figure): string {
  return ours === undefined ? 'not measured' : amount(ours, unit);
}
