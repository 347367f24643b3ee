import { type Static, Type } from 'typebox';
import { AnyObject, Id, Milliseconds } from '../wire/fields.ts';

/** Closed, so that a typo fails validation instead of changing the behaviour. */
const closed = { additionalProperties: false } as const;

const Expression = Type.String({ minLength: 1 });

/** Starts with a letter, so that `steps.<id>.output` is a valid JSONata path. */
const StepId = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$' });

const AfterEach = Type.Object({ primitive: Id, args: Type.Optional(AnyObject) }, closed);

const SettleAfter = Type.Object(
  {
    locator: Type.Optional(AnyObject),
    state: Type.Optional(Type.Enum(['attached', 'visible'])),
    timeout_ms: Type.Optional(Milliseconds),
    delay_ms: Type.Optional(Milliseconds),
  },
  closed,
);

export const WorkflowStep = Type.Object(
  {
    id: StepId,
    primitive: Id,
    args: Type.Optional(AnyObject),
    when: Type.Optional(Expression),
    for_each: Type.Optional(Expression),
    max_items: Type.Optional(Type.Integer({ minimum: 1 })),
    retry_until: Type.Optional(Expression),
    max_attempts: Type.Optional(Type.Integer({ minimum: 1 })),
    after_each: Type.Optional(AfterEach),
    settle_after: Type.Optional(SettleAfter),
    on_error: Type.Optional(Type.Enum(['stop', 'continue'])),
  },
  closed,
);

export const Workflow = Type.Object(
  {
    version: Type.Literal(1),
    expression_language: Type.Literal('jsonata'),
    steps: Type.Array(WorkflowStep),
    output: Type.Optional(Type.Unknown()),
    postcondition: Type.Optional(Type.Unknown()),
  },
  closed,
);

export type WorkflowStep = Static<typeof WorkflowStep>;
export type Workflow = Static<typeof Workflow>;
