import type { ChatEvent, ChatState, FrameOf } from '@drawbridge/link/chat';
import type { ChatFrame, Session } from '@drawbridge/protocol';
import type { AppState, Input, Launch, LinkView } from './app-state.ts';
import { type ConversationInput, createConversation } from './conversation.ts';
import { without } from './conversation-controls.ts';
import { foldConversation } from './conversation-fold.ts';
import { recalled } from './remembered.ts';

/** Folds inputs into the state, in order. Copies each talk at most once per call. */
export function foldApp(state: AppState, inputs: readonly Input[]): AppState {
  const talks = new Map<string, ConversationInput[]>();
  const tell = (session_id: string, input: ConversationInput): void => {
    const told = talks.get(session_id);
    if (told === undefined) talks.set(session_id, [input]);
    else told.push(input);
  };
  let next = state;
  for (const input of inputs) next = take(next, input, tell);
  if (talks.size === 0) return next;
  const changed = new Map(next.talks);
  for (const [session_id, told] of talks) {
    changed.set(session_id, foldConversation(changed.get(session_id) ?? createConversation(), told));
  }
  return { ...next, talks: changed };
}

type Dispatch = (session_id: string, input: ConversationInput) => void;

function take(state: AppState, input: Input, tell: Dispatch): AppState {
  switch (input.type) {
    case 'link':
      return {
        ...state,
        link: linkView(input.state),
        ...(state.link.kind === 'open' && input.state.kind !== 'open' && { asOf: input.at }),
      };
    case 'pending':
      for (const frame of input.pending) tell(frame.session_id, { type: 'sent', frame });
      return { ...state, pending: input.pending };
    case 'event':
      tell(sessionOf(input.event), { type: 'event', event: input.event });
      return { ...state, sessions: foldSessions(state.sessions, input.event) };
    case 'frame':
      return takeFrame(state, input.frame, tell);
    case 'older_page':
      tell(input.snapshot.session_id, input);
      return state;
    case 'talk':
      tell(input.session_id, input.input);
      return state;
    case 'launch':
      return withLaunch(state, input.launch);
    case 'launch_over':
      return { ...state, launches: without(state.launches, input.request_id) };
    case 'closing': {
      const { session_id, closing } = input;
      const others = without(state.closings, session_id);
      return { ...state, closings: closing ? new Map(others).set(session_id, closing) : others };
    }
    case 'scheduled':
      return { ...state, scheduled: new Map(input.sends.map((send) => [send.id, send])) };
    case 'recalled':
      return recalled(state, input.remembered);
  }
}

function linkView(state: ChatState): LinkView {
  if (state.kind === 'waiting') return { kind: 'waiting', until: state.until };
  if (state.kind === 'closed') return { kind: 'closed', isRefused: state.reason === 'refused' };
  return { kind: state.kind };
}

const sessionOf = (event: ChatEvent): string =>
  event.type === 'session_up' ? event.session.session_id : event.session_id;

type Sessions = AppState['sessions'];

function foldSessions(sessions: Sessions, event: ChatEvent): Sessions {
  const id = sessionOf(event);
  const known = sessions.get(id);
  const become = (session: Session): Sessions => new Map(sessions).set(id, session);
  switch (event.type) {
    case 'session_up':
      return become(event.session);
    case 'session_down': {
      if (known === undefined) return sessions;
      const { activity: _, ...rest } = known;
      return become({ ...rest, status: 'disconnected' });
    }
    case 'session_status': {
      const { status, activity } = event;
      return known === undefined
        ? sessions
        : become({ ...known, ...(status && { status }), ...(activity && { activity }) });
    }
    case 'session_closed':
      return without(sessions, id);
    default:
      return sessions;
  }
}

function takeFrame(state: AppState, frame: ChatFrame, tell: Dispatch): AppState {
  switch (frame.type) {
    case 'connection_ack':
      return greeted(state, frame, tell);
    case 'session_snapshot':
      return listed(state, frame, tell);
    case 'message_append':
      tell(frame.session_id, { type: 'append', frame });
      return state;
    case 'message_checking':
      tell(frame.session_id, { type: 'checking', frame });
      return state;
    case 'message_delta':
      tell(frame.session_id, { type: 'delta', frame });
      return state;
    case 'chat_list':
      return { ...state, chatLists: new Map(state.chatLists).set(frame.session_id, frame.chats) };
    case 'rate_limit_active':
      return { ...state, limits: new Map(state.limits).set(frame.session_id, frame) };
    case 'rate_limit_cleared':
      return { ...state, limits: without(state.limits, frame.session_id) };
    case 'scheduled_send_status': {
      const { scheduled_send: send } = frame;
      const others = without(state.scheduled, send.id);
      // From `dispatching` on the conversation has the message itself.
      return { ...state, scheduled: send.state === 'pending' ? new Map(others).set(send.id, send) : others };
    }
    case 'history_snapshot':
      tell(frame.session_id, { type: 'snapshot', snapshot: frame });
      return state;
    // CHT-276: prompts that did not fit into the handshake, without a sequence.
    case 'permission_prompt':
    case 'agent_config':
      tell(frame.session_id, { type: 'event', event: { ...frame, event_id: '', sequence: 0 } });
      return state;
    case 'session_up':
      return { ...state, sessions: new Map(state.sessions).set(frame.session.session_id, frame.session) };
    case 'session_launching':
      return frame.request_id === undefined
        ? state
        : withLaunch(state, {
            request_id: frame.request_id,
            agent_type: frame.agent_type,
            state: 'starting',
          });
    case 'session_launch_ack':
      return { ...state, launches: without(state.launches, frame.request_id ?? '') };
    case 'session_launch_failed': {
      const { request_id = '', reason } = frame;
      const agent_type = frame.agent_type ?? state.launches.get(request_id)?.agent_type ?? '';
      return withLaunch(state, { request_id, agent_type, state: 'failed', reason });
    }
    default:
      return state;
  }
}

const withLaunch = (state: AppState, launch: Launch): AppState => ({
  ...state,
  launches: new Map(state.launches).set(launch.request_id, launch),
});

/** Replaces everything that is not a session event, at each connection. */
function greeted(state: AppState, ack: FrameOf<'connection_ack'>, tell: Dispatch): AppState {
  const { open_prompts = [], session_configs = {}, pending_launches = [] } = ack;
  const asked = Map.groupBy(open_prompts, ({ session_id }) => session_id);
  for (const session_id of new Set([
    ...state.talks.keys(),
    ...asked.keys(),
    ...Object.keys(session_configs),
  ])) {
    const config = session_configs[session_id];
    tell(session_id, { type: 'greeting', prompts: asked.get(session_id) ?? [], ...(config && { config }) });
  }
  const starting = pending_launches.map(({ request_id, agent_type }): [string, Launch] => [
    request_id,
    { request_id, agent_type, state: 'starting' },
  ]);
  const others = [...state.launches].filter(([, launch]) => launch.state !== 'starting');
  // The relay repeats the lists that it has.
  return { ...state, launches: new Map([...others, ...starting]), chatLists: new Map(), limits: new Map() };
}

/** CHT-200: a session missing from it was closed. */
function listed(state: AppState, { sessions }: FrameOf<'session_snapshot'>, tell: Dispatch): AppState {
  const next = new Map(sessions.map((session) => [session.session_id, session]));
  for (const session_id of state.sessions.keys())
    if (!next.has(session_id)) tell(session_id, { type: 'closed' });
  return { ...state, isListed: true, asOf: undefined, sessions: next };
}
