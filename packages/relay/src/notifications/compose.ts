import type { Ledger, SessionRecord } from '@drawbridge/ledger';
import type { Words } from '@drawbridge/ui/model';
import { BRAIN_DEVICE } from '../interact/agent-sessions.ts';
import { type Notice, type NoticeKind, type NoticeLanguage, tagOf } from './notice.ts';
import { type NotificationEvent, promptTag, waitTag } from './notification-events.ts';
import { body, promptWords, sessionLabel, spanWords, title, WORDS } from './words.ts';

/** A notification and its recipients: one device, or everyone who may see the session. */
export interface Notification {
  readonly notices: Readonly<Record<NoticeLanguage, Notice>>;
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
  const make = (kind: NoticeKind, say: Says, more: More = {}): Notification => {
    const { id = event_id, prompt_id, tag = tagOf(event_id), to } = more;
    const noticeIn = (language: NoticeLanguage): Notice => {
      const said = say(WORDS[language].push, WORDS[language]);
      return {
        ...{ notice_id: id, kind, tag, session_id, who, at },
        ...(prompt_id !== undefined && { prompt_id }),
        ...{ title: title(said.title), body: body(said.body) },
      };
    };
    const notices = { en: noticeIn('en'), de: noticeIn('de') };
    return { notices, session, ...(to !== undefined && { to }) };
  };

  switch (notificationEvent.kind) {
    case 'prompt': {
      const { prompt_id, key, text } = notificationEvent;
      const tag = promptTag(session_id, prompt_id);
      return make(
        'prompt',
        (push, words) => ({ title: push.needsYou(who), body: promptWords(text, words) }),
        { id: key, prompt_id, tag },
      );
    }
    case 'question': {
      const { text, tag } = notificationEvent;
      return make('question', (push) => ({ title: push.asks(who), body: text }), { tag });
    }
    case 'task': {
      const { status, text } = notificationEvent;
      if (status === 'completed') return make('finished', (push) => ({ title: push.done(who), body: text }));
      // The person who cancelled already knows.
      if (status === 'cancelled') return undefined;
      return make('failed', (push) => ({ title: push.notDone(who), body: text }));
    }
    case 'stopped': {
      const { waits, label = '', worked_ms } = notificationEvent;
      const isOurs = session.proxy_device_id === BRAIN_DEVICE;
      const tagged = waits ? { tag: waitTag(session_id) } : {};
      if (isOurs && waits)
        return make('question', (push) => ({ title: push.asks(who), body: label }), tagged);
      // The result of our own task already reports its end.
      if (isOurs || worked_ms < WORTH_NOTIFYING_MS) return undefined;
      return make(
        'finished',
        (push, words) => {
          const worked = push.worked(spanWords(worked_ms, words));
          return { title: push.finished(who), body: waits ? `${worked} ${push.waits}` : worked };
        },
        tagged,
      );
    }
    case 'send': {
      const { client_message_id, problem } = notificationEvent;
      const sent = await ledger.message(session_id, client_message_id);
      if (sent === undefined) return undefined;
      return make('failed', (push) => ({ title: push.notReached(who), body: problem }), {
        to: sent.device_id,
      });
    }
  }
}

type Says = (push: Words['push'], words: Words) => { readonly title: string; readonly body: string };

interface More {
  readonly id?: string;
  readonly prompt_id?: string;
  readonly tag?: string;
  readonly to?: string;
}
