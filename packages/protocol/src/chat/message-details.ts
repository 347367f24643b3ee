import { type Static, Type } from 'typebox';
import { AnyObject, Count, Id, Label } from '../wire/fields.ts';

/**
 * What a message is beyond its words, in `message.metadata.details`. `content` always says the same in plain
 * text, so a client that knows nothing of this shows it whole.
 */

/** What the agent thinks aloud. */
const Thought = Type.Object({ kind: Type.Literal('thought') });

const FileDiff = Type.Object({
  path: Type.String(),
  /** Null where the file is new. */
  old_text: Type.Union([Type.String(), Type.Null()]),
  new_text: Type.String(),
});

const ToolCall = Type.Object({
  kind: Type.Literal('tool_call'),
  tool_call_id: Id,
  title: Label,
  /** As ACP names them: read, edit, delete, move, search, execute, think, fetch, other. */
  tool_kind: Type.Optional(Id),
  status: Type.Enum(['pending', 'running', 'completed', 'failed']),
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

/** One step of a browser task: what was done in the page, and what came of it. */
const BrowserStep = Type.Object({
  kind: Type.Literal('step'),
  task_id: Id,
  index: Count,
  /** As the contract writes it: `click(7)`. */
  action: Type.String(),
  status: Type.Enum(['running', 'ok', 'failed', 'unknown']),
  thought: Type.Optional(Type.String()),
  /** Why, as the mind judges what came before (INT-50). */
  reasoning: Type.Optional(Type.String()),
  /** What was pressed or filled, as a person calls it: "Add to cart". */
  subject: Type.Optional(Label),
  before: Type.Optional(Type.Object({ url: Type.String(), title: Type.Optional(Type.String()) })),
  after: Type.Optional(Type.Object({ url: Type.String(), title: Type.Optional(Type.String()) })),
  /** The keyed difference of the page in lines, cut short. */
  changes: Type.Optional(Type.Array(Type.String())),
  /** Toasts and errors that came, also those that went. */
  events: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(Type.Object({ code: Id, message: Label })),
  /** Files of the session. */
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
  /** How full the agent's window is, and how large it is, in tokens. */
  used: Type.Optional(Count),
  size: Type.Optional(Count),
  cost: Type.Optional(AnyObject),
});

export const MessageDetails = Type.Union([Thought, ToolCall, PlanDetails, BrowserStep, TaskResult, Usage]);

export type MessageDetails = Static<typeof MessageDetails>;
