import type { ChatEvent, ChatState } from '@drawbridge/link/chat';
import type { ChatFrame, Session } from '@drawbridge/protocol';
import type { OpenPrompt } from '@drawbridge/ui/model';

export interface AskedPrompt extends OpenPrompt {
  /** The choice sent from here, not confirmed yet. */
  readonly answering?: string;
  readonly problem?: string;
}

/** Open prompts and conversations of the relay. */
export interface Approvals {
  readonly link: ChatState['kind'];
  readonly prompts: ReadonlyMap<string, AskedPrompt>;
  readonly sessions: ReadonlyMap<string, Session>;
}

export const NO_APPROVALS: Approvals = { link: 'connecting', prompts: new Map(), sessions: new Map() };

export type ApprovalInput =
  | { readonly type: 'link'; readonly state: ChatState }
  | { readonly type: 'frame'; readonly frame: ChatFrame }
  | { readonly type: 'event'; readonly event: ChatEvent }
  | { readonly type: 'answering'; readonly prompt_id: string; readonly choice_id: string }
  | {
      readonly type: 'problem';
      readonly prompt_id: string;
      readonly problem: string;
      readonly isOver: boolean;
    };

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

export function foldApprovals(known: Approvals, input: ApprovalInput): Approvals {
  switch (input.type) {
    case 'link':
      return { ...known, link: input.state.kind };
    case 'frame':
      return takeFrame(known, input.frame);
    case 'event':
      return takeEvent(known, input.event);
    case 'answering': {
      const prompt = known.prompts.get(input.prompt_id);
      if (prompt === undefined) return known;
      const { problem: _, ...open } = prompt;
      const answering = { ...open, answering: input.choice_id };
      return { ...known, prompts: new Map(known.prompts).set(input.prompt_id, answering) };
    }
    case 'problem': {
      const prompt = known.prompts.get(input.prompt_id);
      if (prompt === undefined) return known;
      if (input.isOver) return { ...known, prompts: without(known.prompts, input.prompt_id) };
      const { answering: _, ...open } = prompt;
      const reopened = { ...open, problem: input.problem };
      return { ...known, prompts: new Map(known.prompts).set(input.prompt_id, reopened) };
    }
  }
}

function takeFrame(known: Approvals, frame: ChatFrame): Approvals {
  if (frame.type === 'connection_ack') {
    // Answers in progress at a disconnect are repeated by the relay, or over.
    return { ...known, prompts: new Map(frame.open_prompts?.map((prompt) => [prompt.prompt_id, prompt])) };
  }
  if (frame.type === 'session_snapshot') {
    return { ...known, sessions: new Map(frame.sessions.map((session) => [session.session_id, session])) };
  }
  return known;
}

function takeEvent(known: Approvals, event: ChatEvent): Approvals {
  switch (event.type) {
    case 'permission_prompt':
      return { ...known, prompts: new Map(known.prompts).set(event.prompt_id, event) };
    case 'permission_prompt_answered':
    case 'permission_prompt_expired':
      return { ...known, prompts: without(known.prompts, event.prompt_id) };
    case 'session_up':
      return { ...known, sessions: new Map(known.sessions).set(event.session.session_id, event.session) };
    case 'session_closed':
      return {
        ...known,
        sessions: without(known.sessions, event.session_id),
        prompts: new Map([...known.prompts].filter(([, { session_id }]) => session_id !== event.session_id)),
      };
    default:
      return known;
  }
}
