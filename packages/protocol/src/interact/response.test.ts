import { expect, test } from 'vitest';
import { RESPONSE_SAMPLES } from '../../test/interact/samples.ts';
import { accepted, fieldTakes, put, refusal, requiredFields, without } from '../../test/wire/parse.ts';
import { flag, id, label, listOf, object, oneOf, text, time, wholeFrom } from '../../test/wire/values.ts';
import { interactResponse } from './protocol.ts';

const { next_step, needs_context, needs_user_input, bare_step, error } = RESPONSE_SAMPLES;

const takes = (path: string, values: Parameters<typeof fieldTakes>[3], sample: unknown = next_step) =>
  fieldTakes(interactResponse, sample, path, values);

const kindOf = (response: unknown) =>
  interactResponse.kindOf(interactResponse.parse(JSON.stringify(response)));

const refusedAt = (path: string) => ({ code: 'invalid_request', path });

const STEP = ['id', 'index', 'description', 'status'];

/** Required fields of a decision. */
const DECISION = [
  'thought',
  'action',
  'actionDetails.name',
  'plan.steps',
  'plan.currentStepIndex',
  ...STEP.flatMap((field) => [`plan.steps[0].${field}`, `plan.steps[1].${field}`]),
];

test('[INT-39] a successful response has success true and data', () => {
  requiredFields(interactResponse, next_step, [
    'success',
    'data',
    ...DECISION.map((field) => `data.${field}`),
  ]);
  takes('success', { good: [true], bad: ['true', 1, null] });
  takes('data', { good: [], bad: ['click(1)', null, []] });
});

test('[INT-40] a failed response has success false, code and message, and may have a path', () => {
  expect(kindOf(error)).toBe('error');
  for (const field of ['code', 'message'])
    expect(refusal(interactResponse, without(error, field))).toMatchObject(refusedAt(field));
  expect(kindOf(without(error, 'path'))).toBe('error');
  takes('code', id, error);
  takes('message', label, error);
  takes('path', label, error);
  const theirs = { success: false, code: 'RATE_LIMIT', message: 'Wait', error: 'Wait', details: {} };
  expect(accepted(interactResponse, theirs)).toEqual(theirs);
});

test('[INT-41] a decision has thought and action, and may name its task and session', () => {
  takes('data.thought', text);
  takes('data.action', { good: ['click(1)', 'finish()'], bad: ['', 7, null, { name: 'click' }] });
  takes('data.taskId', id);
  takes('data.sessionId', id);
  const bare = { success: true, data: { thought: '', action: 'finish()' } };
  expect(accepted(interactResponse, bare)).toEqual(bare);
});

test.each(['needs_context', 'needs_full_dom', 'needs_user_input'])(
  '[INT-42] an answer with status %s may lack thought and action',
  (status) => {
    const answer = { success: true, data: { status } };
    expect(accepted(interactResponse, answer)).toEqual(answer);
    takes('data.thought', text, answer);
    takes('data.action', { good: ['click(1)'], bad: ['', 7] }, answer);
  },
);

test.each(['planning', 'executing', 'verifying', 'correcting', 'completed', 'failed'])(
  '[INT-42] an answer with status %s may not',
  (status) => {
    const data = { thought: 'So be it', action: 'finish()', status };
    for (const field of ['thought', 'action'])
      expect(refusal(interactResponse, without({ success: true, data }, `data.${field}`))).toMatchObject(
        refusedAt(`data.${field}`),
      );
  },
);

test('[INT-43] a response without the envelope, a step without toolType and unknown fields are accepted', () => {
  expect(kindOf(bare_step)).toBe('bare_step');
  requiredFields(interactResponse, bare_step, DECISION);
  const step = without(next_step, 'data.plan.steps[0].toolType');
  expect(accepted(interactResponse, step)).toEqual(step);
  const more = { ...next_step, usage: {}, data: { ...next_step.data, ragDebug: { chunkCount: 0 } } };
  expect(accepted(interactResponse, more)).toEqual(more);
});

test('[INT-44] actionDetails has a name, and may have an element, a selector and arguments', () => {
  takes('data.actionDetails', { good: [{ name: 'finish' }], bad: ['click', null, []] });
  takes('data.actionDetails.name', id);
  takes('data.actionDetails.elementId', { good: [0, 42, '42', '2-42'], bad: ['', true, null, [42]] });
  takes('data.actionDetails.selectorPath', text);
  takes('data.actionDetails.args', object);
});

test('[INT-45] plan has steps and currentStepIndex, and may have createdAt', () => {
  takes('data.plan', { good: [{ steps: [], currentStepIndex: 0 }], bad: ['later', null, []] });
  takes('data.plan.steps', { good: [], bad: [{}, 'none', null] });
  takes('data.plan.currentStepIndex', { good: [0, 1, 2], bad: [-1, 0.5, '0', null] });
  takes('data.plan.createdAt', time);
  takes('data.currentStep', wholeFrom(0));
  takes('data.totalSteps', wholeFrom(0));
});

test('[INT-46] a plan step has id, index, description and status', () => {
  takes('data.plan.steps[1].id', id);
  takes('data.plan.steps[1].index', wholeFrom(0));
  takes('data.plan.steps[1].description', label);
  takes('data.plan.steps[1].status', oneOf('pending', 'active', 'completed', 'failed'));
});

test('[INT-47] a plan step has toolType, and may have reasoning and expectedOutcome', () => {
  takes('data.plan.steps[1].toolType', oneOf('DOM', 'SERVER', 'MIXED'));
  takes('data.plan.steps[1].reasoning', text);
  takes('data.plan.steps[1].expectedOutcome', object);
});

test('[INT-48] status is one of nine words', () => {
  const decided = [
    'planning',
    'executing',
    'verifying',
    'correcting',
    'completed',
    'failed',
    'needs_user_input',
  ];
  takes('data.status', oneOf(...decided));
  for (const status of [...decided, 'needs_context', 'needs_full_dom'])
    expect(accepted(interactResponse, put(next_step, 'data.status', status))).toHaveProperty(
      'data.status',
      status,
    );
  expect(kindOf(put(next_step, 'data.status', 'needs_full_dom'))).toBe('needs_context');
  expect(kindOf(without(next_step, 'data.status'))).toBe('next_step');
});

test.each(['needs_context', 'needs_full_dom'])(
  '[INT-49] an answer with status %s says what it asks for',
  (status) => {
    const asking = put(needs_context, 'data.status', status);
    expect(kindOf(asking)).toBe('needs_context');
    takes('data.requestedDomMode', oneOf('semantic', 'skeleton', 'hybrid', 'full'), asking);
    takes('data.needsScreenshot', flag, asking);
    takes('data.needsSkeletonDom', flag, asking);
    takes('data.reason', label, asking);
    for (const field of ['requestedDomMode', 'needsScreenshot', 'needsSkeletonDom', 'reason'])
      expect(kindOf(without(asking, `data.${field}`))).toBe('needs_context');
  },
);

test('[INT-50] data may have reasoning, a question and what is missing', () => {
  for (const sample of [next_step, needs_user_input, needs_context]) {
    takes('data.reasoning', { good: ['Because', { source: 'page' }], bad: [7, null, true] }, sample);
    takes('data.userQuestion', text, sample);
    takes('data.missingInformation', listOf({ field: 'card' }), sample);
    takes('data.missingInformation[0]', { good: ['card number'], bad: [] }, sample);
  }
});
