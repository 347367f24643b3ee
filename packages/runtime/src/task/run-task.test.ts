import { BridgeError } from '@drawbridge/protocol';
import { createGate } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { asking, DONE, doing, EFFECT, PAGE, scriptedTask } from '../../test/task/scripted-task.ts';
import { createTaskControl } from './control.ts';
import type { Wanted } from './task-page.ts';

const FINISH = doing('finish()', {
  status: 'completed',
  thought: 'It is in the cart.',
  result: { count: 1 },
});

test('[TSK-41] [TSK-42] [TSK-43] [TSK-46] reports a task from its start to its end', async () => {
  const task = scriptedTask([doing('click(7)'), FINISH]);
  const outcome = await task.running();
  expect(outcome).toMatchObject({ status: 'completed', message: 'It is in the cart.', result: { count: 1 } });
  expect(task.told()).toEqual([
    'task.start 0',
    ...['step.start 0', 'act.start 0', 'act.ok 0', 'step.ok 0'],
    ...['step.start 1', 'step.ok 1', 'task.ok 1'],
  ]);
  expect(task.events[0]?.event).toMatchObject({ actor: 'system', data: { maxSteps: 10 } });
  expect(task.events[3]?.step).toMatchObject({
    kind: 'step',
    index: 0,
    action: 'click(7)',
    subject: 'Add to cart',
    status: 'ok',
    thought: 'Because.',
    before: { url: PAGE.url },
    changes: ['+9 btn Undo'],
  });
});

test('a step that uses a tool of the map has the map’s words for it', async () => {
  const tools = [
    { name: 'cart.open', description: 'Go to the cart. Works on every page.', inputSchema: {} },
    { name: 'cart.look', description: '', inputSchema: {} },
  ];
  const task = scriptedTask([doing('call("cart.open", {})'), doing('call("cart.look", {})'), FINISH], {
    pageOverrides: { perceive: async () => ({ ...PAGE, tools }) },
  });
  const { trace } = await task.running();
  expect(trace.steps.map(({ subject }) => subject?.name)).toEqual(['Go to the cart', undefined]);
});

test.each([
  ['It is the only lamp.', 'It is the only lamp.'],
  [{ goal: 'a lamp', left: 2 }, 'goal: a lamp\nleft: 2'],
])('[INT-50] a step keeps why it was taken, however a server writes it', async (reasoning, kept) => {
  const task = scriptedTask([doing('click(7)', { reasoning }), FINISH]);
  await task.running();
  expect(task.events.flatMap(({ step }) => step ?? [])).toContainEqual(
    expect.objectContaining({ action: 'click(7)', reasoning: kept }),
  );
});

test('[INT-76] [INT-78] [INT-79] [INT-80] [INT-238] sends the tree and the given id with each call, and no heavy artifact', async () => {
  const task = scriptedTask([doing('click(7)', { taskId: 'mind-1', sessionId: 'session-1' }), FINISH], {
    pageOverrides: {
      perceive: async () => ({ ...PAGE, viewport: { width: 800, height: 600 }, scrollPosition: '0%' }),
    },
    task: { taskId: 'task-1', query: 'Put a lamp into the cart', maxSteps: 10, tabId: 3 },
  });
  await task.running();
  const [first, second] = task.requests;
  expect(first).not.toHaveProperty('taskId');
  expect(second).toMatchObject({ taskId: 'mind-1', sessionId: 'session-1' });
  for (const request of task.requests) {
    expect(request).toMatchObject({
      url: PAGE.url,
      domMode: 'semantic',
      interactiveTree: PAGE.interactiveTree,
      pageTitle: 'Shop',
      viewport: { width: 800, height: 600 },
      scrollPosition: '0%',
      tabId: 3,
    });
    for (const heavy of ['dom', 'skeletonDom', 'screenshot']) expect(request).not.toHaveProperty(heavy);
  }
});

test('[INT-81] [INT-82] [INT-83] [INT-245] reports the outcome of an act in the next call', async () => {
  const effect = { ...EFFECT, successes: ['Added'], expected: { selector: '#undo', found: true } };
  const task = scriptedTask([doing('click(7)'), FINISH], {
    pageOverrides: { act: async () => ({ ...DONE, effect }) },
  });
  await task.running();
  expect(task.requests[1]).toMatchObject({
    previousUrl: PAGE.url,
    lastActionStatus: 'success',
    lastActionResult: { success: true },
    clientObservations: { didDomMutate: true, didUrlChange: false, didNetworkOccur: false },
    clientVerification: { elementFound: true, selector: '#undo', urlChanged: false },
    verification_passed: true,
    success_messages: ['Added'],
  });
  expect(task.requests[1]).not.toHaveProperty('lastActionError');
});

test.each([
  [{ ok: false, error: { code: 'covered', message: 'It is covered by a dialog.' } } as const, 'covered'],
  [
    { ...DONE, effect: { ...EFFECT, happened: false, passed: false, message: 'Nothing changed.' } },
    'no_effect',
  ],
  [
    { ...DONE, effect: { ...EFFECT, passed: false, errors: ['Sold out'], message: 'Sold out' } },
    'page_error',
  ],
])(
  '[INT-81] [INT-246] [INT-248] what was not done, or did nothing, is no success: %#',
  async (acted, code) => {
    const task = scriptedTask([doing('click(7)'), FINISH], { pageOverrides: { act: async () => acted } });
    await task.running();
    expect(task.told()).toContain('act.fail 0');
    expect(task.requests[1]).toMatchObject({
      lastActionStatus: 'failure',
      lastActionError: { code, action: 'click(7)', elementId: '7' },
      lastActionResult: { success: false },
      ...(acted.ok && { verification_passed: false, errors_detected: acted.effect.errors }),
    });
  },
);

test('reports an act as done with a failed check when the plan expected another outcome', async () => {
  const effect = { ...EFFECT, passed: false, message: 'click: expected navigation, but 1 added.' };
  const task = scriptedTask([doing('click(7)'), FINISH], {
    pageOverrides: { act: async () => ({ ...DONE, effect }) },
  });
  await task.running();
  expect(task.requests[1]).toMatchObject({ lastActionStatus: 'success', verification_passed: false });
  expect(task.requests[1]).not.toHaveProperty('lastActionError');
});

test('reports an act as indeterminate when the connection broke', async () => {
  const lost = {
    ok: false,
    error: { code: 'transport_failed', message: 'Gone.' },
    indeterminate: true,
  } as const;
  const task = scriptedTask([doing('click(7)'), FINISH], { pageOverrides: { act: async () => lost } });
  const { trace } = await task.running();
  expect(trace.steps).toMatchObject([{ status: 'unknown' }]);
  expect(task.requests[1]).toMatchObject({ lastActionStatus: 'pending' });
  for (const verdict of ['lastActionError', 'lastActionResult'])
    expect(task.requests[1]).not.toHaveProperty(verdict);
});

test.each([
  [
    { status: 'needs_context', requestedDomMode: 'hybrid' },
    { screenshot: true, skeleton: true, dom: false },
  ],
  [
    { status: 'needs_context', requestedDomMode: 'hybrid', needsScreenshot: false },
    { screenshot: false, skeleton: true, dom: false },
  ],
  [
    { status: 'needs_context', requestedDomMode: 'skeleton' },
    { screenshot: false, skeleton: true, dom: false },
  ],
  [{ status: 'needs_context' }, { screenshot: false, skeleton: false, dom: true }],
  [{ status: 'needs_full_dom' }, { screenshot: false, skeleton: false, dom: true }],
  [
    { thought: '', action: 'needs_full_dom' },
    { screenshot: false, skeleton: false, dom: true },
  ],
  [
    { thought: '', action: 'needs_context()' },
    { screenshot: false, skeleton: false, dom: true },
  ],
])(
  '[INT-103] [INT-106] [INT-107] an ask is answered by the same call with just that: %j',
  async (ask, asked) => {
    const looks: Wanted[] = [];
    const task = scriptedTask([doing('click(7)'), asking(ask), FINISH], {
      pageOverrides: {
        perceive: async (wanted) => {
          looks.push(wanted);
          return {
            ...PAGE,
            ...(looks.length < 3 && { recentEvents: ["Added: 'Saved'"], hasSuccess: true }),
            ...(wanted.dom && { dom: '<p>' }),
            ...(wanted.skeleton && { skeletonDom: '<b>' }),
          };
        },
      },
    });
    await task.running();
    const [, once, again] = task.requests;
    expect(looks[2]).toMatchObject(asked);
    const { dom, skeletonDom, ...same } = again ?? {};
    expect(same).toEqual(once);
    expect({ dom, skeletonDom }).toEqual({
      dom: asked.dom ? '<p>' : undefined,
      skeletonDom: asked.skeleton ? '<b>' : undefined,
    });
    // A request for artifacts is not a step.
    expect(task.told().filter((delivered) => delivered.startsWith('step.start'))).toHaveLength(2);
  },
);

test('stops a server that keeps asking for more of the page', async () => {
  const task = scriptedTask(Array.from({ length: 9 }, () => asking({ status: 'needs_context' })));
  expect(await task.running()).toMatchObject({ status: 'failed' });
  expect(task.requests).toHaveLength(5);
});

test('[INT-54] refuses an invalid action and tells the decider', async () => {
  const task = scriptedTask([doing('press the button'), FINISH]);
  await task.running();
  expect(task.acts).toEqual([]);
  expect(task.requests[1]).toMatchObject({
    lastActionError: { code: 'invalid_action', action: 'press the button' },
  });
});

test('[INT-138] [TSK-44] waits for the answer to a question, which becomes the next query', async () => {
  const control = createTaskControl();
  const question = { status: 'needs_user_input', userQuestion: 'Which lamp?', missingInformation: ['lamp'] };
  const task = scriptedTask([asking(question), doing('click(7)'), FINISH], {
    control,
    onEvent: ({ question: asked }) => {
      if (asked !== undefined) queueMicrotask(() => control.personMessages('The green one'));
    },
  });
  expect(await task.running()).toMatchObject({ status: 'completed' });
  expect(task.requests.map(({ query }) => query)).toEqual([
    'Put a lamp into the cart',
    'The green one',
    'Put a lamp into the cart',
  ]);
  const pause = task.events.find(({ event }) => event.state === 'task.pause');
  expect(pause).toMatchObject({
    question: { text: 'Which lamp?', missing: ['lamp'] },
    checkpoint: { question: { text: 'Which lamp?' }, heard: 0 },
  });
  expect(task.told().slice(0, 5)).toEqual([
    ...['task.start 0', 'step.start 0', 'task.pause 0', 'task.resume 0', 'act.start 0'],
  ]);
  expect(task.events.at(-1)?.checkpoint.heard).toBe(1);
});

test('keeps the task as the first query, and sends earlier messages before the first act', async () => {
  const control = createTaskControl();
  control.personMessages('The green one');
  const task = scriptedTask([doing('click(7)'), doing('click(8)'), FINISH], { control });
  await task.running();
  expect(task.requests.map(({ query }) => query)).toEqual([
    'Put a lamp into the cart',
    'The green one',
    'Put a lamp into the cart',
  ]);
  expect(task.acts).toHaveLength(1);
});

test('[TSK-44] [TSK-45] does nothing while paused', async () => {
  const control = createTaskControl();
  const task = scriptedTask(
    [
      () => {
        control.pause();
        return doing('click(7)');
      },
      FINISH,
    ],
    {
      control,
      onEvent: ({ event }) => {
        if (event.state !== 'task.pause') return;
        expect(task.acts).toEqual([]);
        control.resume();
      },
    },
  );
  await task.running();
  expect(task.acts).toEqual(['click(7)']);
  expect(task.told()).toEqual(expect.arrayContaining(['task.pause 0', 'task.resume 0']));
  expect(task.events.find(({ event }) => event.state === 'task.pause')?.event.actor).toBe('user');
});

test('drops a decision from before a takeover after the page is handed back', async () => {
  const control = createTaskControl();
  const task = scriptedTask(
    [
      () => {
        control.takeOver();
        queueMicrotask(() => control.resumeAgent());
        return doing('click(7)');
      },
      FINISH,
    ],
    { control },
  );
  await task.running();
  expect(task.acts).toEqual([]);
  expect(task.told()).toContain('step.cancel 0');
  expect(task.requests[1]).toMatchObject({
    lastActionStatus: 'pending',
    verification_message: expect.stringContaining('was not done'),
  });
});

test('drops a decision when a person sends a message first', async () => {
  const control = createTaskControl();
  const task = scriptedTask(
    [
      () => {
        control.personMessages('Not that one');
        return doing('click(7)');
      },
      FINISH,
    ],
    { control },
  );
  await task.running();
  expect(task.acts).toEqual([]);
  expect(task.requests[1]?.query).toBe('Not that one');
});

test('[TSK-42] cancels during a decision: ends the call and does nothing', async () => {
  const control = createTaskControl();
  const gate = createGate();
  const task = scriptedTask(
    [
      async (_, signal) => {
        await Promise.race([
          gate.passed(),
          new Promise((_, reject) => signal.addEventListener('abort', reject)),
        ]);
        return doing('click(7)');
      },
    ],
    { control },
  );
  const running = task.running();
  await gate.reached;
  control.cancel('Enough.');
  expect(await running).toMatchObject({ status: 'cancelled', message: 'Enough.' });
  expect(task.acts).toEqual([]);
  expect(task.told()).toEqual(['task.start 0', 'step.start 0', 'step.cancel 0', 'task.cancel 0']);
});

test('[TSK-43] cancels during an act: does not claim whether it happened', async () => {
  const control = createTaskControl();
  const task = scriptedTask([doing('click(7)')], {
    control,
    pageOverrides: {
      act: (_, signal) => {
        const ended = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
        control.cancel();
        return ended;
      },
    },
  });
  const { status, trace } = await task.running();
  expect(status).toBe('cancelled');
  expect(trace.steps).toMatchObject([{ action: 'click(7)', status: 'unknown' }]);
  expect(task.told().slice(-3)).toEqual(['act.fail 0', 'step.cancel 0', 'task.cancel 1']);
});

test('[TSK-42] fails a task at its deadline, even during an act', async () => {
  const task = scriptedTask([doing('click(7)')], {
    pageOverrides: {
      act: (_act, signal) => {
        task.control.giveUp('The task timed out.');
        return Promise.reject(signal.reason);
      },
    },
  });
  expect(await task.running()).toMatchObject({ status: 'failed', message: 'The task timed out.' });
  expect(task.told().slice(-3)).toEqual(['act.fail 0', 'step.fail 0', 'task.fail 1']);
});

test('starts an act only after its start is stored', async () => {
  const gate = createGate();
  const task = scriptedTask([doing('click(7)'), FINISH], {
    onEvent: ({ event }) => (event.state === 'act.start' ? gate.passed() : undefined),
  });
  const running = task.running();
  await gate.reached;
  expect(task.acts).toEqual([]);
  gate.open();
  await running;
  expect(task.acts).toEqual(['click(7)']);
});

test('looks and reports after a restart during an act, and does not repeat it', async () => {
  const broken = scriptedTask([doing('click(7)', { taskId: 'mind-1' })], {
    pageOverrides: { act: () => new Promise(() => {}) },
    onEvent: ({ event }) => {
      if (event.state === 'act.start') throw new Error('The process ends here.');
    },
  });
  await expect(broken.running()).rejects.toThrow('The process ends here.');
  const stored = broken.events.at(-1);
  if (stored === undefined) throw new Error('Nothing was stored.');

  const after = scriptedTask([FINISH], {
    resume: { checkpoint: stored.checkpoint },
    pageOverrides: { perceive: async () => ({ ...PAGE, url: 'https://shop.test/cart' }) },
  });
  const { trace } = await after.running();
  expect(after.acts).toEqual([]);
  expect(after.requests).toMatchObject([
    {
      taskId: 'mind-1',
      url: 'https://shop.test/cart',
      previousUrl: PAGE.url,
      lastActionStatus: 'pending',
      clientObservations: { didUrlChange: true, didDomMutate: true },
    },
  ]);
  expect(after.told()).toEqual([
    ...['task.resume 0', 'act.fail 0', 'step.fail 0'],
    ...['step.start 1', 'step.ok 1', 'task.ok 1'],
  ]);
  expect(trace.steps).toMatchObject([{ index: 0, status: 'unknown', error: { code: 'restarted' } }]);
});

test('keeps waiting for an answer after a restart', async () => {
  const control = createTaskControl();
  control.personMessages('The green one');
  const task = scriptedTask([FINISH], {
    control,
    resume: { checkpoint: { step: 2, heard: 3, question: { text: 'Which lamp?' } } },
  });
  await task.running();
  expect(task.requests[0]?.query).toBe('The green one');
  expect(task.events.at(-1)?.checkpoint).toMatchObject({ heard: 4 });
  expect(task.events.at(-1)?.checkpoint).not.toHaveProperty('question');
});

test('judges the last step and allows no other', async () => {
  const spec = { taskId: 'task-1', query: 'Put a lamp into the cart', maxSteps: 1 };
  const done = scriptedTask([doing('click(7)'), FINISH], { task: spec });
  expect(await done.running()).toMatchObject({ status: 'completed' });
  const more = scriptedTask([doing('click(7)'), doing('click(7)')], { task: spec });
  expect(await more.running()).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('1 steps'),
  });
  expect(more.acts).toHaveLength(1);
});

test('retries an unavailable decider with the same key', async () => {
  const away = () => {
    throw new BridgeError('transport_failed', 'Nobody answers.');
  };
  const task = scriptedTask([away, away, FINISH]);
  const running = task.running();
  await task.clock.advanceAsync(10_000);
  expect(await running).toMatchObject({ status: 'completed' });
  expect(new Set(task.keys).size).toBe(1);
  expect(task.requests[2]).toEqual(task.requests[0]);
});

test('[INT-75] [INT-284] repeats an unanswered call with its key, and another call with another key', async () => {
  const aged = (age: number) => ({ ...PAGE, recentEvents: [`[${age}s ago] Added: 'Saved'`] });
  const lives = [1, 9].map((age) =>
    scriptedTask([doing('click(7)', { taskId: 'mind-1' }), doing('click(7)'), FINISH], {
      pageOverrides: { perceive: async () => aged(age) },
    }),
  );
  for (const life of lives) await life.running();
  const [first, second] = lives.map(({ keys }) => keys);
  expect(second).toEqual(first);
  expect(new Set(first).size).toBe(3);
  const yes = { status: 'needs_user_input', userQuestion: 'Really?' };
  const asked = scriptedTask([asking(yes), asking(yes), FINISH], {
    onEvent: ({ question }) => {
      if (question !== undefined) asked.control.personMessages('Yes');
    },
  });
  await asked.running();
  expect(new Set(asked.keys).size).toBe(3);
});

test('ends the task when the decider refuses permanently', async () => {
  const task = scriptedTask([
    () => {
      throw new BridgeError('unauthorized', 'That token is not known.');
    },
  ]);
  expect(await task.running()).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('not known'),
  });
  expect(task.told().at(-1)).toBe('task.fail 0');
});

test('[INT-277] keeps the text of a secret field out of events, records and later requests', async () => {
  const task = scriptedTask([doing('setValue(8, "hunter2")'), FINISH], {
    pageOverrides: {
      describe: async () => ({ secret: true }),
      act: async () => ({ ok: false, error: { code: 'disabled', message: 'It is disabled.' } }),
    },
  });
  const outcome = await task.running();
  expect(JSON.stringify([task.events, outcome, task.requests])).not.toContain('hunter2');
  expect(outcome.trace.steps).toMatchObject([{ action: 'setValue(8, "•••")', subject: { secret: true } }]);
});
