import { printTable } from '../measure.ts';
import type { PressTimes, Spread } from './press-timing.ts';
import type { ShopFlow } from './shop-flow.ts';

/** Medians in milliseconds, with the 10th and 90th percentile as the range. */
export function printPresses(page: string, times: readonly PressTimes[]): void {
  console.log(`\n${page}: ms from the call until the page hears the press, and until the answer`);
  printTable(
    ['subject', 'call → press', 'call → return', 'floor', 'ping', 'press ×', 'press × with ping'],
    times.map((each) => [
      each.name,
      spread(each.toPress),
      spread(each.toReturn),
      spread(each.floor),
      each.ping === undefined ? '' : spread(each.ping),
      ratioToFloor(each).toFixed(2),
      each.ping === undefined ? '' : ratioToFloorAndPing(each).toFixed(2),
    ]),
  );
  const within = Math.max(...times.map(({ clockWithin }) => clockWithin));
  console.log(`floor: rect, press and release over bare CDP on the same tab, in turns with the subject.`);
  console.log(`The clocks of the page and of the caller are at most ${within.toFixed(2)} ms apart.`);
}

/** One row for each page, one column for each subject. */
export function printAnswers(times: readonly PressTimes[]): void {
  const names = [...new Set(times.map(({ name }) => name))];
  const pages = [...new Set(times.map(({ page }) => page))];
  console.log('\nms from the call until the answer');
  printTable(
    ['page', ...names],
    pages.map((page) => [
      page,
      ...names.map((name) => {
        const found = times.find((each) => each.page === page && each.name === name);
        return found === undefined ? '' : spread(found.toReturn);
      }),
    ]),
  );
}

export function printFlows(flows: readonly ShopFlow[]): void {
  const best = bestPeer(flows);
  console.log('\nfrom the start page to the payment dialog: tokens of calls and answers (o200k)');
  printTable(
    [
      'subject',
      'calls',
      'written',
      'read',
      'tokens',
      '× best MCP peer',
      'tools and instructions',
      'asked',
      's',
    ],
    flows.map(({ name, calls, written, read, tokens, surfaceTokens, questions, ms }) => [
      name,
      String(calls),
      String(written),
      String(read),
      String(tokens),
      best === undefined ? '' : (tokens / best.tokens).toFixed(3),
      surfaceTokens === undefined ? '' : String(surfaceTokens),
      String(questions),
      (ms / 1000).toFixed(1),
    ]),
  );
}

export const ratioToFloor = ({ toPress, floor }: PressTimes): number => toPress.median / floor.median;

/** For a subject in a separate process, the round trip is part of the floor. */
export const ratioToFloorAndPing = ({ toPress, floor, ping }: PressTimes): number =>
  toPress.median / (floor.median + (ping?.median ?? 0));

/** The MCP peer whose answers had the fewest tokens. */
export function bestPeer(flows: readonly ShopFlow[]): ShopFlow | undefined {
  return flows.filter(({ kind }) => kind === 'peer').toSorted((a, b) => a.tokens - b.tokens)[0];
}

const spread = ({ median, low, high }: Spread): string =>
  `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;
