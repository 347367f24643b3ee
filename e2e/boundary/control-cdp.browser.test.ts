import { createServer } from 'node:http';
import { connectChat } from '@drawbridge/link/chat';
import { attachBrowser } from '@drawbridge/runtime/cdp';
import { listenOnLoopback, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type ControlHarness,
  FETCH_FAILED,
  FETCH_REFUSED,
  known,
  RELAY_TEXT,
  startControlHarness,
} from './control-harness.ts';

let harness: ControlHarness;
beforeAll(async () => {
  harness = await startControlHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const REFUSED = { code: 'permission_denied', evidence: { reason: 'control_plane' } };

/** Addresses by which a page of the relay can be reached. */
const addresses = (): readonly string[] => [
  `http://127.0.0.1:${harness.relay.port}/`,
  `http://localhost:${harness.relay.port}/`,
  `http://[::1]:${harness.relay.port}/`,
  `http://127.0.0.2:${harness.relay.port}/`,
  `http://app.localhost:${harness.relay.port}/`,
  `http://drawbridge.localhost:${harness.relay.port}/`,
  `http://drawbridge.localhost:${harness.site.port}/`,
];

/** Expects that the agent has no tab of the relay, and at least one other. */
async function expectOnlyTheSite(): Promise<void> {
  const { agent, site } = harness;
  await known(agent.bridge, () => true);
  const { tabs } = Object(await agent.call('browser.claimed_tabs.list', {}, { runtime_id: anyRuntime() }));
  for (const tab of tabs)
    expect([`http://127.0.0.1:${site.port}`, 'null']).toContain(new URL(tab.url).origin);
}

const anyRuntime = (): string => harness.agent.bridge.runtimes()[0]?.runtime_id ?? '';

describe("[BRG-173] with only an agent's token", () => {
  test('no tab is opened at or sent to the relay, under any of its names', async () => {
    const { agent, site } = harness;
    const runtime_id = await agent.openTab(`${site.url}/`);
    for (const url of [...addresses(), `${harness.relay.url}/api/me`, `${harness.relay.url}/devices`]) {
      await expect(agent.call('browser.open_tab', { url }, { runtime_id }), url).rejects.toMatchObject(
        REFUSED,
      );
      await expect(agent.call('browser.navigate', { url }, { runtime_id }), url).rejects.toMatchObject(
        REFUSED,
      );
    }
    // The tab that asked is unchanged.
    expect(await agent.call('page.info', {}, { runtime_id })).toMatchObject({ url: `${site.url}/` });
    await expectOnlyTheSite();
  });

  test('a tab that is redirected to the relay is given back before any answer', async () => {
    const { agent, site } = harness;
    for (const to of addresses()) {
      const runtime_id = await agent.openTab(`${site.url}/`);
      const url = `${site.url}/redirect?to=${encodeURIComponent(to)}`;
      await expect(agent.call('browser.navigate', { url }, { runtime_id }), to).rejects.toMatchObject(
        REFUSED,
      );
      await expect(agent.call('page.info', {}, { runtime_id }), to).rejects.toThrow();
    }
    const opener = await agent.openTab(`${site.url}/`);
    const url = `${site.url}/redirect`;
    await expect(agent.call('browser.open_tab', { url }, { runtime_id: opener })).rejects.toMatchObject(
      REFUSED,
    );
    await expectOnlyTheSite();
  });

  test.each(['link', 'form', 'script'])(
    'a press on a %s that leads to the relay gives the tab back',
    async (kind) => {
      const { agent, site, relay } = harness;
      const runtime_id = await agent.openTab(`${site.url}/${kind}`);
      const { nodes } = await findGo(runtime_id);
      const pressed = agent
        .call('element.click', { id: nodes }, { runtime_id })
        .catch((error: unknown) => error);
      const told = JSON.stringify(await pressed);
      expect(told).not.toContain('Drawbridge');
      expect(told).not.toContain(`:${relay.port}`);
      await expect
        .poll(() => agent.call('page.snapshot', {}, { runtime_id }).then(JSON.stringify, ({ code }) => code))
        .toMatch(/^(?:permission_denied|runtime_not_ready|runtime_not_found)$/);
      await expectOnlyTheSite();
    },
  );

  test('a window that a lent page opens at the relay is not lent', async () => {
    const { agent, site, browser, relay } = harness;
    const runtime_id = await agent.openTab(
      `${site.url}/popup?to=${encodeURIComponent(`${relay.url}/?popup`)}`,
    );
    const { nodes } = await findGo(runtime_id);
    await agent.call('element.click', { id: nodes }, { runtime_id });
    // The window exists in the browser but not for the agent.
    await expect
      .poll(() =>
        browser
          .knownTabs()
          .filter(({ url }) => url === `${relay.url}/?popup`)
          .map(({ lent }) => lent),
      )
      .toEqual([false]);
    await expectOnlyTheSite();
    const told = JSON.stringify(agent.bridge.runtimes());
    expect(told).not.toContain(`:${harness.relay.port}`);
  });

  test('page.fetch of the relay is refused, directly and after a redirect', async () => {
    const { agent, site } = harness;
    const runtime_id = await agent.openTab(`${site.url}/`);
    const fetched = (url: string) => agent.call('page.fetch', { url }, { runtime_id });
    for (const to of addresses()) {
      const me = `${to}api/me`;
      await expect(fetched(me), me).rejects.toMatchObject(FETCH_REFUSED);
      const redirected = `${site.url}/redirect?to=${encodeURIComponent(me)}`;
      await expect(fetched(redirected), me).rejects.toMatchObject(FETCH_FAILED);
    }
    expect(await fetched(`${site.url}/`)).toMatchObject({ status: 200 });
  });

  test('a frame of the relay shows nothing of it, in text or picture', async () => {
    const { agent, site } = harness;
    for (const to of sampled(addresses(), 3)) {
      const runtime_id = await agent.openTab(`${site.url}/frame?to=${encodeURIComponent(to)}`);
      const text = JSON.stringify([
        await agent.call('page.snapshot', {}, { runtime_id }),
        await agent.call('page.read', {}, { runtime_id }),
      ]);
      expect(text, to).toContain('Frame');
      expect(text, to).not.toMatch(RELAY_TEXT);
      const picture = () => agent.call('browser.screenshot', {}, { runtime_id });
      // The relay forbids framing; another server under its name does not, once the frame has loaded.
      if (to === `http://drawbridge.localhost:${site.port}/`)
        await expect.poll(() => picture().catch((error: unknown) => error)).toMatchObject(REFUSED);
      else await picture().catch((error: unknown) => expect(error).toMatchObject(REFUSED));
      await agent.call('browser.close_tab', {}, { runtime_id });
    }
  });

  test('the tab in which the person opened a pairing link cannot be lent', async () => {
    const { agent, relay, browser, person } = harness;
    const { pair_path } = await relay.devices.invitations.create({
      ...{ roles: ['owner'], scopes: [], label: 'The person', by: 'machine' },
    });
    const target = await person.open(`${relay.url}${pair_path}`);
    // The person is signed in, and the agent has no access.
    await expect
      .poll(async () => (await relay.devices.list()).some(({ roles }) => roles.includes('owner')))
      .toBe(true);
    await expect
      .poll(() => browser.knownTabs().find(({ target_id }) => target_id === target)?.lent)
      .toBe(false);
    await expectOnlyTheSite();
    expect(JSON.stringify(agent.bridge.runtimes())).not.toContain(`:${relay.port}`);
  });

  test('going back to the relay in the history of a lent tab is refused', async () => {
    const { relay, site, person, browser, agent } = harness;
    const target = await person.open(`${relay.url}/?back`);
    const at = () => browser.knownTabs().find(({ target_id }) => target_id === target)?.url;
    await expect.poll(at).toBe(`${relay.url}/?back`);
    const { sessionId } = await person.send('Target.attachToTarget', { targetId: target, flatten: true });
    // The browser names the address of a new tab before its document is there, which then leaves no history.
    const shown = () => person.send('Runtime.evaluate', { expression: 'location.href' }, sessionId);
    await expect.poll(shown).toMatchObject({ result: { value: `${relay.url}/?back` } });
    await person.send('Page.navigate', { url: `${site.url}/?after` }, sessionId);
    await expect.poll(at).toBe(`${site.url}/?after`);
    const lent = await harness.browser.lend(target);
    const { runtime_id } = await known(agent.bridge, ({ runtime_key }) => runtime_key === lent.runtimeKey);
    await expect(agent.call('browser.navigate', { back: true }, { runtime_id })).rejects.toMatchObject(
      REFUSED,
    );
    await expectOnlyTheSite();
  });

  test('[BRG-174] a page that declares itself a relay’s is given back even at an unknown address', async () => {
    const { agent, site } = harness;
    const runtime_id = await agent.openTab(`${site.url}/`);
    const url = `${site.url}/declared`;
    await expect(agent.call('browser.navigate', { url }, { runtime_id })).rejects.toMatchObject(REFUSED);
  });

  test('[BRG-174] page code answers nothing once the page declares itself', async () => {
    const { agent, site } = harness;
    const runtime_id = await agent.openTab(`${site.url}/late`);
    const { nodes } = await findGo(runtime_id);
    await agent.call('element.click', { id: nodes }, { runtime_id }).catch(() => undefined);
    await expect(agent.call('page.snapshot', {}, { runtime_id })).rejects.toMatchObject(REFUSED);
  });
});

/** Id of the only pressable element. */
async function findGo(runtime_id: string): Promise<{ readonly nodes: string }> {
  const { agent } = harness;
  const snapshot: unknown = await agent.call('page.snapshot', {}, { runtime_id });
  const found = /"i":"?([\w-]+)"?[^{}]*"n":"(?:Next page|More)"/.exec(JSON.stringify(snapshot));
  if (found?.[1] === undefined) throw new Error(JSON.stringify(snapshot).slice(0, 500));
  return { nodes: found[1] };
}

describe('a browser that somebody else started', () => {
  test('lends no tab of the relay, even when a person names it', async () => {
    const { relay, endpoint, person } = harness;
    await person.open(`${relay.url}/?mine`);
    const { createControlPlane } = await import('@drawbridge/runtime');
    const controlPlane = createControlPlane([`127.0.0.1:${relay.port}`]);
    const attached = await attachBrowser({ endpoint, controlPlane });
    onTestFinished(() => attached.close());
    const own = () => attached.knownTabs().find(({ url }) => url === `${relay.url}/?mine`);
    await expect.poll(own).toBeDefined();
    await expect(attached.lend(own()?.target_id ?? '')).rejects.toMatchObject(REFUSED);
    expect(attached.surfaces()).toEqual([]);
  });
});

test("[BRG-175] an agent's task asks before a private address; a person’s own task goes there", async () => {
  const { relay } = harness;
  const visits: string[] = [];
  const router = createServer(({ url = '' }, response) => {
    visits.push(url);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Router</title><h1>Admin 4711</h1>');
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(router)}`;
  onTestFinished(() => void router.close());
  const mint = async (role: 'agent' | 'person') =>
    (await relay.devices.mint({ roles: [role], label: role, by: 'machine' })).token;
  const [agent, person] = [await mint('agent'), await mint('person')];
  const phone = connectChat({
    ...{ url: `${relay.url.replace('http', 'ws')}/ws/chat`, token: person },
    ...{ peer_role: 'browser', client_name: 'test' },
  });
  onTestFinished(phone.close);
  const prompts: string[] = [];
  phone.onEvent((event) => {
    if (event.type !== 'permission_prompt') return;
    const { session_id, prompt_id, prompt_text } = event;
    prompts.push(prompt_text);
    const choice_id = 'deny';
    // The link may be closed before the answer is stored.
    phone.request({ type: 'permission_response', session_id, prompt_id, choice_id }).catch(() => undefined);
  });
  const send = async (token: string, path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'Read the page', url: `${origin}${path}` });
    const answer = await fetch(`${relay.url}/api/tasks`, { method: 'POST', headers, body });
    const { task_id } = Object(await answer.json());
    const events = await fetch(`${relay.url}/api/tasks/${task_id}/events`, { headers });
    // The stream ends with the task.
    await events.text();
  };
  await send(agent, '/by-agent');
  expect(prompts.length).toBeGreaterThan(0);
  expect(prompts.join()).toContain('in your own network');
  expect(visits).toEqual([]);
  prompts.length = 0;
  await send(person, '/by-person');
  expect(visits).toContain('/by-person');
  expect(prompts).toEqual([]);
}, 60_000);
