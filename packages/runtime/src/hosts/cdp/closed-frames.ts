import type { FrameInfo, Reading, Snapshot } from '@drawbridge/page';

const HOW = 'closed: an address in the person’s own network; press it to ask the person';

/** Adds the frames that are kept closed to a snapshot or a reading, so that an agent knows why it sees nothing there. */
export function withClosedFrames(name: string, answer: unknown, origins: readonly string[]): unknown {
  const closed = [...new Set(origins)];
  if (closed.length === 0) return answer;
  if (name === 'snapshot') return inSnapshot(answer as Snapshot, closed);
  return name === 'read' ? inReading(answer as Reading, closed) : answer;
}

function inSnapshot(snapshot: Snapshot, origins: readonly string[]): Snapshot {
  const isAt = (origin: string) => (frame: FrameInfo) =>
    URL.parse(frame.url, snapshot.page.url)?.origin === origin;
  const closed = origins.flatMap((origin) => {
    const held = snapshot.frames.filter(isAt(origin));
    // A redirected or nested frame has no id here: its position is all there is.
    return held.length === 0 ? [{ id: '', url: origin }] : held.map(({ id }) => ({ id, url: origin }));
  });
  const lines = closed.map(({ id, url }) => ['frame', id, url, HOW].filter((part) => part !== '').join(' '));
  return {
    ...snapshot,
    closed_frames: lines,
    ...(snapshot.text !== undefined && { text: [snapshot.text, ...lines].join('\n') }),
  };
}

function inReading(reading: Reading, origins: readonly string[]): Reading {
  if (reading.next !== undefined) return reading;
  return {
    ...reading,
    text: [reading.text, ...origins.map((origin) => `frame ${origin} ${HOW}`)].join('\n\n'),
  };
}
