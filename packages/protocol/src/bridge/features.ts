import { type Static, Type } from 'typebox';
import { EFFECTS } from '../permission/asker.ts';
import { Id, Label, Milliseconds, Url } from '../wire/fields.ts';
import { item } from './item.ts';

/**
 * Items beyond the Actions Bridge Protocol. Each is sent only to a peer that lists its type in `features`: a
 * runtime in `runtime_ready`, an agent (and the bridge, to a runtime) in `agent_hello`.
 */

export const AgentHello = item('agent_hello', {
  features: Type.Array(Id),
  relay_hosts: Type.Optional(Type.Array(Label)),
});

export const ActionCancel = item('action_cancel', { call_id: Id, reason: Type.Optional(Label) });

export const ActionProgress = item('action_progress', {
  call_id: Id,
  runtime_id: Id,
  step: Type.Optional(Label),
  message: Type.Optional(Label),
  progress: Type.Optional(Type.Number({ minimum: 0 })),
  total: Type.Optional(Type.Number({ minimum: 0 })),
});

export const RuntimeProbe = item('runtime_probe', { runtime_id: Id, probe_id: Id });

/** `asleep`: the host answers, but the page does not run. */
export const RuntimeProbeResult = item('runtime_probe_result', {
  runtime_id: Id,
  probe_id: Id,
  state: Type.Enum(['awake', 'asleep']),
});

export const RuntimeGone = item('runtime_gone', { runtime_id: Id, reason: Label });

/** A `Question` with a duration instead of a deadline, because two machines' clocks differ. */
export const AskedQuestion = Type.Object({
  question_id: Id,
  kind: Type.Optional(Type.Enum(['permission', 'handover', 'address'])),
  call_id: Id,
  origin: Url,
  name: Id,
  effect: Type.Enum([...EFFECTS]),
  sentence: Label,
  data: Type.Array(Label),
  page: Type.Optional(Type.Object({ title: Label, origin: Url })),
  destination: Type.Optional(Url),
  amounts: Type.Optional(Type.Array(Label)),
  prices: Type.Optional(Type.Array(Label)),
  goods: Type.Optional(Type.Array(Label)),
  sends: Type.Optional(Type.Array(Label)),
  changed: Type.Optional(
    Type.Object({
      before: Type.Array(Label),
      now: Type.Array(Label),
      since: Type.Optional(Type.Enum(['asked', 'allowed'])),
    }),
  ),
  call_hash: Id,
  timeout_ms: Milliseconds,
});

export const GrantQuestion = item('grant_question', { runtime_id: Id, question: AskedQuestion });

export const GrantAnswer = item('grant_answer', {
  question_id: Id,
  decision: Type.Enum(['once', 'always', 'deny']),
  call_hash: Id,
  by: Label,
  until: Type.Optional(Milliseconds),
  reason: Type.Optional(Label),
});

export const GrantWithdrawn = item('grant_withdrawn', { question_id: Id });

/** A grant as stored by its runtime. Without a `name` it covers everything of its effect class. */
export const HeldGrant = Type.Object({
  grant_id: Id,
  /** `*` for any page in a lent tab. */
  origin: Url,
  name: Type.Optional(Id),
  effect: Type.Enum([...EFFECTS]),
  by: Label,
  expires_at: Type.Optional(Milliseconds),
});

/** All grants of one runtime. */
export const GrantsHeld = item('grants_held', { runtime_id: Id, grants: Type.Array(HeldGrant) });

/** Without a `grant_id`: all of them. */
export const GrantsRevoked = item('grants_revoked', { runtime_id: Id, grant_id: Type.Optional(Id) });

/** Gives reading and acting back to a lent tab, after `grants_revoked`. */
export const GrantsRenewed = item('grants_renewed', { runtime_id: Id, by: Label });

/** Words of a person to the agent, from the bridge alone (BRG-196). */
export const PersonMessage = item('person_message', { text: Type.String({ minLength: 1 }) });

export const BRIDGE_FEATURE_ITEMS = {
  agent_hello: AgentHello,
  action_cancel: ActionCancel,
  action_progress: ActionProgress,
  runtime_probe: RuntimeProbe,
  runtime_probe_result: RuntimeProbeResult,
  runtime_gone: RuntimeGone,
  grant_question: GrantQuestion,
  grant_answer: GrantAnswer,
  grant_withdrawn: GrantWithdrawn,
  grants_held: GrantsHeld,
  grants_revoked: GrantsRevoked,
  grants_renewed: GrantsRenewed,
  person_message: PersonMessage,
} as const;

/** Features that a peer may list, with the items that each one adds. */
export const BRIDGE_FEATURES = {
  agent_hello: ['agent_hello'],
  action_cancel: ['action_cancel'],
  action_progress: ['action_progress'],
  runtime_probe: ['runtime_probe', 'runtime_probe_result'],
  runtime_gone: ['runtime_gone'],
  questions: ['grant_question', 'grant_answer', 'grant_withdrawn'],
  grants: ['grants_held', 'grants_revoked'],
  grants_renewed: ['grants_renewed'],
  person_message: ['person_message'],
  /** Adds no item: calls survive the connection and are resumed by the next one. */
  resume: [],
} as const satisfies Record<string, readonly (keyof typeof BRIDGE_FEATURE_ITEMS)[]>;

export type BridgeFeature = keyof typeof BRIDGE_FEATURES;
export type AgentHello = Static<typeof AgentHello>;
export type ActionCancel = Static<typeof ActionCancel>;
export type GrantQuestion = Static<typeof GrantQuestion>;
export type GrantAnswer = Static<typeof GrantAnswer>;
export type GrantWithdrawn = Static<typeof GrantWithdrawn>;
export type HeldGrant = Static<typeof HeldGrant>;
export type GrantsHeld = Static<typeof GrantsHeld>;
export type GrantsRevoked = Static<typeof GrantsRevoked>;
export type PersonMessage = Static<typeof PersonMessage>;
export type ActionProgress = Static<typeof ActionProgress>;
export type RuntimeProbe = Static<typeof RuntimeProbe>;
export type RuntimeProbeResult = Static<typeof RuntimeProbeResult>;
export type RuntimeGone = Static<typeof RuntimeGone>;
