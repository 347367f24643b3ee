import type { CoreContext } from './core-context.ts';
import { type FrameOf, frameText } from './frames.ts';

type Message = FrameOf<'message_event'>['message'];

/** Messages that an agent is still writing. */
export type Streams = ReturnType<typeof createStreams>;

/** The proxy that observes a message. */
interface Source {
  /** Commits a version; false when it was refused. */
  readonly store: (message: Message) => Promise<boolean>;
  /** CHT-303: it sends the message again after a crash, so that no version in between must be stored. */
  readonly repeats: boolean;
}

interface Stream {
  readonly session_id: string;
  latest: Message;
  source: Source;
  /** Characters in the last stored version, and in what watchers have. */
  stored: number;
  sent: number;
  /** Commits under way: appends wait, because their event replaces the text. */
  storing: number;
  cancelAppend: (() => void) | undefined;
  cancelRest: () => void;
}

/** At most five appends a second, fewer of a long message: each is sent with about 200 bytes around its text. */
const appendEvery = (chars: number): number => Math.max(200, chars / 100);
/**
 * Each stored version has the whole text, so there are few: at this length, and each time it is eight times as long.
 * Peers that need none before the last get none.
 */
const FIRST_CHECKPOINT = 1_250;
const GROWTH = 8;

function nextCheckpoint(stored: number): number {
  let length = FIRST_CHECKPOINT;
  while (length <= stored) length *= GROWTH;
  return length;
}

/** A message at rest is complete; a proxy sends longer texts less often. */
const restAfter = (chars: number): number => Math.max(1_000, chars / 20);

interface StreamPorts {
  readonly publish: (session_id: string, text: string) => void;
  /** True when a watcher of the session gets no appends. */
  readonly isSeenWhole: (session_id: string) => boolean;
}

export function createStreams(context: CoreContext, { publish, isSeenWhole }: StreamPorts) {
  const { after, run, now } = context;
  const streams = new Map<string, Map<string, Stream>>();

  const forget = ({ session_id, latest, cancelAppend, cancelRest }: Stream): void => {
    cancelAppend?.();
    cancelRest();
    const there = streams.get(session_id);
    there?.delete(latest.message_id);
    if (there?.size === 0) streams.delete(session_id);
  };

  const appendText = ({ session_id, latest }: Stream, offset: number): string => {
    const { message_id, content } = latest;
    const text = content.slice(offset);
    return frameText({ type: 'message_append', session_id, message_id, offset, text }, now());
  };

  const append = (stream: Stream): void => {
    stream.cancelAppend = undefined;
    if (stream.storing > 0 || stream.sent >= stream.latest.content.length) return;
    publish(stream.session_id, appendText(stream, stream.sent));
    stream.sent = stream.latest.content.length;
    stream.cancelAppend = after(appendEvery(stream.sent), () => append(stream));
  };

  const store = async (stream: Stream): Promise<void> => {
    const { latest } = stream;
    stream.stored = latest.content.length;
    stream.storing += 1;
    stream.cancelAppend?.();
    stream.cancelAppend = undefined;
    const isStored = await stream.source.store(latest);
    stream.storing -= 1;
    const isCurrent = streams.get(stream.session_id)?.get(latest.message_id) === stream;
    if (!isCurrent) return;
    if (!isStored) forget(stream);
    else if (stream.storing === 0) {
      stream.sent = stream.stored;
      proceed(stream);
    }
  };

  const isAhead = ({ latest, stored }: Stream): boolean => latest.content.length > stored;

  const rest = (stream: Stream): void => {
    const isDone = !isAhead(stream);
    if (isDone && stream.storing === 0) forget(stream);
    else if (!isDone) run(store(stream));
  };

  const proceed = (stream: Stream): void => {
    const { session_id, latest, stored, source } = stream;
    stream.cancelRest();
    stream.cancelRest = after(restAfter(latest.content.length), () => rest(stream));
    if (stream.storing > 0 || !isAhead(stream)) return;
    const isDue = latest.content.length >= nextCheckpoint(stored);
    if (isDue && (!source.repeats || isSeenWhole(session_id))) run(store(stream));
    else if (stream.cancelAppend === undefined) append(stream);
  };

  return {
    /** Takes a longer version of a message whose last stored version has `stored` characters. */
    grow: (session_id: string, message: Message, stored: number, source: Source): void => {
      const there = streams.get(session_id) ?? new Map<string, Stream>();
      streams.set(session_id, there);
      const known = there.get(message.message_id);
      const stream: Stream = known ?? {
        ...{ session_id, latest: message, source, stored, sent: stored, storing: 0 },
        cancelAppend: undefined,
        cancelRest: () => {},
      };
      stream.latest = message;
      stream.source = source;
      there.set(message.message_id, stream);
      proceed(stream);
    },
    /** Stores the whole text of a session's growing messages, or of all, except one. */
    flush: (session_id?: string, except?: string): void => {
      const chosen =
        session_id === undefined
          ? [...streams.values()].flatMap((there) => [...there.values()])
          : [...(streams.get(session_id)?.values() ?? [])];
      for (const stream of chosen) {
        if (stream.latest.message_id !== except && isAhead(stream)) run(store(stream));
      }
    },
    /** Drops a message whose whole text is about to be stored. */
    drop: (session_id: string, message_id: string): void => {
      const stream = streams.get(session_id)?.get(message_id);
      if (stream !== undefined) forget(stream);
    },
  };
}
