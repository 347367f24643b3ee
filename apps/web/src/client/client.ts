import { type ChatLink, ChatRefusal, isEvent, type NewMessage, type SendFrame } from '@drawbridge/link/chat';
import type { ChatFrame } from '@drawbridge/protocol';
import type { MessageEntry } from '@drawbridge/ui/model';
import type { ConversationInput } from '../state/conversation.ts';
import type { PreferenceStore } from '../state/preferences.ts';
import type { Store } from '../state/store.ts';
import { createClosings } from './closings.ts';

export interface ClientPorts {
  readonly link: ChatLink;
  readonly store: Store;
  readonly preferences: PreferenceStore;
  readonly newId: () => string;
}

export interface LaunchOptions {
  readonly agent_type: string;
  readonly machine_label?: string;
  readonly workspace_path?: string;
  readonly window_title?: string;
  readonly browser?: boolean;
  readonly browser_origins?: string[];
}

/** Actions of a person. Success is shown only after confirmation. */
export interface Client {
  readonly send: (message: NewMessage) => void;
  readonly retry: (session_id: string, entry: MessageEntry) => void;
  readonly drop: (session_id: string, entry: MessageEntry) => void;
  readonly cancel: (session_id: string, entry: MessageEntry) => void;
  readonly edit: (session_id: string, entry: MessageEntry, content: string) => void;
  readonly older: (session_id: string) => void;
  readonly reload: (session_id: string) => void;
  readonly stop: (session_id: string) => void;
  /** Puts away that a stop was not confirmed: the agent may still stop. */
  readonly waitForStop: (session_id: string) => void;
  readonly setModel: (session_id: string, model_id: string) => void;
  readonly setMode: (session_id: string, mode_id: string) => void;
  /** Resolves with the reason if the goal did not change. */
  readonly setGoal: (session_id: string, action: 'pause' | 'resume') => Promise<string | undefined>;
  /** A reader is further up: keep the entries there. */
  readonly hold: (session_id: string, isHeld: boolean) => void;
  readonly answerPrompt: (session_id: string, prompt_id: string, choice_id: string, reason?: string) => void;
  readonly answerQuestion: (
    session_id: string,
    question_id: string,
    values: Record<string, unknown> | undefined,
  ) => void;
  /** Resolves with the session id, or undefined with the reason in the state. */
  readonly launch: (options: LaunchOptions) => Promise<string | undefined>;
  readonly dismissLaunch: (request_id: string) => void;
  /** Closes after a delay, unless undone. */
  readonly closeSession: (session_id: string) => void;
  readonly keepSession: (session_id: string) => void;
  readonly wake: () => void;
  readonly close: () => void;
}

const PAGE_MESSAGES = 40;
const RECENT_EVENTS = 200;
const MAX_DROPPED = 500;
/** Limit of concurrent history requests: a relay accepts 200 frames at once (CHT-97). */
const MAX_ASKING = 12;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function createClient({ link, store, preferences, newId }: ClientPorts): Client {
  const tell = (session_id: string, input: ConversationInput): void =>
    store.put({ type: 'talk', session_id, input });
  const closings = createClosings(link, store);
  const olderPages = new Set<string>();
  const asked = new Set<string>();
  const wanted: string[] = [];
  let asking = 0;

  /** Requests the newest page of an unknown session; the link delivers later events. */
  const want = (session_id: string): void => {
    if (asked.has(session_id)) return;
    asked.add(session_id);
    wanted.push(session_id);
    askNext();
  };
  const askNext = (): void => {
    while (asking < MAX_ASKING) {
      const session_id = wanted.shift();
      if (session_id === undefined) return;
      asking += 1;
      void load(session_id).finally(() => {
        asking -= 1;
        askNext();
      });
    }
  };
  /** Loads prompts and outcomes from before this connection, which snapshots lack. */
  const recall = async (session_id: string, last_sequence: number): Promise<void> => {
    const after_sequence = Math.max(0, last_sequence - RECENT_EVENTS);
    const recent = await link.request({ type: 'history_request', session_id, after_sequence });
    if (recent.type !== 'history_delta') return;
    const { dropped } = preferences.get();
    const events = recent.events
      .filter(isEvent)
      .filter((event) => event.type !== 'agent_question' || !dropped.includes(event.question_id));
    tell(session_id, { type: 'recalled', events });
  };
  const load = async (session_id: string): Promise<void> => {
    tell(session_id, { type: 'history_state', state: 'loading' });
    try {
      // The page itself arrives as a frame, ordered with the events around it.
      const page = await link.request({ type: 'history_request', session_id, limit: PAGE_MESSAGES });
      // On failure both are requested again next time.
      await recall(session_id, page.last_sequence).catch(() => asked.delete(session_id));
    } catch {
      asked.delete(session_id);
      tell(session_id, { type: 'history_state', state: 'failed' });
    }
  };

  const take = (frame: ChatFrame): void => {
    if (frame.type === 'history_snapshot' && olderPages.has(frame.request_id ?? '')) return;
    store.put({ type: 'frame', frame });
    if (frame.type === 'session_snapshot') for (const { session_id } of frame.sessions) want(session_id);
    if (frame.type === 'history_snapshot') {
      // Messages from before the first visit are not unread.
      const last = frame.messages.at(-1)?.message_id ?? '';
      const { read } = preferences.get();
      if (read[frame.session_id] === undefined)
        preferences.set({ read: { ...read, [frame.session_id]: last } });
    }
  };

  /** Taken back before the relay's ack: cancelled once the relay confirms it. */
  const takenBack = new Set<string>();
  const takeBack = (session_id: string, client_message_id: string): void =>
    void link.send({ type: 'cancel_message', request_id: newId(), session_id, client_message_id });

  link.onState((state) => store.put({ type: 'link', state, at: Date.now() }));
  link.onFrame(take);
  link.onEvent((event) => {
    store.put({ type: 'event', event });
    if (event.type === 'message_accepted' && takenBack.delete(event.message_id))
      takeBack(event.session_id, event.message_id);
    if (event.type === 'session_up') want(event.session.session_id);
  });
  link.onPending((pending) => store.put({ type: 'pending', pending }));
  link.onProblem((problem) => {
    if (problem.kind !== 'send_refused') return;
    const { code, message } = problem.error;
    tell(problem.message.session_id, { type: 'refused', frame: problem.message, code, message });
  });

  const send = (message: NewMessage): void => {
    // The outcome arrives as events and errors.
    link.sendMessage(message);
  };

  const putAway = (id: string): void =>
    preferences.set(({ dropped }) => ({ dropped: [...dropped, id].slice(-MAX_DROPPED) }));

  const drop = (session_id: string, { id }: MessageEntry): void => {
    putAway(id);
    tell(session_id, { type: 'forgotten', id });
  };

  const isHere = (id: string): SendFrame | undefined =>
    link.pending.find(({ client_message_id }) => client_message_id === id);

  const control = async (work: Promise<unknown>, failed: (error: unknown) => void): Promise<void> => {
    try {
      await work;
    } catch (error) {
      failed(error);
    }
  };

  return {
    send,
    drop,
    retry(session_id, entry) {
      const { content, attachments } = entry;
      send({
        session_id,
        ...(content !== '' && { content }),
        ...(attachments.length > 0 && { attachments: [...attachments] }),
      });
      drop(session_id, entry);
    },
    cancel(session_id, { id }) {
      if (isHere(id)) {
        takenBack.add(id);
        link.drop(id);
      } else takeBack(session_id, id);
    },
    edit(session_id, { id }, content) {
      link.send({ type: 'edit_message', request_id: newId(), session_id, client_message_id: id, content });
    },
    older(session_id) {
      const history = store.get().talks.get(session_id)?.history;
      const isAtRest = history?.state === 'there' || history?.state === 'failed';
      if (!isAtRest || history.before === undefined) return;
      const request_id = newId();
      olderPages.add(request_id);
      tell(session_id, { type: 'history_state', state: 'loading' });
      link
        .request({
          type: 'history_request',
          request_id,
          session_id,
          limit: PAGE_MESSAGES,
          before_sequence: history.before,
        })
        .then(
          (page) => {
            if (page.type === 'history_snapshot') store.put({ type: 'older_page', snapshot: page });
          },
          () => tell(session_id, { type: 'history_state', state: 'failed' }),
        )
        .finally(() => olderPages.delete(request_id));
    },
    reload: (session_id) => void load(session_id),
    stop(session_id) {
      tell(session_id, { type: 'stop_asked' });
      void control(
        link
          .request({ type: 'agent_interrupt', session_id })
          .then(() => tell(session_id, { type: 'stop_ended' })),
        (error) => {
          const isIdle = error instanceof ChatRefusal && error.code === 'agent_not_active';
          tell(session_id, { type: 'stop_ended', ...(!isIdle && { problem: messageOf(error) }) });
        },
      );
    },
    waitForStop: (session_id) => tell(session_id, { type: 'stop_ended' }),
    setModel(session_id, model_id) {
      tell(session_id, { type: 'model_asked', model_id });
      void control(link.request({ type: 'agent_set_model', session_id, model_id }), (error) =>
        tell(session_id, { type: 'model_refused', problem: messageOf(error) }),
      );
    },
    setMode(session_id, mode_id) {
      tell(session_id, { type: 'mode_asked', mode_id });
      void control(link.request({ type: 'agent_set_mode', session_id, mode_id }), (error) =>
        tell(session_id, { type: 'mode_refused', problem: messageOf(error) }),
      );
    },
    async setGoal(session_id, action) {
      try {
        await link.request({ type: 'agent_goal_control', session_id, action });
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    hold: (session_id, isHeld) => tell(session_id, { type: 'held', isHeld }),
    answerPrompt(session_id, prompt_id, choice_id, reason) {
      const detected_at = store.get().talks.get(session_id)?.prompts.get(prompt_id)?.detected_at;
      tell(session_id, { type: 'prompt_answering', prompt_id, choice_id });
      const said = reason && { reason };
      const answer = { session_id, prompt_id, choice_id, ...(detected_at && { detected_at }), ...said };
      void control(link.request({ type: 'permission_response', ...answer }), (error) => {
        const isOver =
          error instanceof ChatRefusal && ['prompt_not_found', 'delivery_unknown'].includes(error.code);
        tell(session_id, { type: 'prompt_problem', prompt_id, problem: messageOf(error), isOver });
      });
    },
    answerQuestion(session_id, question_id, values) {
      tell(session_id, { type: 'question_answering', question_id });
      const answer =
        values === undefined ? { answer: 'decline' as const } : { answer: 'accept' as const, values };
      void control(
        link.request({ type: 'agent_answer', session_id, question_id, ...answer }).then(() => {
          putAway(question_id);
          tell(session_id, { type: 'question_over', question_id });
        }),
        (error) => tell(session_id, { type: 'question_problem', question_id, problem: messageOf(error) }),
      );
    },
    async launch(options) {
      const request_id = newId();
      const launch = { request_id, agent_type: options.agent_type };
      store.put({ type: 'launch', launch: { ...launch, state: 'asked' } });
      try {
        const { session_id } = await link.request({ type: 'launch_session', request_id, ...options });
        return session_id;
      } catch (error) {
        store.put({ type: 'launch', launch: { ...launch, state: 'failed', reason: messageOf(error) } });
        return undefined;
      }
    },
    dismissLaunch: (request_id) => store.put({ type: 'launch_over', request_id }),
    closeSession: closings.start,
    keepSession: closings.undo,
    wake: link.wake,
    close() {
      closings.end();
      link.close();
    },
  };
}
