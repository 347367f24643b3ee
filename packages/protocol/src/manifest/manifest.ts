import { type Static, Type } from 'typebox';
import { AnyObject, Id, Label, SafeId } from '../wire/fields.ts';
import { StateProjection } from './projection.ts';
import { Target } from './target.ts';
import { Workflow } from './workflow.ts';

/** The parts of an actions.json map: docs/spec/manifest.md. The map engine checks cross-references. */

/** The name of another part, checked by the map engine. */
const Reference = Id;

export const Surface = Type.Object({
  origin: Type.Optional(Label),
  name: Type.Optional(Label),
  kind: Type.Optional(Label),
  description: Type.Optional(Type.String()),
  surface_id: Type.Optional(Id),
});

export const Import = Type.Object({
  id: SafeId,
  kind: Type.Enum(['website', 'local', 'storage', 'shared', 'public', 'package']),
  uri: Label,
  namespace: Type.Optional(SafeId),
  trust: Type.Optional(Type.Enum(['website', 'private', 'shared', 'public', 'local', 'unknown'])),
  enabled: Type.Optional(Type.Boolean()),
  provenance: Type.Optional(AnyObject),
});

export const Composition = Type.Object({
  default_conflict_policy: Type.Optional(Type.Enum(['prefer_local', 'prefer_import', 'error', 'namespace'])),
  namespace_required: Type.Optional(Type.Boolean()),
});

export const ContextBlock = Type.Object({
  id: SafeId,
  title: Type.Optional(Label),
  body: Type.Optional(Type.String()),
  load_when: Type.Optional(AnyObject),
  available_tools: Type.Optional(Type.Array(Reference)),
  next_states: Type.Optional(Type.Array(Reference)),
  source: Type.Optional(Type.Unknown()),
});

const Direction = Type.Enum(['agent_to_html', 'html_to_agent', 'bidirectional']);

export const Execution = Type.Object({
  mode: Type.Optional(Id),
  steps: Type.Optional(Type.Array(AnyObject)),
});

export const ToolActions = Type.Object({
  direction: Type.Optional(Direction),
  handler: Type.Optional(SafeId),
  scope: Type.Optional(Type.Enum(['active_surface', 'persistent'])),
  source: Type.Optional(Type.Unknown()),
  execution: Type.Optional(Execution),
  result_schema: Type.Optional(AnyObject),
  effect: Type.Optional(Type.Enum(['read', 'act', 'irreversible'])),
});

export const Tool = Type.Object({
  name: SafeId,
  description: Type.String(),
  input_schema: AnyObject,
  target: Type.Optional(Target),
  requires: Type.Optional(Type.Array(Id)),
  workflow: Type.Optional(Workflow),
  x_actions: Type.Optional(ToolActions),
});

export const State = Type.Object({
  name: SafeId,
  description: Type.Optional(Type.String()),
  diagnostics: Type.Optional(
    Type.Array(Type.Object({ name: Type.Optional(SafeId), target: Type.Optional(Target) })),
  ),
  observables: Type.Optional(Type.Array(Label)),
});

export const Transition = Type.Object({
  name: SafeId,
  from: Type.Optional(Reference),
  to: Type.Optional(Reference),
  tool: Type.Optional(Reference),
  signal: Type.Optional(Reference),
  method: Type.Optional(Id),
  rate_limit_ms: Type.Optional(Type.Number({ minimum: 0 })),
  preconditions: Type.Optional(Type.Unknown()),
  reveals: Type.Optional(Type.Unknown()),
  convergence: Type.Optional(
    Type.Object({
      complete_when: Type.Optional(Label),
      max_attempts: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  do_not_use: Type.Optional(Type.Unknown()),
});

export const Affordance = Type.Object({
  label: Type.Optional(Label),
  placement: Type.Optional(Id),
  max_instances: Type.Optional(Type.Integer({ minimum: 1 })),
  opens: Type.Optional(Type.Object({ tool: Reference, arguments: Type.Optional(AnyObject) })),
});

/** A list of signals for every change, or the signal of each change: `{ "activated": "launcher.opened" }`. */
const AttachmentSignals = Type.Union([Type.Array(Reference), Type.Record(Type.String(), Reference)]);

export const Attachment = Type.Object({
  id: SafeId,
  kind: Id,
  target: Target,
  lifecycle: AnyObject,
  description: Type.Optional(Type.String()),
  affordance: Type.Optional(Affordance),
  signals: Type.Optional(AttachmentSignals),
});

export const Signal = Type.Object({
  name: SafeId,
  description: Type.Optional(Type.String()),
  direction: Type.Optional(Direction),
  event: Type.Optional(Id),
  ingestion: Type.Optional(Type.Enum(['enabled', 'disabled_by_default'])),
  target: Type.Optional(Target),
  payload: Type.Optional(AnyObject),
  protocol: Type.Optional(Type.Unknown()),
  source: Type.Optional(Type.Unknown()),
});

export const Check = Type.Object({
  id: SafeId,
  description: Type.Optional(Type.String()),
  severity: Type.Optional(Type.Enum(['info', 'minor', 'major', 'critical'])),
  assertions: Type.Optional(Type.Array(AnyObject)),
  on_fail: Type.Optional(
    Type.Object({
      store_evidence: Type.Optional(Type.Array(Id)),
      contingency: Type.Optional(Id),
    }),
  ),
});

export const Provenance = AnyObject;

export const Manifest = Type.Object({
  protocol: Type.Literal('actions.json'),
  version: Type.Literal(1),
  tools: Type.Array(Tool),
  surface: Type.Optional(Surface),
  imports: Type.Optional(Type.Array(Import)),
  composition: Type.Optional(Composition),
  context: Type.Optional(Type.Array(ContextBlock)),
  states: Type.Optional(Type.Array(State)),
  transitions: Type.Optional(Type.Array(Transition)),
  state_projections: Type.Optional(Type.Array(StateProjection)),
  attachments: Type.Optional(Type.Array(Attachment)),
  signals: Type.Optional(Type.Array(Signal)),
  checks: Type.Optional(Type.Array(Check)),
  provenance: Type.Optional(Provenance),
});

export const MANIFESTS = { manifest: Manifest } as const;

export type Import = Static<typeof Import>;
export type Tool = Static<typeof Tool>;
export type State = Static<typeof State>;
export type Transition = Static<typeof Transition>;
export type Attachment = Static<typeof Attachment>;
export type Signal = Static<typeof Signal>;
export type Check = Static<typeof Check>;
export type Manifest = Static<typeof Manifest>;
