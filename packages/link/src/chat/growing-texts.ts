import { RecentMap } from '@drawbridge/base';
import type { ChatEvent, FrameOf } from './chat-link.ts';

/** Messages of a session that may grow at the same time. */
const REMEMBERED = 4;

/** Texts of the latest messages, which later events continue (CHT-298). */
export class GrowingTexts {
  readonly #sessions = new Map<string, RecentMap<string, string>>();

  /** The event with the whole text; undefined when the text before it is not here. */
  whole(event: ChatEvent): ChatEvent | undefined {
    if (event.type !== 'message_event') return event;
    const { session_id, message, offset, ...rest } = event;
    const before = offset === undefined ? '' : this.#of(session_id).get(message.message_id);
    if (before === undefined || before.length < (offset ?? 0)) return undefined;
    const content = before.slice(0, offset ?? 0) + message.content;
    this.#of(session_id).set(message.message_id, content);
    return offset === undefined ? event : { ...rest, session_id, message: { ...message, content } };
  }

  append({ session_id, message_id, offset, text }: FrameOf<'message_append'>): void {
    const before = this.#of(session_id).get(message_id);
    if (before !== undefined && before.length >= offset)
      this.#of(session_id).set(message_id, before.slice(0, offset) + text);
  }

  snapshot({ session_id, messages }: FrameOf<'history_snapshot'>): void {
    const last = messages.findLast(({ role }) => role !== 'user');
    if (last !== undefined) this.#of(session_id).set(last.message_id, last.content);
  }

  forget(session_id: string): void {
    this.#sessions.delete(session_id);
  }

  #of(session_id: string): RecentMap<string, string> {
    const there = this.#sessions.get(session_id) ?? new RecentMap<string, string>(REMEMBERED);
    this.#sessions.set(session_id, there);
    return there;
  }
}
