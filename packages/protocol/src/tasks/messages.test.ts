import { describe, expect, test } from 'vitest';
import { TASK_SAMPLES } from '../../test/tasks/samples.ts';
import { accepted, fieldTakes, put, refusal, refusalOfText, requiredFields } from '../../test/wire/parse.ts';
import { object, oneOf, text, textUpTo, type Values } from '../../test/wire/values.ts';
import { LIMITS } from '../wire/limits.ts';
import { REJECTION_REASONS } from './messages.ts';
import { tasks } from './protocol.ts';

const {
  execute_task: EXECUTE,
  task_accepted: ACCEPTED,
  task_rejected: REJECTED,
  execution_event: EVENT,
  ping: PING,
  pong: PONG,
} = TASK_SAMPLES;
const MESSAGES = Object.values(TASK_SAMPLES);

const word: Values = { good: ['text'], bad: text.bad };
const number: Values = { good: [0, 1, 1.5], bad: ['1', true, null, [1], {}] };
const notAnObject: Values = { good: [], bad: object.bad };

/** Each field of an otherwise complete message accepts its good values and refuses its bad ones. */
function takes(message: unknown, fields: Readonly<Record<string, Values>>): void {
  for (const [field, values] of Object.entries(fields)) fieldTakes(tasks, message, field, values);
}

describe('every message', () => {
  test('[TSK-01] each of the six types parses to its own message, unchanged', () => {
    for (const [type, message] of Object.entries(TASK_SAMPLES)) {
      const parsed = tasks.parse(JSON.stringify(message));
      expect(parsed).toEqual(message);
      expect(parsed.type).toBe(type);
      expect(tasks.kindOf(parsed)).toBe(type);
    }
    takes(PING, { type: { good: [], bad: [7, null, ['ping'], { ping: true }] } });
  });

  test('[TSK-02] text that is no JSON object, or an object without type, is refused', () => {
    for (const text of [
      '',
      'ping',
      '{"type":"ping"',
      'null',
      '7',
      '"ping"',
      '[{"type":"ping","timestamp":1}]',
    ])
      expect(refusalOfText(tasks, text)).toMatchObject({ code: 'invalid_message', path: '' });
    expect(refusal(tasks, { timestamp: 1 })).toMatchObject({ code: 'invalid_message', path: 'type' });
  });

  test('[TSK-03] any other type is refused as unknown, and the error names it', () => {
    for (const type of ['cancel_task', 'Ping', 'executeTask', 'constructor']) {
      const message = `task message: type is unknown: "${type}".`;
      expect(refusal(tasks, { ...PING, type })).toEqual({ code: 'invalid_message', path: 'type', message });
    }
  });

  test('[TSK-04] a message of more than 1,000,000 characters is refused before it is parsed', () => {
    expect(LIMITS.task_message.value).toBe(1_000_000);
    const ping = JSON.stringify(PING);
    const tooLong = { code: 'invalid_message', path: '', message: expect.stringContaining('1000000') };
    expect(tasks.parse(ping.padEnd(1_000_000))).toEqual(PING);
    expect(refusalOfText(tasks, ping.padEnd(1_000_001))).toMatchObject(tooLong);
    expect(refusalOfText(tasks, '{'.repeat(1_000_001))).toMatchObject(tooLong);
  });

  test('[TSK-05] unknown properties are kept, in the message, in metadata, in event and in event.data', () => {
    const inside = [
      put(EXECUTE, 'metadata.tag', 'x'),
      put(EVENT, 'event.tag', 'x'),
      put(EVENT, 'event.data.tag', { deep: ['x'] }),
    ];
    for (const message of [...MESSAGES.map((message) => ({ ...message, tag: 'x' })), ...inside])
      expect(accepted(tasks, message)).toEqual(message);
  });
});

describe('execute_task', () => {
  test('[TSK-06] taskId and prompt are required strings of at most 1,000 and 100,000 characters', () => {
    requiredFields(tasks, EXECUTE, ['type', 'taskId', 'prompt']);
    takes(EXECUTE, { taskId: textUpTo(1_000, 1), prompt: textUpTo(100_000, 1) });
    takes(EXECUTE, { taskId: { good: ['🌉'.repeat(1_000)], bad: ['🌉'.repeat(1_001)] } });
  });

  test('[TSK-07] taskId and prompt are not empty', () => {
    const notEmpty: Values = { good: ['x'], bad: [''] };
    takes(EXECUTE, { taskId: notEmpty, prompt: notEmpty });
  });

  test('[TSK-08] metadata is an optional object, in which priority and timeout are optional numbers', () => {
    const { metadata, ...bare } = EXECUTE;
    expect(accepted(tasks, bare)).toEqual(bare);
    takes(EXECUTE, {
      metadata: { good: [{}, { priority: -1 }, { timeout: 1 }, { note: 'x' }], bad: ['{}', 7] },
    });
    takes(EXECUTE, { 'metadata.priority': number, 'metadata.timeout': number });
  });

  test('[TSK-09] metadata that is null or an array is refused', () =>
    takes(EXECUTE, { metadata: { good: [{}], bad: [null, [], [{}]] } }));
});

describe('task_accepted and task_rejected', () => {
  test('[TSK-10] task_accepted requires taskId and timestamp', () => {
    requiredFields(tasks, ACCEPTED, ['type', 'taskId', 'timestamp']);
    takes(ACCEPTED, { taskId: word, timestamp: number });
  });

  test('[TSK-11] task_rejected requires taskId, reason and timestamp', () => {
    requiredFields(tasks, REJECTED, ['type', 'taskId', 'reason', 'timestamp']);
    takes(REJECTED, { taskId: word, reason: word, timestamp: number });
  });

  test('our reasons are the five of the contract, and each parses', () => {
    expect(REJECTION_REASONS).toEqual([
      'Already executing a task',
      'Invalid taskId - must be a non-empty string',
      'Invalid prompt - must be a non-empty string',
      'No active tab found',
      'Task execution failed',
    ]);
    takes(REJECTED, { reason: { good: REJECTION_REASONS, bad: [] } });
  });

  test('[TSK-13] any other non-empty reason parses', () =>
    takes(REJECTED, { reason: { good: ['net::ERR_ABORTED', 'x'], bad: [''] } }));
});

describe('execution_event', () => {
  const inEvent = ['event.actor', 'event.state', 'event.type', 'event.timestamp', 'event.data'];
  const inData = ['event.data.taskId', 'event.data.step', 'event.data.maxSteps', 'event.data.details'];

  test('[TSK-14][TSK-15][TSK-18] every field of the message, its event and its data is required', () =>
    requiredFields(tasks, EVENT, ['type', 'taskId', 'event', 'timestamp', ...inEvent, ...inData]));

  test('[TSK-14] taskId is a string, event an object, timestamp a number', () =>
    takes(EVENT, { taskId: word, event: notAnObject, timestamp: number }));

  test('[TSK-15] in the event, type is "execution", timestamp a number, data an object', () =>
    takes(EVENT, {
      'event.type': { good: ['execution'], bad: ['Execution', 'event', '', 7, null] },
      'event.timestamp': number,
      'event.data': notAnObject,
    }));

  test('[TSK-16] actor is system, user, planner or navigator', () =>
    takes(EVENT, { 'event.actor': oneOf('system', 'user', 'planner', 'navigator') }));

  test('[TSK-17] state is one of the thirteen', () => {
    const task = ['task.start', 'task.ok', 'task.fail', 'task.pause', 'task.resume', 'task.cancel'];
    const step = ['step.start', 'step.ok', 'step.fail', 'step.cancel'];
    const act = ['act.start', 'act.ok', 'act.fail'];
    takes(EVENT, { 'event.state': oneOf(...task, ...step, ...act) });
    takes(EVENT, { 'event.state': { good: [], bad: ['act.cancel', 'step.pause', 'task', 'TASK_OK'] } });
  });

  test('[TSK-18] in the data, taskId and details are strings, step is from 0 and maxSteps from 1', () =>
    takes(EVENT, {
      'event.data.taskId': word,
      'event.data.details': text,
      'event.data.step': { good: [0, 3], bad: [-1, '3', null] },
      'event.data.maxSteps': { good: [1, 100], bad: [0, -1, '3', null] },
    }));

  test('[TSK-19] step may equal maxSteps, and no rule binds the two otherwise', () =>
    takes(EVENT, { 'event.data.step': { good: [0, EVENT.event.data.maxSteps, 99], bad: [] } }));
});

describe('ping and pong', () => {
  test('[TSK-20] each requires a number timestamp', () => {
    for (const message of [PING, PONG]) {
      requiredFields(tasks, message, ['type', 'timestamp']);
      takes(message, { timestamp: number });
    }
  });
});

test('[TSK-21] every timestamp is a finite number of at least 0', () => {
  const places = [ACCEPTED, REJECTED, EVENT, PING, PONG].map((message) => ({ message, path: 'timestamp' }));
  for (const { message, path } of [...places, { message: EVENT, path: 'event.timestamp' }]) {
    takes(message, { [path]: { good: [0, 0.5, 1_697_097_600_000], bad: [-1, -0.5] } });
    const infinite = JSON.stringify(put(message, path, 'infinite')).replace('"infinite"', '1e999');
    expect(refusalOfText(tasks, infinite)).toMatchObject({ code: 'invalid_message', path });
  }
});
