import { PageLeft } from '@drawbridge/manifest';
import { expect, test } from 'vitest';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { HOME, idOf, openTabs, pointOn } from '../../test/primitives/primitive-harness.ts';
import { asRunPrimitive } from './run-primitive.ts';

const tabs = openTabs();
const NEXT_URL = `${HOME}next`;

test('reports the destination of a press at a point that navigates, and readies the next document', async () => {
  const harness = await drivenHarness(await tabs.show());
  const pressed = await harness.run('pointer.click', await pointOn(harness, '#away'));
  expect(pressed.left).toEqual({ navigation: 'document', from: HOME, to: NEXT_URL, arrived: true });
  expect(await harness.run('locator.text_content', { locator: { selector: '#there' } })).toMatchObject({
    text: 'There',
  });
});

test('reports the navigation as the effect of an action by id', async () => {
  const harness = await drivenHarness(await tabs.show());
  const acted = await harness.run('element.click', { id: await idOf(harness, 'Next page') });
  expect(acted).toMatchObject({
    action: 'click',
    fidelity: 'trusted',
    verification_passed: true,
    effect: { navigation: 'document', url: { from: HOME, to: NEXT_URL } },
  });
  expect((await harness.run('page.info', {})).title).toBe('Next');
});

test('succeeds when the page leaves before it reports the effect of a press', async () => {
  const harness = await drivenHarness(await tabs.show());
  const { callPage } = harness.host;
  const host = {
    ...harness.host,
    // The new document loads before the old one could answer.
    callPage: async (name: string, args: readonly unknown[]) => {
      if (name === 'confirm') await harness.tab.waitForURL(NEXT_URL);
      return callPage(name, args);
    },
  };
  const id = await idOf(harness, 'Next page');
  const output = await asRunPrimitive({ ...harness.context, host })(
    'element.click',
    { id },
    new AbortController().signal,
  );
  expect(output).toBeInstanceOf(PageLeft);
  expect(output).toMatchObject({ output: { effect: { navigation: 'document', url: { to: NEXT_URL } } } });
});

test('sees a form sent by a key leave the page', async () => {
  const html = '<form action="/next"><input id="q" name="q" aria-label="Query"></form>';
  const harness = await drivenHarness(await tabs.show(html));
  await harness.run('dom.focus', { locator: { selector: '#q' } });
  const { left } = await harness.run('keyboard.press', { key: 'Enter' });
  expect(left).toMatchObject({ to: `${NEXT_URL}?q=`, arrived: true });
});

test('continues a wait in the next document', async () => {
  const harness = await drivenHarness(await tabs.show());
  const waiting = harness.run('locator.wait_for', { locator: { selector: '#there' }, timeout_ms: 10_000 });
  const reading = harness.run('page.wait', { for: 'url', url_contains: '/next' });
  await harness.tab.evaluate(() => document.querySelector<HTMLElement>('#away')?.click());
  expect(await waiting).toMatchObject({ matched: true });
  expect(await reading).toMatchObject({ url: NEXT_URL });
});

test("reports to the workflow engine that the page left, with the primitive's output", async () => {
  const harness = await drivenHarness(await tabs.show());
  const run = asRunPrimitive(harness.context);
  const { signal } = new AbortController();
  expect(await run('page.info', {}, signal)).toEqual({ url: HOME, title: 'Garden' });
  const left = await run('pointer.click', await pointOn(harness, '#away'), signal);
  expect(left).toBeInstanceOf(PageLeft);
  expect(left).toMatchObject({ output: { clicked: true, left: { to: NEXT_URL } } });
  await expect(run('pointer.click', { x: 1 }, signal)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('does not treat a fragment link as leaving', async () => {
  const harness = await drivenHarness(
    await tabs.show('<a id="here" href="#part">Part</a><p id="part">Part</p>'),
  );
  const pressed = await harness.run('pointer.click', await pointOn(harness, '#here'));
  expect(pressed.left).toBeUndefined();
  expect((await harness.run('page.info', {})).url).toBe(`${HOME}#part`);
});

test('does not treat a download as leaving, in its own press or in the next', async () => {
  const html = '<a id="plan" href="/plan.pdf">Plan</a><button id="stay">Stay</button>';
  const harness = await drivenHarness(await tabs.show(html));
  expect((await harness.run('pointer.click', await pointOn(harness, '#plan'))).left).toBeUndefined();
  expect((await harness.run('pointer.click', await pointOn(harness, '#stay'))).left).toBeUndefined();
});
