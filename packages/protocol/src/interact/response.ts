import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label, Timestamp } from '../wire/fields.ts';
import { DomMode, TaskType } from './request.ts';

export const PlanStep = Type.Object({
  id: Id,
  index: Count,
  description: Label,
  status: Type.Enum(['pending', 'active', 'completed', 'failed']),
  toolType: Type.Optional(Type.Enum(['DOM', 'SERVER', 'MIXED'])),
  reasoning: Type.Optional(Type.String()),
  expectedOutcome: Type.Optional(AnyObject),
});

export const Plan = Type.Object({
  steps: Type.Array(PlanStep),
  currentStepIndex: Count,
  createdAt: Type.Optional(Timestamp),
});

export const ActionDetails = Type.Object({
  name: Id,
  elementId: Type.Optional(Type.Union([Type.Number(), Id])),
  selectorPath: Type.Optional(Type.String()),
  args: Type.Optional(AnyObject),
});

export const OrchestratorStatus = Type.Enum([
  'planning',
  'executing',
  'verifying',
  'correcting',
  'completed',
  'failed',
  'needs_user_input',
]);

/** INT-320 */
export const MemoryResult = Type.Object({
  success: Type.Boolean(),
  action: Type.Enum(['remember', 'recall', 'export']),
  message: Label,
  key: Type.Optional(Type.String()),
  scope: Type.Optional(Type.Enum(['task', 'session'])),
  value: Type.Optional(Type.Unknown()),
  error: Type.Optional(Label),
});

export const ToolAction = Type.Object({
  toolName: Id,
  toolType: Type.Enum(['DOM', 'SERVER']),
  parameters: AnyObject,
  memoryResult: Type.Optional(MemoryResult),
});

const VerificationLevel = Type.Enum(['client', 'lightweight', 'full']);

/** INT-321: one of several actions in a row. */
export const ChainedAction = Type.Object({
  action: Type.String({ minLength: 1 }),
  description: Label,
  index: Count,
  targetElementId: Type.Optional(Type.Union([Type.Number(), Id])),
  actionType: Type.Optional(Id),
  verificationLevel: Type.Optional(VerificationLevel),
  clientVerificationChecks: Type.Optional(
    Type.Array(
      Type.Object({
        type: Id,
        elementId: Type.Optional(Type.Union([Type.Number(), Id])),
        expectedValue: Type.Optional(Type.String()),
      }),
    ),
  ),
});

export const ChainMetadata = Type.Object({
  totalActions: Count,
  safeToChain: Type.Boolean(),
  chainReason: Id,
  defaultVerificationLevel: Type.Optional(VerificationLevel),
  clientVerificationSufficient: Type.Optional(Type.Boolean()),
  finalVerificationLevel: Type.Optional(VerificationLevel),
});

/** Optional fields of any step. */
const beside = {
  actionDetails: Type.Optional(ActionDetails),
  taskId: Type.Optional(Id),
  sessionId: Type.Optional(Id),
  plan: Type.Optional(Plan),
  currentStep: Type.Optional(Count),
  totalSteps: Type.Optional(Count),
  reasoning: Type.Optional(Type.Union([Type.String(), AnyObject])),
  userQuestion: Type.Optional(Type.String()),
  missingInformation: Type.Optional(Type.Array(Type.Unknown())),
  result: Type.Optional(Type.Unknown()),
  taskType: Type.Optional(TaskType),
  toolAction: Type.Optional(ToolAction),
  /** The same list twice: the newer document and its client name it differently. */
  actions: Type.Optional(Type.Array(ChainedAction)),
  chainedActions: Type.Optional(Type.Array(ChainedAction)),
  chainMetadata: Type.Optional(ChainMetadata),
};

/** INT-50: reasoning is a text or an object of texts; empty when absent. */
export function reasoningText(reasoning: unknown): string {
  if (typeof reasoning === 'string') return reasoning;
  if (typeof reasoning !== 'object' || reasoning === null) return '';
  return Object.entries(reasoning)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** The next step of a task, with its reason. */
export const NextStep = Type.Object({
  thought: Type.String(),
  action: Type.String({ minLength: 1 }),
  status: Type.Optional(OrchestratorStatus),
  ...beside,
});

/** The task waits for the person's answer. */
export const NeedsUserInput = Type.Object({
  thought: Type.Optional(Type.String()),
  action: Type.Optional(Type.String({ minLength: 1 })),
  status: Type.Literal('needs_user_input'),
  ...beside,
});

/** The client repeats the request with the requested form of the page. */
export const NeedsContext = Type.Object({
  thought: Type.Optional(Type.String()),
  action: Type.Optional(Type.String({ minLength: 1 })),
  status: Type.Enum(['needs_context', 'needs_full_dom']),
  requestedDomMode: Type.Optional(DomMode),
  needsScreenshot: Type.Optional(Type.Boolean()),
  needsSkeletonDom: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Label),
  ...beside,
});

const succeeded = Type.Literal(true);

export const INTERACT_RESPONSES = {
  next_step: Type.Object({ success: succeeded, data: NextStep }),
  needs_context: Type.Object({ success: succeeded, data: NeedsContext }),
  needs_user_input: Type.Object({ success: succeeded, data: NeedsUserInput }),
  /** The oldest servers answer without the envelope. */
  bare_step: NextStep,
  error: Type.Object({
    success: Type.Literal(false),
    code: Id,
    message: Label,
    path: Type.Optional(Label),
  }),
} as const;

export type Plan = Static<typeof Plan>;
export type PlanStep = Static<typeof PlanStep>;
export type ActionDetails = Static<typeof ActionDetails>;
export type MemoryResult = Static<typeof MemoryResult>;
export type ToolAction = Static<typeof ToolAction>;
export type ChainedAction = Static<typeof ChainedAction>;
export type NextStep = Static<typeof NextStep>;
export type NeedsContext = Static<typeof NeedsContext>;
export type InteractResponse = Static<(typeof INTERACT_RESPONSES)[keyof typeof INTERACT_RESPONSES]>;
