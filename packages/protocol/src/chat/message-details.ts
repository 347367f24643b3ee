import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label } from '../wire/fields.ts';

/**
 * Structured details of a message, in `message.metadata.details`. `content` has the same in plain text, for
 * clients that do not know this format.
 */

/** The agent's reasoning. */
const Thought = Type.Object({ kind: Type.Literal('thought') });

const FileDiff = Type.Object({
  path: Type.String(),
  /** Null for a new file. */
  old_text: Type.Union([Type.String(), Type.Null()]),
  new_text: Type.String(),
});

const ToolCall = Type.Object({
  kind: Type.Literal('tool_call'),
  tool_call_id: Id,
  title: Label,
  /** The kinds of ACP: read, edit, delete, move, search, execute, think, fetch, other. */
  tool_kind: Type.Optional(Id),
  /** `stopped`: the turn ended before the call did. */
  status: Type.Enum(['pending', 'running', 'completed', 'failed', 'stopped']),
  input: Type.Optional(Type.Unknown()),
  output: Type.Optional(Type.String()),
  locations: Type.Optional(Type.Array(Type.Object({ path: Type.String(), line: Type.Optional(Count) }))),
  diffs: Type.Optional(Type.Array(FileDiff)),
});

const PlanDetails = Type.Object({
  kind: Type.Literal('plan'),
  steps: Type.Array(
    Type.Object({ text: Label, status: Type.Enum(['pending', 'active', 'completed', 'failed']) }),
  ),
});

/** One step of a browser task: the action and its effect. */
const BrowserStep = Type.Object({
  kind: Type.Literal('step'),
  task_id: Id,
  index: Count,
  /** In the contract's form: `click(7)`. */
  action: Type.String(),
  status: Type.Enum(['running', 'ok', 'failed', 'unknown']),
  thought: Type.Optional(Type.String()),
  /** The decider's reasoning about the previous step (INT-50). */
  reasoning: Type.Optional(Type.String()),
  /** Label of the element that was pressed or filled: "Add to cart". */
  subject: Type.Optional(Label),
  before: Type.Optional(Type.Object({ url: Type.String(), title: Type.Optional(Type.String()) })),
  after: Type.Optional(Type.Object({ url: Type.String(), title: Type.Optional(Type.String()) })),
  /** The keyed diff of the page in lines, truncated. */
  changes: Type.Optional(Type.Array(Type.String())),
  /** Toasts and errors that appeared, even if they are gone. */
  events: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(Type.Object({ code: Id, message: Label })),
  /** File ids of the session. */
  thumbnail: Type.Optional(Id),
});

const TaskResult = Type.Object({
  kind: Type.Literal('task_result'),
  task_id: Id,
  status: Type.Enum(['completed', 'failed', 'cancelled', 'unknown']),
  result: Type.Optional(Type.Unknown()),
});

const Usage = Type.Object({
  kind: Type.Literal('usage'),
  input_tokens: Type.Optional(Count),
  output_tokens: Type.Optional(Count),
  /** Used tokens and size of the agent's context window. */
  used: Type.Optional(Count),
  size: Type.Optional(Count),
  cost: Type.Optional(AnyObject),
});

export const MessageDetails = Type.Union([Thought, ToolCall, PlanDetails, BrowserStep, TaskResult, Usage]);

export type MessageDetails = Static<typeof MessageDetails>;
