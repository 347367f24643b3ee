import { type Static, Type } from 'typebox';
import { Count, Id, Label, Timestamp } from '../wire/fields.ts';
import { event, frame } from './envelope.ts';

export const AgentType = Type.Enum(['claude', 'codex', 'gemini', 'unknown']);

export const SessionHealth = Type.Enum([
  'healthy',
  'degraded',
  'disconnected',
  'scraping_failed',
  'agent_ui_changed',
]);

export const Activity = Type.Object({
  kind: Type.Enum([
    'thinking',
    'generating',
    'reading_files',
    'running_command',
    'applying_patch',
    'waiting_for_user',
    'idle',
  ]),
  /** The peer's own word, when `kind` has none for it. */
  kind_name: Type.Optional(Id),
  label: Type.Optional(Label),
  updated_at: Type.Optional(Timestamp),
  /** Newer peers send these in any shape; `workOf` reads them with care. */
  started_at: Type.Optional(Type.Unknown()),
  goal: Type.Optional(Type.Unknown()),
  goal_state: Type.Optional(Type.Unknown()),
  thinking: Type.Optional(Type.Unknown()),
  current: Type.Optional(Type.Unknown()),
  task_list: Type.Optional(Type.Unknown()),
  usage: Type.Optional(Type.Unknown()),
});

export const Session = Type.Object({
  session_id: Id,
  agent_type: AgentType,
  status: SessionHealth,
  agent_name: Type.Optional(Label),
  /** The proxy's own word, when `agent_type` has none for it. */
  agent_type_name: Type.Optional(Id),
  display_name: Type.Optional(Label),
  window_title: Type.Optional(Label),
  workspace_name: Type.Optional(Label),
  workspace_path: Type.Optional(Label),
  machine_label: Type.Optional(Label),
  target_signature: Type.Optional(Label),
  target_id: Type.Optional(Id),
  last_seen_at: Type.Optional(Timestamp),
  activity: Type.Optional(Activity),
  /** Which run of the agent, and which of its turns: a stop names the ones that it means. */
  session_generation: Type.Optional(Type.Number()),
  turn_generation: Type.Optional(Type.Number()),
});

/** TSK-65: `target_signature` of a task's session. */
export const TASK_SIGNATURE = 'drawbridge:task';

export const SessionSnapshot = frame('session_snapshot', { sessions: Type.Array(Session) });

export const SessionUp = event('session_up', { session: Session });

export const SessionDown = event('session_down', { session_id: Id, reason: Type.Optional(Label) });

export const SessionStatus = event('session_status', {
  session_id: Id,
  status: Type.Optional(SessionHealth),
  activity: Type.Optional(Activity),
  /** For subscribers: its place in the order of one run of the relay. */
  state_epoch: Type.Optional(Id),
  state_seq: Type.Optional(Count),
});

export type AgentType = Static<typeof AgentType>;
export type SessionHealth = Static<typeof SessionHealth>;
export type Activity = Static<typeof Activity>;
export type Session = Static<typeof Session>;
