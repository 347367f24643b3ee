import type { SeededRandom } from '../seeded-random.ts';

/** A range from which an integer is drawn each time, both ends included. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

/** Faults in one direction of a connection. */
export interface DirectionFaults {
  /** Sizes of the segments that writes are split into. */
  readonly segmentBytes?: Span;
  /** Delay of each segment, one after the other. */
  readonly delayMs?: Span;
  /** Bytes vanish. A connection that lost one never carries another: TCP has no holes in a stream. */
  readonly swallow?: boolean;
  /** The connection is destroyed after this many more bytes; with 0, at the next one. */
  readonly cutAfterBytes?: Span;
}

export type Decision =
  | { readonly kind: 'segment'; readonly at: number; readonly bytes: number; readonly delayMs: number }
  | { readonly kind: 'swallow'; readonly at: number }
  | { readonly kind: 'cut'; readonly at: number };

export type Piece =
  | { readonly kind: 'send'; readonly bytes: Uint8Array; readonly delayMs: number }
  | { readonly kind: 'swallow'; readonly bytes: Uint8Array }
  | { readonly kind: 'cut' };

export interface FaultPlan {
  /** Replaces the faults from the next byte on. */
  change(faults: DirectionFaults): void;
  /** Decides about the next bytes of the stream, piece by piece. */
  take(bytes: Uint8Array): Generator<Piece, void, void>;
}

const SEGMENT_WHEN_ONLY_DELAYED: Span = { min: 16_384, max: 16_384 };

/** Decides by byte offset alone, so that the same stream gets the same faults whatever TCP's chunks. */
export function createFaultPlan(
  random: SeededRandom,
  initial: DirectionFaults,
  decided: (decision: Decision) => void = () => {},
): FaultPlan {
  const sizes = random.fork('size');
  const delays = random.fork('delay');
  const cuts = random.fork('cut');
  let faults: DirectionFaults = {};
  let offset = 0;
  let cutAt = Number.POSITIVE_INFINITY;
  let segment = { end: 0, delayMs: 0 };
  let swallowing = false;

  const change = (next: DirectionFaults): void => {
    faults = next;
    segment = { end: offset, delayMs: 0 };
    const { cutAfterBytes } = next;
    cutAt = cutAfterBytes === undefined ? Number.POSITIVE_INFINITY : offset + draw(cuts, cutAfterBytes);
  };

  const startSegment = (): void => {
    const { segmentBytes, delayMs } = faults;
    if (segmentBytes === undefined && delayMs === undefined) {
      segment = { end: Number.POSITIVE_INFINITY, delayMs: 0 };
      return;
    }
    const bytes = draw(sizes, segmentBytes ?? SEGMENT_WHEN_ONLY_DELAYED);
    segment = { end: offset + bytes, delayMs: delayMs === undefined ? 0 : draw(delays, delayMs) };
    decided({ kind: 'segment', at: offset, bytes, delayMs: segment.delayMs });
  };

  const startSwallowing = (): void => {
    swallowing = true;
    decided({ kind: 'swallow', at: offset });
  };

  function* take(bytes: Uint8Array): Generator<Piece, void, void> {
    let rest = bytes;
    while (offset < cutAt) {
      if (rest.length === 0) return;
      if (faults.swallow && !swallowing) startSwallowing();
      if (!swallowing && offset === segment.end) startSegment();
      const end = swallowing ? cutAt : Math.min(segment.end, cutAt);
      const piece = rest.subarray(0, end - offset);
      rest = rest.subarray(piece.length);
      offset += piece.length;
      yield swallowing
        ? { kind: 'swallow', bytes: piece }
        : { kind: 'send', bytes: piece, delayMs: segment.delayMs };
    }
    decided({ kind: 'cut', at: offset });
    yield { kind: 'cut' };
  }

  change(initial);
  return { change, take };
}

function draw(random: SeededRandom, span: Span): number {
  return random.int(span.min, span.max);
}
