import type { MessageDetails } from '@drawbridge/protocol';
import type { AgentMessage } from '../adapter.ts';
import type { PanelMessage } from './panel-view.ts';

interface Kept {
  readonly message_id: string;
  readonly created_at: string;
  /** Somebody else has told it: it was sent from afar, or was there before. */
  readonly isSilent: boolean;
  message: PanelMessage;
}

interface Means {
  readonly now: () => number;
  readonly newId: () => string;
}

/** What is shown is drawn anew all the time: a line break more or less makes no other message. */
export const plain = (text: string): string => text.replace(/\s+/g, '');

/** Makes messages with lasting ids of a transcript that is only ever seen as a whole, or as its end. */
export class TranscriptFold {
  readonly #means: Means;
  #kept: Kept[] = [];
  /** Sent, and not seen yet. */
  readonly #expected: string[] = [];

  constructor(means: Means) {
    this.#means = means;
  }

  /** Its appearance in the transcript is no message of its own (CHT-165). Gives how to take that back. */
  expect(text: string): () => void {
    const wanted = plain(text);
    this.#expected.push(wanted);
    return () => {
      const place = this.#expected.indexOf(wanted);
      if (place >= 0) this.#expected.splice(place, 1);
    };
  }

  /** What is new or has changed. With `isKnown`, what is there now is not told. */
  take(seen: readonly PanelMessage[], isKnown = false): readonly AgentMessage[] {
    const start = overlap(
      this.#kept.map(({ message }) => message),
      seen,
    );
    // Nothing of it is there any more: it is another conversation.
    if (start === undefined) this.#kept = [];
    const told: AgentMessage[] = [];
    for (const [index, message] of seen.entries()) {
      const place = (start ?? 0) + index;
      const known = this.#kept[place];
      if (known === undefined) {
        const kept = this.#keep(message, isKnown);
        this.#kept[place] = kept;
        if (!kept.isSilent && message.text !== '') told.push(asMessage(kept));
      } else if (!sameContent(known.message, message)) {
        known.message = message;
        if (!known.isSilent && message.text !== '') told.push(asMessage(known));
      }
    }
    return told;
  }

  #keep(message: PanelMessage, isKnown: boolean): Kept {
    const echo = message.role === 'user' ? this.#expected.indexOf(plain(message.text)) : -1;
    if (echo >= 0) this.#expected.splice(echo, 1);
    return {
      message_id: this.#means.newId(),
      created_at: new Date(this.#means.now()).toISOString(),
      isSilent: isKnown || echo >= 0,
      message,
    };
  }
}

/** Where in what is known the first of what is seen stands. A long list may show only its end. */
function overlap(known: readonly PanelMessage[], seen: readonly PanelMessage[]): number | undefined {
  if (known.length === 0) return 0;
  const starts = known.map((_, start) => start);
  if (seen.length === 0) return undefined;
  return starts.find((start) =>
    seen.every((message, index) => {
      const before = known[start + index];
      return before === undefined || isSame(before, message);
    }),
  );
}

/** An answer grows: one is the beginning of the other. */
function isSame(one: PanelMessage, other: PanelMessage): boolean {
  if (one.role !== other.role || one.kind !== other.kind) return false;
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const [a, b] = [plain(one.text), plain(other.text)];
  return one.role === 'user' ? a === b : a.startsWith(b) || b.startsWith(a);
}

const sameContent = (one: PanelMessage, other: PanelMessage): boolean =>
  one.text === other.text && one.result === other.result;

function asMessage({ message_id, created_at, message }: Kept): AgentMessage {
  const { role, text, result = '' } = message;
  const details = detailsOf(message, message_id);
  const content = result === '' ? text : `${text}\n${result}`;
  return { message_id, role, content, created_at, ...(details && { details }) };
}

function detailsOf({ kind, text, result = '' }: PanelMessage, id: string): MessageDetails | undefined {
  if (kind === 'thought') return { kind };
  if (kind !== 'tool_call') return undefined;
  const isDone = result !== '';
  return {
    kind,
    tool_call_id: id,
    title: text.slice(0, 1_000),
    status: isDone ? 'completed' : 'running',
    ...(isDone && { output: result }),
  };
}
