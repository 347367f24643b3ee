import type { Ledger, SessionRecord } from '@drawbridge/ledger';
import { BRAIN_DEVICE } from '../interact/agent-sessions.ts';
import type { Notice, NoticeKind } from './notice.ts';
import { tagOf } from './notice.ts';
import { type NotificationEvent, promptTag, waitTag } from './notification-events.ts';
import { body, promptWords, sessionLabel, spanWords, title } from './words.ts';

/** A notification and its recipients: one device, or everyone who may see the session. */
export interface Notification {
  readonly notice: Notice;
  readonly session: SessionRecord;
  readonly to?: string;
}

export interface ObservedEvent {
  readonly notificationEvent: Exclude<NotificationEvent, { readonly kind: 'over' }>;
  readonly session_id: string;
  readonly event_id: string;
  readonly at: number;
}

/** After shorter work, people are still looking. */
const WORTH_NOTIFYING_MS = 20_000;

/** Undefined for events that need no notification. */
export async function composeNotification(
  ledger: Pick<Ledger, 'session' | 'message'>,
  heard: ObservedEvent,
): Promise<Notification | undefined> {
  const { notificationEvent, session_id, event_id, at } = heard;
  const session = await ledger.session(session_id);
  if (session === undefined) return undefined;
  const who = sessionLabel(session);
  const make = (kind: NoticeKind, words: Words, more: { tag?: string; to?: string } = {}): Notification => ({
    notice: {
      notice_id: words.id ?? event_id,
      ...{ kind, tag: more.tag ?? tagOf(event_id), session_id, who, at },
      ...(words.prompt_id !== undefined && { prompt_id: words.prompt_id }),
      ...{ title: title(words.title), body: body(words.body) },
    },
    session,
    ...(more.to !== undefined && { to: more.to }),
  });

  switch (notificationEvent.kind) {
    case 'prompt': {
      const { prompt_id, key, text } = notificationEvent;
      const words = { id: key, prompt_id, title: `${who} needs you`, body: promptWords(text) };
      return make('prompt', words, { tag: promptTag(session_id, prompt_id) });
    }
    case 'question':
      return make(
        'question',
        { title: `${who} asks`, body: notificationEvent.text },
        { tag: notificationEvent.tag },
      );
    case 'task': {
      if (notificationEvent.status === 'completed')
        return make('finished', { title: `Done: ${who}`, body: notificationEvent.text });
      // The person who cancelled already knows.
      if (notificationEvent.status === 'cancelled') return undefined;
      return make('failed', { title: `Not done: ${who}`, body: notificationEvent.text });
    }
    case 'stopped': {
      const { waits, label = '', worked_ms } = notificationEvent;
      const isOurs = session.proxy_device_id === BRAIN_DEVICE;
      if (isOurs && waits) {
        return make('question', { title: `${who} asks`, body: label }, { tag: waitTag(session_id) });
      }
      // The result of our own task already reports its end.
      if (isOurs || worked_ms < WORTH_NOTIFYING_MS) return undefined;
      const next = waits ? ' It waits for you.' : '';
      const words = { title: `${who} has finished`, body: `After ${spanWords(worked_ms)} of work.${next}` };
      return make('finished', words, waits ? { tag: waitTag(session_id) } : {});
    }
    case 'send': {
      const sent = await ledger.message(session_id, notificationEvent.client_message_id);
      if (sent === undefined) return undefined;
      const words = { title: `Your message did not reach ${who}`, body: notificationEvent.problem };
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
