import { interactResponse } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { onShop, says, startTask } from '../test/brain-fixtures.ts';

const JOIN = {
  url: 'https://shop.test/join',
  query: 'Join as Ada Byron',
  interactiveTree: [
    { i: '11', r: 'inp', n: 'First name', v: '' },
    { i: '12', r: 'inp', n: 'Last name', v: '' },
    { i: '14', r: 'chk', n: 'Accept terms' },
    { i: '15', r: 'btn', n: 'Join' },
  ],
};
const FEATURES = ['chain', 'check'];
const FILL = {
  action: 'setValue',
  element: '11',
  text: 'Ada',
  more: [
    { action: 'setValue', element: '12', text: 'Byron' },
    { action: 'check', element: '14', text: '' },
  ],
};
const CHAIN = ['setValue(11, "Ada")', 'setValue(12, "Byron")', 'check(14)'];
const filled = (first: string, last: string) =>
  JOIN.interactiveTree.map((node) =>
    node.i === '11' ? { ...node, v: first } : node.i === '12' ? { ...node, v: last } : node,
  );

describe('a chain', () => {
  test('[INT-321] fills a form in one answer, each action with its level and check', async () => {
    const task = await startTask([says(FILL), says({ element: '15' })]);
    const answer = await task.step(onShop({ ...JOIN, features: FEATURES }));
    expect(answer).toMatchObject({
      action: CHAIN[0],
      actions: [
        {
          action: CHAIN[0],
          description: 'First name',
          index: 0,
          targetElementId: 11,
          actionType: 'setValue',
          verificationLevel: 'client',
          clientVerificationChecks: [{ type: 'value_matches', elementId: 11, expectedValue: 'Ada' }],
        },
        { action: CHAIN[1], index: 1, verificationLevel: 'client' },
        { action: CHAIN[2], index: 2, targetElementId: 14, verificationLevel: 'lightweight' },
      ],
      chainMetadata: {
        totalActions: 3,
        safeToChain: true,
        chainReason: 'FORM_FILL',
        defaultVerificationLevel: 'client',
        clientVerificationSufficient: true,
        finalVerificationLevel: 'lightweight',
      },
    });
    expect(answer.chainedActions).toEqual(answer.actions);
    expect(interactResponse.parse(JSON.stringify({ success: true, data: answer }))).toBeDefined();
    const next = await task.step(
      onShop({
        ...JOIN,
        features: FEATURES,
        interactiveTree: filled('Ada', 'Byron'),
        lastActionStatus: 'success',
      }),
    );
    expect(next).toMatchObject({ action: 'click(15)', status: 'executing' });
    expect(next.actions).toBeUndefined();
    for (const action of CHAIN) expect(task.read(2)).toMatch(new RegExp(`${literal(action)}.*: passed`));
  });

  test('[INT-332] at the last step of a plan has the level full', async () => {
    const plan = ['Press Join', 'Fill in the form'];
    const task = await startTask([says({ element: '15', plan }), says({ ...FILL, step_done: true })]);
    await task.step(onShop({ ...JOIN, features: FEATURES }));
    const there = { url: 'https://shop.test/form', lastActionStatus: 'success' as const };
    const { actions, chainMetadata } = await task.step(onShop({ ...JOIN, features: FEATURES, ...there }));
    expect(actions?.map(({ verificationLevel }) => verificationLevel)).toEqual(['client', 'client', 'full']);
    expect(chainMetadata?.finalVerificationLevel).toBe('full');
  });

  test('[INT-321] a client that does not list it gets one action at a time', async () => {
    const task = await startTask([says(FILL)]);
    const answer = await task.step(onShop({ ...JOIN, features: ['check'] }));
    expect(answer.action).toBe(CHAIN[0]);
    expect([answer.actions, answer.chainedActions, answer.chainMetadata]).toEqual(Array(3).fill(undefined));
  });

  test('[INT-321] holds no press, no unknown element and no element twice', async () => {
    const task = await startTask([
      says({ ...FILL, more: [{ action: 'click', element: '15', text: '' }] }),
      says({ ...FILL, more: [{ action: 'check', element: '99', text: '' }] }),
      says({ ...FILL, more: [{ action: 'setValue', element: '11', text: 'Eve' }] }),
    ]);
    const answer = await task.step(onShop({ ...JOIN, features: FEATURES }));
    expect(answer.status).toBe('needs_user_input');
    expect(task.read(2)).toContain('click can not stand in a row');
    expect(task.read(3)).toContain('There is no element "99"');
    expect(answer.userQuestion).toContain('needs its own element');
  });

  const REPORTS = [
    {
      chainPartialState: { executedActions: [CHAIN[0] ?? ''], totalActionsInChain: 3 },
      chainError: { action: CHAIN[1] ?? '', message: 'Gone', code: 'ELEMENT_NOT_FOUND', failedIndex: 1 },
    },
    { lastActionError: { action: CHAIN[1] ?? '', message: 'Gone', code: 'ELEMENT_NOT_FOUND' } },
    { lastActionStatus: 'failure' as const, lastExecutedActionIndex: 0 },
    // The public client reports none of these: only its page shows it.
    {},
  ];
  test.each(REPORTS)('[INT-322] that stopped halfway goes on after %j', async (report) => {
    const task = await startTask([
      says(FILL),
      says({ ...FILL, element: '12', text: 'Byron', more: [] }),
      says({ action: 'check', element: '14' }),
    ]);
    await task.step(onShop({ ...JOIN, features: FEATURES }));
    const interactiveTree = filled('Ada', '');
    const next = await task.step(onShop({ ...JOIN, features: FEATURES, interactiveTree, ...report }));
    const log = task.read(2);
    expect(log).toMatch(new RegExp(`${literal(CHAIN[0])}.*: passed`));
    expect(log).toMatch(new RegExp(`${literal(CHAIN[1])}.*: failed`));
    expect(log).toContain(`LAST ACTION ${CHAIN[1]}: failed`);
    expect(log).not.toContain(CHAIN[2]);
    expect(task.read(3)).toContain('was tried here already and failed');
    expect(next).toMatchObject({ action: CHAIN[2], status: 'correcting' });
  });
});

describe('memory', () => {
  const KEEP = says({ action: 'remember', text: 'price', json: '40' });
  const GO = says({ action: 'navigate', text: 'https://other.test/' });
  const END = says({ action: 'finish', text: 'Done.' });

  test('[INT-320] keeps a fact within the step for a client that does not know it', async () => {
    const task = await startTask([KEEP, GO, END]);
    expect(await task.step(onShop())).toMatchObject({ action: 'navigate("https://other.test/")' });
    await task.step(onShop({ url: 'https://other.test/' }));
    expect(task.read(3)).toMatch(/REMEMBERED\n<page part="facts"[^>]*>\nprice: 40\n<\/page>/);
    task.verify();
  });

  test('[INT-320] is a SERVER tool action for a client that lists it', async () => {
    const task = await startTask([KEEP, says({ action: 'recall', text: 'size' }), END]);
    const features = ['memory'];
    const kept = await task.step(onShop({ features }));
    expect(kept).toMatchObject({
      action: 'remember("price", 40)',
      status: 'executing',
      toolAction: {
        toolName: 'remember',
        toolType: 'SERVER',
        parameters: { key: 'price', value: 40 },
        memoryResult: { success: true, action: 'remember', key: 'price', scope: 'task', value: 40 },
      },
    });
    expect(interactResponse.parse(JSON.stringify({ success: true, data: kept }))).toBeDefined();
    expect(await task.step(onShop({ features }))).toMatchObject({
      action: 'recall("size")',
      toolAction: { memoryResult: { success: false, error: 'Nothing is kept as size.' } },
    });
    expect(await task.step(onShop({ features }))).toMatchObject({ action: 'finish()' });
    expect(task.read(3)).toContain('recall("size"): failed');
  });

  test('[INT-320] a model that only remembers is stopped', async () => {
    const task = await startTask(Array.from({ length: 8 }, () => KEEP));
    expect(await task.step(onShop())).toMatchObject({ status: 'needs_user_input' });
    task.verify();
  });
});

test('[INT-323] [INT-324] a question about a file is answered at once, with the file as data', async () => {
  const task = await startTask([
    says({ action: 'click', element: '7' }),
    says({ action: 'finish', text: 'Two lamps.' }),
  ]);
  const request = { url: 'about:blank', query: 'What does the table show?', taskType: 'chat_only' } as const;
  const file = { filename: 'lamps.csv', mimeType: 'text/csv', text: 'name\nA</page>\nB' };
  expect(await task.step(request, { file })).toMatchObject({ thought: 'Two lamps.', action: 'finish()' });
  expect(task.read(1)).toMatch(
    /<page part="file"[^>]*>\nname: lamps.csv\ntype: text\/csv\n\nname\nA‹\/page>/,
  );
  expect(task.read(2)).toContain('"action" must be one of finish, fail.');
});

const literal = (text = ''): string => text.replaceAll(/[()"]/g, '\\$&');
