import type { Answer, Asker, Question } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { errorLike, setUp, type TestRuntime } from '../test/bridge-harness.ts';

const ASKS = { features: ['questions', 'action_cancel'] };

const QUESTION = {
  question_id: 'q1',
  call_id: 'c1',
  origin: 'https://shop.example',
  name: 'order.place',
  effect: 'irreversible',
  sentence: 'order.place at https://shop.example',
  data: ['sku: tea'],
  call_hash: 'hash-1',
  timeout_ms: 20_000,
};

const questionItem = (fields: object = {}, runtime_id = 'r1') => ({
  type: 'grant_question',
  runtime_id,
  question: { ...QUESTION, ...fields },
});

/** A person whose answers the test triggers. */
function person() {
  const asked: Question[] = [];
  const withdrawn: string[] = [];
  const answers = new Map<string, (answer: Answer) => void>();
  const asker: Asker = {
    ask: (question, withdrawal) =>
      new Promise((resolve) => {
        asked.push(question);
        answers.set(question.question_id, resolve);
        withdrawal.addEventListener('abort', () => withdrawn.push(question.question_id));
      }),
  };
  return {
    asker,
    asked,
    withdrawn,
    /** Resolves when the bridge has received it. */
    async answer(question_id: string, answer: Answer = once) {
      answers.get(question_id)?.(answer);
      await new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
    },
  };
}

const once: Answer = { decision: 'once', call_hash: 'hash-1', by: 'Phone' };
const answersTo = ({ got }: TestRuntime) => got.filter(({ type }) => type === 'grant_answer');

const deniedBecause = (reason: RegExp) => [
  {
    type: 'grant_answer',
    question_id: 'q1',
    decision: 'deny',
    call_hash: 'hash-1',
    by: 'nobody',
    reason: expect.stringMatching(reason),
  },
];

test("[BRG-162] passes a question to its connection's asker, and the answer back once", async () => {
  const { runtime, clock } = setUp();
  const { asker, asked, answer } = person();
  const tab = runtime(ASKS, 'chrome', asker);
  tab.connection.receive(questionItem());
  tab.connection.receive(questionItem({ sentence: 'something else' }));
  const { timeout_ms, ...rest } = QUESTION;
  expect(asked).toEqual([{ ...rest, runtime_id: 'r1', expires_at: clock.now() + timeout_ms }]);
  expect(answersTo(tab)).toEqual([]);
  await answer('q1', { ...once, decision: 'always', until: 5 });
  expect(answersTo(tab)).toEqual([
    {
      type: 'grant_answer',
      question_id: 'q1',
      decision: 'always',
      call_hash: 'hash-1',
      by: 'Phone',
      until: 5,
    },
  ]);
  await answer('q1');
  expect(answersTo(tab)).toHaveLength(1);
});

test('[BRG-162] limits a question to an hour', () => {
  const { runtime, clock } = setUp();
  const { asker, asked } = person();
  runtime(ASKS, 'chrome', asker).connection.receive(questionItem({ timeout_ms: 10 * 3_600_000 }));
  expect(asked[0]?.expires_at).toBe(clock.now() + 3_600_000);
});

describe('[BRG-163] asks nobody', () => {
  test.each([
    ['that nobody announced', 'r9'],
    ['of another connection', 'r2'],
  ])('about a runtime %s', (_, runtime_id) => {
    const { runtime } = setUp();
    const [asking, other] = [person(), person()];
    const tab = runtime(ASKS, 'chrome', asking.asker);
    runtime({ ...ASKS, runtime_id: 'r2' }, 'chrome', other.asker);
    tab.connection.receive(questionItem({}, runtime_id));
    expect(tab.got).toEqual([errorLike('runtime_not_ready', { type: 'grant_question' }, { runtime_id })]);
    expect([asking.asked, other.asked]).toEqual([[], []]);
  });

  test('for a runtime that would not understand the answer', () => {
    const { runtime } = setUp();
    const { asker, asked } = person();
    const tab = runtime({ features: ['action_cancel'] }, 'chrome', asker);
    tab.connection.receive(questionItem());
    expect(tab.got).toEqual([errorLike('permission_denied', { feature: 'questions' })]);
    expect(asked).toEqual([]);
  });

  test('about a call of another runtime, but asks about its own', () => {
    const { runtime, agent } = setUp();
    const { asker, asked } = person();
    const tab = runtime(ASKS, 'chrome', asker);
    runtime({ ...ASKS, runtime_id: 'r2' }, 'firefox', asker);
    agent().call('c1', { runtime_id: 'r2' });
    tab.connection.receive(questionItem());
    expect(answersTo(tab)).toEqual(deniedBecause(/another browser/));
    agent().call('c2', { runtime_id: 'r1' });
    tab.connection.receive(questionItem({ question_id: 'q2', call_id: 'c2' }));
    expect(asked.map(({ call_id }) => call_id)).toEqual(['c2']);
  });

  test('for an agent, and accepts no answers from runtimes', () => {
    const { runtime, agent } = setUp();
    const { asker, asked } = person();
    const tab = runtime(ASKS, 'chrome', asker);
    const caller = agent();
    caller.connection.receive(questionItem());
    expect(caller.last()).toEqual(errorLike('permission_denied', { role: 'agent' }));
    tab.connection.receive({ type: 'grant_answer', question_id: 'q1', ...once });
    expect(tab.last()).toEqual(errorLike('permission_denied', { role: 'runtime' }));
    expect(asked).toEqual([]);
  });
});

describe('[BRG-164] denies a question with what to do', () => {
  test('without an asker', () => {
    const tab = setUp().runtime(ASKS);
    tab.connection.receive(questionItem());
    expect(answersTo(tab)).toEqual(deniedBecause(/connect the browser to a relay/));
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no way');
      },
    ],
    ['fails', () => Promise.reject(new Error('no way'))],
  ])('where asking %s', async (_, ask) => {
    const { runtime, faults } = setUp();
    const tab = runtime(ASKS, 'chrome', { ask });
    tab.connection.receive(questionItem());
    await expect.poll(() => answersTo(tab)).toEqual(deniedBecause(/Call again/));
    expect(faults).toEqual([new Error('no way')]);
  });

  test('with too many open questions', () => {
    const { runtime } = setUp({ limits: { maxQuestionsPerConnection: 1 } });
    const { asker, asked } = person();
    const tab = runtime(ASKS, 'chrome', asker);
    tab.connection.receive(questionItem({ question_id: 'q0' }));
    tab.connection.receive(questionItem());
    expect(answersTo(tab)).toEqual(deniedBecause(/Answer those first/));
    expect(asked).toHaveLength(1);
  });
});

test('keeps room for other agents when one has too many open questions', () => {
  const { runtime, bridge } = setUp({ limits: { maxQuestionsPerOwner: 2 } });
  const { asker, asked } = person();
  const tab = runtime(ASKS, 'chrome', asker);
  const ask = (owner: string, id: string) => {
    bridge.call({ name: 'order.place', arguments: {}, call_id: `call_${id}` }, { owner });
    tab.connection.receive(questionItem({ question_id: id, call_id: `call_${id}` }));
  };
  for (const id of ['q7', 'q8', 'q1']) ask('greedy', id);
  expect(answersTo(tab)).toEqual(deniedBecause(/open_questions/));
  ask('modest', 'q9');
  expect(asked.map(({ question_id }) => question_id)).toEqual(['q7', 'q8', 'q9']);
});

describe('[BRG-165] withdraws a question, and ignores its late answer', () => {
  type QuestionsHarness = ReturnType<typeof setUp>;

  test.each<[string, (tab: TestRuntime, harness: QuestionsHarness, asker: Asker) => void]>([
    [
      'when its runtime says so',
      (tab) => tab.connection.receive({ type: 'grant_withdrawn', question_id: 'q1' }),
    ],
    ['when its connection ends', (tab) => tab.connection.close()],
    ['when the bridge closes', (_, { bridge }) => bridge.close()],
    [
      'when another takes its place',
      (tab) => tab.announce({ ...ASKS, runtime_id: 'r2', runtime_key: 'tab:1' }),
    ],
    [
      'when another connection of its owner brings it',
      (_, { runtime }, asker) => runtime({ ...ASKS, runtime_key: 'tab:1' }, 'chrome', asker),
    ],
  ])('%s', async (_, end) => {
    const harness = setUp();
    const { asker, withdrawn, answer } = person();
    const tab = harness.runtime({ ...ASKS, runtime_key: 'tab:1' }, 'chrome', asker);
    tab.connection.receive(questionItem());
    end(tab, harness, asker);
    expect(withdrawn).toEqual(['q1']);
    await answer('q1');
    expect(answersTo(tab)).toEqual([]);
  });

  test('and leaves others open', async () => {
    const { runtime } = setUp();
    const { asker, withdrawn, answer } = person();
    const tab = runtime(ASKS, 'chrome', asker);
    tab.announce({ ...ASKS, runtime_id: 'r2' });
    const other = runtime({ ...ASKS, runtime_id: 'r3' }, 'chrome', asker);
    tab.connection.receive(questionItem());
    other.connection.receive({ type: 'grant_withdrawn', question_id: 'q1' });
    other.connection.close();
    tab.announce(ASKS);
    expect(withdrawn).toEqual([]);
    await answer('q1');
    expect(answersTo(tab)).toHaveLength(1);
  });
});
