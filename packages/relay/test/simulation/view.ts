import type { ChatFrame, Session, SessionEvent } from '@drawbridge/protocol';

/** An event with its sequence. */
export type Recorded = SessionEvent & { readonly event_id: string; readonly sequence: number };

export type Delivery = 'queued' | 'accepted' | 'delivered' | 'failed';

/** View of a session on a screen: a fold of its events. */
export interface SessionView {
  session: Session | undefined;
  /** Not listed; also true for a session that is not known yet. */
  closed: boolean;
  model_id: string | undefined;
  readonly deliveries: Map<string, Delivery>;
  readonly transcript: Map<string, string>;
  readonly prompts: Set<string>;
}

export function createSessionView(): SessionView {
  return {
    session: undefined,
    closed: true,
    model_id: undefined,
    deliveries: new Map(),
    transcript: new Map(),
    prompts: new Set(),
  };
}

export function applyEvent(view: SessionView, event: SessionEvent): void {
  switch (event.type) {
    case 'session_up':
      view.session = event.session;
      view.closed = false;
      return;
    case 'session_down':
      if (view.session !== undefined) view.session = { ...view.session, status: 'disconnected' };
      return;
    case 'session_status': {
      const { status = view.session?.status, activity = view.session?.activity } = event;
      if (view.session === undefined || status === undefined) return;
      view.session = { ...view.session, status, ...(activity && { activity }) };
      return;
    }
    case 'session_closed':
      view.closed = true;
      return;
    case 'message_accepted':
      if (!view.deliveries.has(event.client_message_id))
        view.deliveries.set(event.client_message_id, 'accepted');
      return;
    case 'message_delivered':
      view.deliveries.set(event.client_message_id, 'delivered');
      return;
    case 'message_failed':
    case 'message_cancelled':
      view.deliveries.set(event.client_message_id, 'failed');
      return;
    case 'message_event':
      view.transcript.set(event.message.message_id, event.message.content);
      return;
    case 'message_edited':
      view.transcript.set(event.message_id, event.content);
      return;
    case 'permission_prompt':
      view.prompts.add(event.prompt_id);
      return;
    case 'permission_prompt_expired':
    case 'permission_prompt_answered':
      view.prompts.delete(event.prompt_id);
      return;
    case 'agent_config':
      view.model_id = event.model_id;
      return;
    case 'agent_question':
  }
}

/** A broadcast has a sequence; an answer to one peer has none. */
export function parseBroadcast(frame: ChatFrame): Recorded | undefined {
  const stamped = 'sequence' in frame && frame.sequence !== undefined && 'event_id' in frame;
  return stamped ? (frame as Recorded) : undefined;
}

/** In a delta each event has its sequence (CHT-51). */
export function trustRecorded(events: readonly SessionEvent[]): readonly Recorded[] {
  return events as readonly Recorded[];
}

export const sessionIdOf = (event: SessionEvent): string =>
  event.type === 'session_up' ? event.session.session_id : event.session_id;
