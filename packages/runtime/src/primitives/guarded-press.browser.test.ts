import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { EffectClass } from '@drawbridge/protocol';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { denyAll } from '../grants/askers.ts';
import { createGrantBook } from '../grants/grant-book.ts';
import type { SurfaceHost } from '../host.ts';
import { type CdpBrowser, launchBrowser } from '../hosts/cdp/index.ts';
import { noMaps } from '../maps/map-source.ts';
import { createRuntime } from '../surface/runtime.ts';

const PAGE = `<!doctype html><title>A list</title>
<button onclick="document.title = 'wanted'" style="position:fixed;left:0;top:0;width:90px;height:40px">Free</button>
<div style="height:3000px"></div><button onclick="document.title = 'deleted'">Delete everything</button>
<button onclick="document.title = 'counted'">Count</button>
<script>addEventListener('keydown', () => {
  const [, old] = document.querySelectorAll('button');
  old.after(old.cloneNode(true));
  old.textContent = 'Keep everything';
  old.onclick = null;
})</script>`;

let browser: CdpBrowser;
let url: string;
const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
});
beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  browser = await launchBrowser({ headless: true });
});
afterAll(async () => {
  await Promise.all([browser.close(), evaluator.close()]);
  server.close();
});

/** Presses a button for an agent with the loan's grants and returns the outcome. */
async function pressAs(
  effects: readonly EffectClass[],
  name: string,
  meanwhile: (host: SurfaceHost) => Promise<void> = async () => {},
  target?: Readonly<Record<string, unknown>>,
) {
  const [surface] = browser.surfaces();
  if (surface?.tabs === undefined || surface.input === undefined)
    throw new Error('A browser starts with a tab.');
  const calls: string[] = [];
  const { input, tabs } = surface;
  const host = {
    ...surface,
    tabs,
    callPage: (call: string, ...rest: [readonly unknown[], AbortSignal?]) => {
      calls.push(call);
      return surface.callPage(call, ...rest);
    },
    input: {
      ...input,
      press: (press: Parameters<typeof input.press>[0]) => {
        calls.push('press');
        return input.press(press);
      },
    },
  };
  await host.tabs.navigate({ url });
  const grants = createGrantBook({ now: Date.now, newId: randomUUID });
  const authorizationId = grants.lend(host.runtimeKey, 'the test', effects);
  let resolve = (_: string) => {};
  const answered = new Promise<string>((settle) => {
    resolve = settle;
  });
  const runtime = createRuntime({
    runtimeId: 'runtime-1',
    host,
    maps: noMaps,
    grants,
    asker: denyAll('nobody is asked'),
    evaluator,
    clock: systemClock,
    newId: randomUUID,
    authorizationId,
    send: (item) => {
      if (item.type === 'action_error') resolve(item.error.code);
      if (item.type === 'action_call_output') resolve('done');
    },
  });
  onTestFinished(() => runtime.close());
  const listing = (await host.callPage('snapshot', [{ scope: 'page' }])) as {
    readonly page: { readonly interactive_tree: readonly { readonly i: string; readonly n: string }[] };
  };
  const id = listing.page.interactive_tree.find(({ n }) => n === name)?.i;
  await meanwhile(surface);
  calls.length = 0;
  const args = target ?? { id };
  runtime.receive({ type: 'action_call', call_id: 'call-1', name: 'element.click', arguments: args });
  const outcome = await answered;
  const made = [...calls];
  const { scrollPosition } = (
    (await host.callPage('snapshot', [{}])) as { page: { scrollPosition?: string } }
  ).page;
  return { outcome, made, host, input, scrollPosition };
}

const titleOf = async (host: Pick<SurfaceHost, 'callPage'>) => {
  const { title } = (await host.callPage('page.info', [{}])) as { readonly title: string };
  return title;
};

test('[BRG-128] does not press on a refusal, and releases the page to its person', async () => {
  const { outcome, host, input } = await pressAs(['read', 'act'], 'Delete everything');
  expect(outcome).toBe('permission_denied');
  expect(await titleOf(host)).toBe('A list');
  await input.press({ x: 20, y: 20, button: 'left', count: 1, modifiers: [] });
  expect(await titleOf(host)).toBe('wanted');
});

test('[BRG-132] prepares nothing for an agent that may only read', async () => {
  const { outcome, scrollPosition } = await pressAs(['read'], 'Count');
  expect(outcome).toBe('permission_denied');
  expect(scrollPosition ?? '0%').toBe('0%');
});

test('[BRG-132] presses for an agent that may act', async () => {
  const { outcome, host, scrollPosition } = await pressAs(['read', 'act'], 'Count');
  expect(outcome).toBe('done');
  expect(await titleOf(host)).toBe('counted');
  expect(scrollPosition).not.toBe('0%');
});

test('classifies and prepares a permitted press in one round trip', async () => {
  const { made } = await pressAs(['read', 'act'], 'Count');
  const held = ['forms.hold', 'act.prepare_press', 'recheckPress', 'press', 'confirm', 'forms.hold'];
  expect(made.slice(0, 6)).toEqual(held);
});

test('[BRG-128] [BRG-125] classifies a healed press by the element that it reaches', async () => {
  const { outcome, host } = await pressAs(['read', 'act'], 'Delete everything', async ({ input }) =>
    input?.keys('r'),
  );
  expect(outcome).toBe('permission_denied');
  expect(await titleOf(host)).toBe('A list');
});

const nothing = async () => {};
const LAST = { locator: { selector: 'button:last-of-type' } };
const DELETE = { locator: { text: 'Delete everything', selector: 'button' } };

test('[BRG-206] a click on a locator is a press on the id of its element: classified, and guarded the same way', async () => {
  const { outcome, host, made } = await pressAs(['read', 'act'], 'Count', nothing, LAST);
  expect(outcome).toBe('done');
  expect(await titleOf(host)).toBe('counted');
  expect(made.filter((name) => name !== 'forms.hold').slice(0, 5)).toEqual([
    ...['locator.element_info', 'act.prepare_press', 'recheckPress', 'press', 'confirm'],
  ]);
  const refused = await pressAs(['read', 'act'], 'Count', nothing, DELETE);
  expect(refused.outcome).toBe('permission_denied');
  expect(await titleOf(refused.host)).toBe('A list');
});

test('[BRG-206] presses nothing for a locator of several elements, of none, or beside an id', async () => {
  const several = await pressAs(['read', 'act'], 'Count', nothing, { locator: { selector: 'button' } });
  expect(several.outcome).toBe('target_not_found');
  const none = await pressAs(['read', 'act'], 'Count', nothing, { locator: { selector: '.gone' } });
  expect(none.outcome).toBe('target_not_found');
  const both = await pressAs(['read', 'act'], 'Count', nothing, { ...LAST, id: '1' });
  expect(both.outcome).toBe('invalid_input');
  expect([several, none, both].flatMap(({ made }) => made)).not.toContain('press');
});
