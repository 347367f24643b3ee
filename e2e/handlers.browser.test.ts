import type { Handler } from '@drawbridge/manifest';
import { BridgeError } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

/** The page defines functions with the names of the map's handlers. */
const PAGE = `<title>Handlers</title><p id=ran>Nothing ran</p><script>
  const run = () => { ran.textContent = 'The page ran it'; };
  window.site = { echo: run, fail: run, refuse: run, absent: run };
  for (const name of ['echo', 'fail', 'refuse', 'absent']) window['site.' + name] = run;
</script>`;

const HANDLERS = new Map<string, Handler>([
  ['site.echo', async (input) => input],
  [
    'site.fail',
    async () => {
      throw new TypeError('the password is hunter2');
    },
  ],
  [
    'site.refuse',
    async () => {
      throw new BridgeError('unsafe_state', 'The vault is open. Close it first.', { evidence: { vault: 1 } });
    },
  ],
]);

const TOOLS = ['echo', 'fail', 'refuse', 'absent'].map((name) => ({
  name: `site.${name}`,
  description: 'Runs what is registered.',
  input_schema: { type: 'object' },
  x_actions: { handler: `site.${name}`, effect: 'act' },
}));

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
beforeAll(async () => {
  site = await startSite({ '/': PAGE });
  harness = await startBrowserHarness({
    maps: singleMap({ protocol: 'actions.json', version: 1, tools: TOOLS }),
    handlers: HANDLERS,
  });
  await harness.goto(`${site.url}/`);
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test('a registered handler answers the call', async () => {
  expect(await harness.call('site.echo', { text: 'back' })).toEqual({ text: 'back' });
});

test('[BRG-84] a handler that throws is reported as handler_failed, with its name and without its message', async () => {
  await expect(harness.call('site.fail', {}, { call_id: 'call-fail' })).rejects.toMatchObject({
    code: 'handler_failed',
    evidence: { handler: 'site.fail' },
  });
  const answers = harness.answered.filter((item) => 'call_id' in item && item.call_id === 'call-fail');
  expect(answers.map(({ type }) => type)).toEqual(['action_error']);
  expect(JSON.stringify(answers)).not.toContain('hunter2');
});

test('a handler that throws a coded error keeps its code', async () => {
  await expect(harness.call('site.refuse')).rejects.toMatchObject({
    code: 'unsafe_state',
    evidence: { vault: 1 },
  });
});

test('[BRG-83] an unregistered handler is missing, even if the page defines a function of that name', async () => {
  await expect(harness.call('site.absent')).rejects.toMatchObject({
    code: 'missing_handler',
    evidence: { handler: 'site.absent' },
  });
  expect(await harness.call('page.read')).toMatchObject({ text: expect.stringContaining('Nothing ran') });
});
