import { expect, test } from 'vitest';
import { CLICK, FIRST, startInteract } from '../../test/interact/interact-harness.ts';
import { createSkeletonMaker } from './page-skeleton.ts';
import { modeOf } from './prepared-request.ts';

const at = { url: 'https://shop.example/', query: 'Press the button' };
const tree = { interactiveTree: [{ i: '1', r: 'btn', n: 'Buy' }] };
const nodes = { semanticNodes: [{ id: '1', role: 'button', name: 'Buy' }] };
const dom = { dom: '<button data-llm-id="1">Buy</button>' };
const skeleton = { skeletonDom: '<button id="1">Buy</button>' };

test.each([
  ['semantic', tree, false],
  ['semantic', nodes, false],
  ['semantic', { ...tree, ...dom, ...skeleton }, true],
  ['hybrid', skeleton, true],
  ['hybrid', { ...skeleton, ...dom }, true],
  ['skeleton', skeleton, false],
  ['full', dom, false],
  ['full', dom, true],
] as const)('[INT-27] without domMode it is %s by what it carries', (mode, carried, hasScreenshot) => {
  expect(modeOf({ ...at, ...structuredClone(carried) }, hasScreenshot)).toBe(mode);
});

test('[INT-115] [INT-116] domMode is a hint: with a screenshot, and only then, a visual query is handled in hybrid', () => {
  const visual = { ...at, query: 'Press the gear icon', ...skeleton };
  for (const domMode of ['semantic', 'skeleton', 'full'] as const) {
    expect(modeOf({ ...visual, domMode }, true)).toBe('hybrid');
    expect(modeOf({ ...visual, domMode }, false)).toBe(domMode);
  }
  expect(modeOf({ ...at, ...skeleton, domMode: 'skeleton' }, true)).toBe('skeleton');
});

const noTimer = { after: () => () => {} };

test('[INT-118] [INT-119] makes a skeleton from a DOM by the rules of the page code, with the ids of the client', async () => {
  const made = await createSkeletonMaker(
    noTimer,
  )(`<html><head><style>a{}</style><link rel="stylesheet" href="x"></head>
    <body class="b"><div id="wrap"><a href="/home" class="link" data-llm-id="4" data-track="x">Home <svg><path d="M0"/></svg></a>
    <input type="text" name="q" value="hi" placeholder="Search" aria-label="Find" data-llm-id="6" style="color:red">
    <input type="hidden" name="csrf" value="token" data-llm-id="7">
    <input type="password" name="pw" value="hunter2hunter2" data-llm-id="8">
    <textarea data-llm-id="9">note</textarea><select data-llm-id="10"><option>a<option>b</select>
    <div role="button" data-llm-id="11">Go</div><span onclick="x()" data-llm-id="12" data-testid="t">Act</span>
    <p tabindex="0" data-llm-id="13">Focus</p><p tabindex="-1" data-llm-id="14">Not</p>
    <button hidden data-llm-id="15">Hidden</button><div style="display:none"><button data-llm-id="16">Gone</button></div>
    <button aria-label="Close" data-llm-id="17"><svg></svg></button><button id="own">Own</button>
    <script>steal()</script><noscript><a href="/no">no</a></noscript></div></body></html>`);
  expect(made?.split('\n')).toEqual([
    '<a id="4" href="/home">Home</a>',
    '<input id="6" name="q" type="text" value="hi" placeholder="Search" aria-label="Find">',
    '<input id="8" name="pw" type="password">',
    '<textarea id="9">note</textarea>',
    '<select id="10"><option>a</option><option>b</option></select>',
    '<div id="11" role="button">Go</div>',
    '<span id="12" data-testid="t">Act</span>',
    '<p id="13">Focus</p>',
    '<button id="17" aria-label="Close"></button>',
    '<button id="own">Own</button>',
  ]);
});

test('[INT-118] leaves a DOM that is too large or too slow unchanged', async () => {
  const make = createSkeletonMaker(noTimer);
  expect(await make(`<button>${'x'.repeat(200_000)}</button>`)).toBeUndefined();
  const impatient = createSkeletonMaker({
    after: (_, run) => {
      run();
      return () => {};
    },
  });
  expect(await impatient('<button data-llm-id="1">Buy</button>')).toBeUndefined();
  expect(await make('<a href="/one" id="a">One</a><button id="b">Two</button>')).toContain(
    '<button id="b">Two</button>',
  );
  expect(await make('<<<not <html ')).toBeUndefined();
});

test('[INT-118] [INT-280] [INT-281] [INT-104] [INT-105] [INT-258] [INT-259] every mode is served in the same form, and the brain gets the page as sent', async () => {
  const { call, brain } = await startInteract();
  for (const [sent, got] of [
    [dom, { domMode: 'full', ...dom }],
    [
      { ...dom, domMode: 'full' },
      { domMode: 'full', ...dom },
    ],
    [
      { ...dom, domMode: 'skeleton' },
      { domMode: 'skeleton', ...dom, ...skeleton },
    ],
    [
      { ...dom, domMode: 'hybrid', screenshot: 'AAAA' },
      { domMode: 'hybrid', ...skeleton, screenshot: 'AAAA' },
    ],
    [
      { ...skeleton, domMode: 'skeleton' },
      { domMode: 'skeleton', ...skeleton },
    ],
    [
      { ...tree, ...skeleton, domMode: 'semantic', screenshot: 'AAAA' },
      { ...tree, ...skeleton, screenshot: 'AAAA' },
    ],
    [
      { ...skeleton, domMode: 'hybrid', screenshot: 'AAAA' },
      { ...skeleton, screenshot: 'AAAA' },
    ],
    [{ ...nodes, domMode: 'semantic' }, nodes],
    [
      { semanticNodes: [], ...dom, domMode: 'semantic' },
      { semanticNodes: [], ...dom },
    ],
  ] as const) {
    const { status, body } = await call({ ...at, ...sent });
    expect([status, Object.keys(body.data).sort()]).toEqual([
      200,
      [...Object.keys(CLICK), 'sessionId', 'taskId'].sort(),
    ]);
    expect(brain.inputs.at(-1)?.request).toMatchObject(got);
  }
});

test('[INT-271] [INT-06] a null screenshot means the last one of the task, or none before the first', async () => {
  const { call, brain, relay, device } = await startInteract();
  const shots = () => brain.inputs.map(({ request }) => request.screenshot);
  const { taskId } = (await call({ ...FIRST, screenshot: null })).body.data;
  await call({ ...FIRST, taskId, screenshot: 'AAAA' });
  await call({ ...FIRST, taskId, screenshot: null });
  const again = await relay.restart();
  await fetch(`${again.url}/api/agent/interact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}` },
    body: JSON.stringify({ ...FIRST, taskId, screenshot: null, pageTitle: 'x' }),
  });
  expect(shots()).toEqual([undefined, 'AAAA', 'AAAA', 'AAAA']);
});

test('[INT-279] the value of a password field reaches no brain, no row and no log', async () => {
  const { call, brain, relay } = await startInteract();
  const secret = 'correct-horse-battery';
  const html = `<form><input type="password" value="${secret}" data-llm-id="3"></form>`;
  const body = {
    ...FIRST,
    semanticNodes: [{ id: '3', role: 'textbox', name: 'Password', type: 'password', value: secret }],
    dom: html,
    skeletonDom: html,
  };
  const { taskId, sessionId } = (await call(body)).body.data;
  await call({ ...body, taskId, domMode: 'hybrid' });
  expect(JSON.stringify(brain.inputs)).not.toContain(secret);
  expect(JSON.stringify(await relay.ledger.task(taskId))).not.toContain(secret);
  expect(JSON.stringify(await relay.ledger.eventsAfter(sessionId, 0, 99))).not.toContain(secret);
  expect(relay.lines.join('\n')).not.toContain(secret);
});

test('[INT-279] refuses a page with more secrets than can be searched for', async () => {
  const { call } = await startInteract();
  const field = (value: string) => `<input type=password value="${value}">`;
  const many = Array.from({ length: 101 }, (_, index) => field(`secret-${index}`)).join('');
  expect(await call({ ...FIRST, dom: many })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: expect.stringContaining('more than 100 different values') },
  });
  expect(await call({ ...FIRST, dom: field('the same').repeat(1_000) })).toMatchObject({ status: 200 });
});
