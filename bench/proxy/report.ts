import { printTable } from '../measure.ts';
import { percentileOf } from '../relay/percentile.ts';
import type { RoundTrip } from './person.ts';

export interface Way {
  readonly name: string;
  readonly journeys: readonly RoundTrip[];
  /** Round trip over the bare transports: sockets, and a pipe or a raw panel. */
  readonly floorMs: number;
}

const HOPS: readonly (readonly [string, (journey: RoundTrip) => number])[] = [
  ['person \u2192 relay accepted', ({ accepted }) => accepted],
  ['person \u2192 proxy got it', ({ got }) => got],
  ['person \u2192 agent received', ({ taken }) => taken],
  ['person \u2192 proxy reported', ({ reported }) => reported],
  ['person \u2192 delivered tick', ({ ticked }) => ticked],
  ['agent\u2019s first output \u2192 person\u2019s screen', ({ shown }) => shown],
];

const ms = (value: number): string => value.toFixed(1);

export function printWays(ways: readonly Way[]): void {
  for (const { name, journeys, floorMs } of ways) {
    console.log(`\n${name}: ${journeys.length} sends, one after another; ms since the person sent it`);
    printTable(
      ['until', 'p50', 'p95', '\u00d7 floor'],
      [
        ...HOPS.map(([hop, of]) => {
          const values = journeys.map(of);
          const median = percentileOf(values, 50);
          const ratio = hop.includes('tick') ? (median / floorMs).toFixed(1) : '';
          return [hop, ms(median), ms(percentileOf(values, 95)), ratio];
        }),
        ['floor: the ways alone, there and back', ms(floorMs), '', '1'],
      ],
    );
  }
}

export interface Watching {
  readonly panels: number;
  readonly seconds: number;
  readonly cpuMs: number;
  readonly held: number;
}

export function printWatching(rows: readonly Watching[]): void {
  console.log('\na proxy that only watches');
  printTable(
    ['idle panels', 'CPU, % of a core', 'heap, MB'],
    rows.map(({ panels, seconds, cpuMs, held }) => [
      String(panels),
      (cpuMs / seconds / 10).toFixed(1),
      (held / 1e6).toFixed(0),
    ]),
  );
}
