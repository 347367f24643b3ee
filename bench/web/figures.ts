import { type Figure, figure } from '../../scripts/bench/figure.ts';
import type { LiveConversation } from './live-conversation.ts';
import type { Opening } from './opening.ts';

export const PER_SECOND = 500;
const MIB = 1_048_576;

export function openingFigures(
  shellBytes: number,
  ours: Opening,
  peer: Opening | undefined,
  events: number,
): readonly Figure[] {
  const beside = (pick: (opening: Opening) => number) => [
    peer && { name: peer.name, value: pick(peer), isPeer: true as const },
  ];
  const cold = `${events.toLocaleString('en')} events, opened cold on a phone: slow 4G, a quarter of the CPU`;
  return [
    figure({
      id: 'web.shell',
      what: 'the first screen',
      unit: 'kB gzip',
      better: 'less',
      ours: shellBytes / 1_000,
      must: { value: 150 },
      how: 'the page and every file that it names',
    }),
    figure({
      id: 'web.loaded',
      what: 'what a long conversation loads before it is of use',
      unit: 'kB',
      better: 'less',
      ours: ours.bytes / 1_000,
      beside: beside(({ bytes }) => bytes / 1_000),
      must: { ratio: 1 },
      how: cold,
    }),
    figure({
      id: 'web.usable',
      headline: 'A long conversation on a phone, until it is of use',
      what: 'a long conversation, until it can be read and written to',
      unit: 'ms',
      better: 'less',
      ours: ours.usableMs,
      beside: beside(({ usableMs }) => usableMs),
      must: { ratio: 1 },
      how: cold,
    }),
    figure({
      id: 'web.held',
      what: 'memory of the page after reading back',
      unit: 'MiB',
      better: 'less',
      ours: ours.heldBytes / MIB,
      beside: beside(({ heldBytes }) => heldBytes / MIB),
      must: { ratio: 1 },
      how: 'the heap of its scripts, after a collection',
    }),
  ];
}

export function liveFigures(live: LiveConversation, events: number): readonly Figure[] {
  // A busy machine delivers fewer events; then this run shows nothing.
  const isFull = live.perSecond >= 0.8 * PER_SECOND;
  const told = (ms: number) =>
    isFull ? { ours: ms } : { note: `only ${live.perSecond.toFixed(0)} events a second arrived` };
  const arriving = {
    unit: 'ms',
    better: 'less',
    how: `95th percentile while ${PER_SECOND} events a second arrive`,
  } as const;
  return [
    figure({
      ...arriving,
      id: 'web.keys',
      what: 'a key, from press to paint',
      ...told(live.typing.p95Ms),
      aim: { value: 100 },
    }),
    figure({
      ...arriving,
      id: 'web.frames.end',
      what: 'frames at the live end',
      ...told(live.following.p95Ms),
      aim: { value: 34 },
    }),
    figure({
      ...arriving,
      id: 'web.frames.back',
      what: 'frames while reading back',
      ...told(live.readingBack.p95Ms),
      aim: { value: 34 },
    }),
    figure({
      id: 'web.held.long',
      what: `memory of the page after ${(2 * events).toLocaleString('en')} events`,
      unit: 'MiB',
      better: 'less',
      ours: live.heldBytes / MIB,
      aim: { value: 40 },
      how: 'the heap of its scripts, after a collection',
    }),
  ];
}
