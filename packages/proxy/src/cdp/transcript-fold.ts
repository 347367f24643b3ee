import type { MessageDetails } from '@drawbridge/protocol';
import type { AgentMessage } from '../adapter.ts';
import type { PanelMessage } from './panel-view.ts';

interface StoredEntry {
  readonly message_id: string;
  readonly created_at: string;
  /** Not to be sent: a remote send, or there from the start. */
  readonly isSilent: boolean;
  message: PanelMessage;
}

interface Means {
  readonly now: () => number;
  readonly newId: () => string;
}

/** Ignores whitespace, which differs between renderings. */
export const plain = (text: string): string => text.replace(/\s+/g, '');

/** Assigns lasting message ids to a transcript that is seen only as a whole, or as its end. */
export class TranscriptFold {
  readonly #means: Means;
  #kept: StoredEntry[] = [];
  /** Sent but not seen yet. */
  readonly #expected: string[] = [];

  constructor(means: Means) {
    this.#means = means;
  }

  /** Drops the message's appearance in the transcript (CHT-165). Returns an undo. */
  expect(text: string): () => void {
    const wanted = plain(text);
    this.#expected.push(wanted);
    return () => {
      const index = this.#expected.indexOf(wanted);
      if (index >= 0) this.#expected.splice(index, 1);
    };
  }

  /** Returns new and changed messages. With `isKnown`, records the current ones without returning them. */
  take(seen: readonly PanelMessage[], isKnown = false): readonly AgentMessage[] {
    const start = overlap(
      this.#kept.map(({ message }) => message),
      seen,
    );
    // No overlap: another conversation.
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

  #keep(message: PanelMessage, isKnown: boolean): StoredEntry {
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

/** Index of the first seen message among the known ones. A long list may show only its end. */
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

/** A growing answer: one text is a prefix of the other. */
function isSame(one: PanelMessage, other: PanelMessage): boolean {
  if (one.role !== other.role || one.kind !== other.kind) return false;
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const [a, b] = [plain(one.text), plain(other.text)];
  return one.role === 'user' ? a === b : a.startsWith(b) || b.startsWith(a);
}

const sameContent = (one: PanelMessage, other: PanelMessage): boolean =>
  one.text === other.text && one.result === other.result;

function asMessage({ message_id, created_at, message }: StoredEntry): AgentMessage {
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
