import { BRAIN_DEVICE } from '../interact/agent-sessions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SessionRecord } from '../ledger/records.ts';
import type { Notice, NoticeKind } from './notice.ts';
import { tagOf } from './notice.ts';
import { promptTag, type Story, waitTag } from './story.ts';
import { body, promptWords, spanWords, title, whoOf } from './words.ts';

/** A notification and its recipients: one device, or everyone who may see the session. */
export interface Telling {
  readonly notice: Notice;
  readonly session: SessionRecord;
  readonly to?: string;
}

export interface Heard {
  readonly story: Exclude<Story, { readonly kind: 'over' }>;
  readonly session_id: string;
  readonly event_id: string;
  readonly at: number;
}

/** After shorter work, people are still looking. */
const WORTH_TELLING_MS = 20_000;

/** Undefined for events that need no notification. */
export async function tellingOf(
  ledger: Pick<Ledger, 'session' | 'message'>,
  heard: Heard,
): Promise<Telling | undefined> {
  const { story, session_id, event_id, at } = heard;
  const session = await ledger.session(session_id);
  if (session === undefined) return undefined;
  const who = whoOf(session);
  const make = (kind: NoticeKind, words: Words, more: { tag?: string; to?: string } = {}): Telling => ({
    notice: {
      notice_id: words.id ?? event_id,
      ...{ kind, tag: more.tag ?? tagOf(event_id), session_id, who, at },
      ...(words.prompt_id !== undefined && { prompt_id: words.prompt_id }),
      ...{ title: title(words.title), body: body(words.body) },
    },
    session,
    ...(more.to !== undefined && { to: more.to }),
  });

  switch (story.kind) {
    case 'prompt': {
      const { prompt_id, key, text } = story;
      const words = { id: key, prompt_id, title: `${who} needs you`, body: promptWords(text) };
      return make('prompt', words, { tag: promptTag(session_id, prompt_id) });
    }
    case 'question':
      return make('question', { title: `${who} asks`, body: story.text }, { tag: story.tag });
    case 'task': {
      if (story.status === 'completed') return make('finished', { title: `Done: ${who}`, body: story.text });
      // The person who cancelled already knows.
      if (story.status === 'cancelled') return undefined;
      return make('failed', { title: `Not done: ${who}`, body: story.text });
    }
    case 'stopped': {
      const { waits, label = '', worked_ms } = story;
      const isOurs = session.proxy_device_id === BRAIN_DEVICE;
      if (isOurs && waits) {
        return make('question', { title: `${who} asks`, body: label }, { tag: waitTag(session_id) });
      }
      // The result of our own task already reports its end.
      if (isOurs || worked_ms < WORTH_TELLING_MS) return undefined;
      const next = waits ? ' It waits for you.' : '';
      const words = { title: `${who} has finished`, body: `After ${spanWords(worked_ms)} of work.${next}` };
      return make('finished', words, waits ? { tag: waitTag(session_id) } : {});
    }
    case 'send': {
      const sent = await ledger.message(session_id, story.client_message_id);
      if (sent === undefined) return undefined;
      const words = { title: `Your message did not reach ${who}`, body: story.problem };
      return make('failed', words, { to: sent.device_id });
    }
  }
}

interface Words {
  readonly id?: string;
  readonly prompt_id?: string;
  readonly title: string;
  readonly body: string;
}
