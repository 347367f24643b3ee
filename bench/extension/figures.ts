import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median } from '../measure.ts';
import type { FirstLoad } from './first-loads.ts';
import type { Cost } from './idle-cost.ts';
import { ratioInterval } from './ratio-interval.ts';

type Tab = 'lent' | 'unlent' | 'plain';

const ENDS: readonly (readonly [keyof FirstLoad, string])[] = [
  ['painted', 'to its first contentful paint'],
  ['loaded', 'to the end of its load event'],
  ['worked', 'in CPU of the page’s main thread to its first contentful paint'],
];

/** Compares lending with a tab that is not lent, and the extension with a browser without it. */
export function loadFigures(loads: Readonly<Record<Tab, readonly FirstLoad[]>>): readonly Figure[] {
  return ENDS.flatMap(([end, words]) => {
    const times = (tab: Tab) => loads[tab].map((load) => load[end]);
    const beside = (having: Tab, without: Tab, name: string) => {
      const { middle, low, high } = ratioInterval(times(having), times(without));
      return {
        unit: 'ms',
        better: 'less',
        ours: median(times(having)),
        beside: [{ name, value: median(times(without)) }],
        ratio: middle,
        range: [low, high],
        how: `${times(having).length} loads of each in turns; the ratio of medians, resampled: 95 % from ${low.toFixed(3)} to ${high.toFixed(3)}`,
      } as const;
    };
    return [
      figure({
        ...beside('lent', 'unlent', 'the same tab not lent'),
        id: `extension.${end}`,
        what: `the shop’s first load in a lent tab, ${words}`,
        aim: { ratio: 1.03 },
        ...(end === 'painted' && { headline: 'First load of a page in a tab that is lent' }),
      }),
      figure({
        ...beside('unlent', 'plain', 'a browser without the extension'),
        id: `extension.${end}.unlent`,
        what: `the same in a tab that is not lent, ${words}`,
      }),
    ];
  });
}

export function idleFigures({
  without,
  having,
}: {
  readonly without: Cost;
  readonly having: Cost;
}): readonly Figure[] {
  const idle = { better: 'less', how: 'a page of 5,000 elements that was looked at once' } as const;
  return [
    figure({
      ...idle,
      id: 'extension.idle.cpu',
      what: 'CPU of an idle page in a lent tab',
      unit: 'ms of CPU a second',
      ours: having.cpu,
      beside: [{ name: 'the same tab not lent', value: without.cpu }],
    }),
    figure({
      ...idle,
      id: 'extension.idle.memory',
      what: 'memory of an idle page in a lent tab',
      unit: 'MiB',
      ours: having.heap,
      beside: [{ name: 'the same tab not lent', value: without.heap }],
    }),
  ];
}
