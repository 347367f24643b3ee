import { printTable } from '../measure.ts';
import type { FrameTimes } from './frame-times.ts';
import type { LiveConversation } from './live-conversation.ts';
import type { Opening } from './opening.ts';

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(0);
const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
const milliseconds = (ms: number): string => ms.toFixed(0);

const OPENING: readonly (readonly [string, (opening: Opening) => number, (value: number) => string])[] = [
  ['loaded, kB as it comes', ({ bytes }) => bytes, kilobytes],
  ['requests', ({ requests }) => requests, String],
  ['usable after, ms', ({ usableMs }) => usableMs, milliseconds],
  ['read back: 95th percentile of frames, ms', ({ readBack }) => readBack.p95Ms, milliseconds],
  ['read back: the worst frame, ms', ({ readBack }) => readBack.worstMs, milliseconds],
  ['held after that, MiB', ({ heldBytes }) => heldBytes, megabytes],
  ['nodes in the page', ({ nodes }) => nodes, String],
];

export function printOpenings(ours: Opening, peer: Opening | undefined): void {
  console.log(
    '\na long conversation, opened cold on a phone (slow 4G, a quarter of the CPU), then read back on a fast one',
  );
  printTable(
    ['', ours.name, ...(peer ? [peer.name, 'ours ×'] : [])],
    OPENING.map(([name, pick, show]) => [
      name,
      show(pick(ours)),
      ...(peer ? [show(pick(peer)), (pick(ours) / pick(peer)).toFixed(2)] : []),
    ]),
  );
}

export function printLive(live: LiveConversation, events: number): void {
  console.log(`\nwhile ${live.perSecond.toFixed(0)} events a second arrive; frames and keys in ms`);
  const row = (name: string, { count, medianMs, p95Ms, worstMs, hitches }: FrameTimes): readonly string[] => [
    name,
    String(count),
    ...[medianMs, p95Ms, worstMs].map(milliseconds),
    `${hitches}`,
  ];
  printTable(
    ['', 'count', 'median', '95 %', 'worst', 'over 50 ms'],
    [
      row('frames, at the end', live.following),
      row('frames, reading back', live.readingBack),
      row('keys, from press to paint', live.typing),
      row(`frames, catching up with ${events.toLocaleString('en')}`, live.catchUp),
    ],
  );
  console.log(
    `caught up in ${(live.catchUpMs / 1_000).toFixed(1)} s; ${megabytes(live.heldBytes)} MiB held and ${live.nodes} nodes in the page after ${(2 * events).toLocaleString('en')} events.`,
  );
}
