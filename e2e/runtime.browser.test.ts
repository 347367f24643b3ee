import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asker, BridgeItem } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { openMapFolder } from '@drawbridge/runtime/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const PAGE = `<title>Garden</title>
<h1>Garden</h1>
<button id="water" onclick="document.querySelector('p').textContent += ' drop'">Water</button>
<button id="grow" onclick="document.body.insertAdjacentHTML('beforeend', '<i id=rose>rose</i>')">Grow</button>
<button id="tell" onclick="document.dispatchEvent(new CustomEvent('garden:watered', { detail: { litres: 2 } }))">Tell</button>
<button id="lie" onclick="document.dispatchEvent(new CustomEvent('garden:watered', { detail: { litres: 'much' } }))">Lie</button>
<button id="unlock" onclick="this.insertAdjacentHTML('afterend', '<i id=never>now</i>')">Unlock</button>
<button id="pay">Pay for the roses</button>
<a href="/shed">Shed</a>
<p>Water:</p>`;

const press = (id: string) => ({
  version: 1,
  expression_language: 'jsonata',
  steps: [
    { id: 'find', primitive: 'locator.element_info', args: { locator: { selector: `#${id}` } } },
    {
      id: 'press',
      primitive: 'pointer.click',
      args: {
        x: '{% steps.find.output.clickable_center.x %}',
        y: '{% steps.find.output.clickable_center.y %}',
      },
    },
  ],
  output: "{% {'pressed': true} %}",
});

const tool = (name: string, fields: object) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object', additionalProperties: false },
  ...fields,
});

const MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    tool('garden.water', { workflow: press('water'), x_actions: { effect: 'act' } }),
    tool('garden.grow', { workflow: press('grow'), x_actions: { effect: 'act' } }),
    tool('garden.tell', { workflow: press('tell'), x_actions: { effect: 'act' } }),
    tool('garden.lie', { workflow: press('lie'), x_actions: { effect: 'act' } }),
    tool('garden.pay', { workflow: press('pay') }),
    tool('garden.unlock', { workflow: press('unlock'), x_actions: { effect: 'act' } }),
    tool('garden.pick', {
      workflow: press('water'),
      x_actions: { effect: 'act' },
      target: { state: 'rose_there' },
    }),
    tool('garden.magic', { x_actions: { handler: 'localStorage.clear', effect: 'act' } }),
    tool('garden.wait', {
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [
          {
            id: 'wait',
            primitive: 'locator.wait_for',
            args: { locator: { selector: '#never' }, timeout_ms: 20_000 },
          },
          ...press('water').steps,
        ],
      },
      x_actions: { effect: 'act' },
    }),
  ],
  states: [
    {
      name: 'rose_there',
      description: 'A rose.',
      diagnostics: [{ name: 'rose', target: { selector: '#rose' } }],
    },
  ],
  signals: [
    {
      name: 'garden.watered',
      event: 'garden:watered',
      direction: 'html_to_agent',
      ingestion: 'enabled',
      payload: {
        type: 'object',
        required: ['litres'],
        properties: { litres: { type: 'number' } },
        additionalProperties: false,
      },
    },
  ],
};

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
const person = answeringPerson(({ name }) => (name === 'garden.pay' ? 'deny' : 'once'));
const ran = async () =>
  ((await harness.call('locator.text_content', { locator: { selector: 'p' } })) as { text: string }).text;
const itemsOf = <Type extends BridgeItem['type']>(type: Type) =>
  harness.answered.filter((item): item is Extract<BridgeItem, { type: Type }> => item.type === type);
/** Resolves when a runtime sends a matching item. */
const heard = (fits: (item: BridgeItem) => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!harness.answered.some(fits)) return false;
      stop();
      resolve();
      return true;
    };
    const stop = harness.bridge.watch(look);
    look();
  });

beforeAll(async () => {
  site = await startSite({ '/': PAGE, '/shed': '<title>Shed</title><h1>Shed</h1><p>Tools</p>' });
  harness = await startBrowserHarness({ maps: singleMap(MAP), asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const visit = async (path = '/') => {
  await harness.goto(`${site.url}${path}`);
  harness.answered.length = 0;
};

describe('a runtime announces itself', () => {
  test('[BRG-28] [BRG-29] [BRG-92] [BRG-94] once its map is there, with host, title and what it can do', async () => {
    await harness.call('browser.navigate', { url: `${site.url}/shed` });
    harness.answered.length = 0;
    await harness.goto(`${site.url}/`);
    const here = harness.answered.filter((item) => 'url' in item && item.url === `${site.url}/`);
    expect(here[0]).toMatchObject({
      type: 'runtime_ready',
      url: `${site.url}/`,
      host: new URL(site.url).host,
      title: 'Garden',
      manifest: { tools: MAP.tools.map(({ name }) => ({ name })) },
      capabilities: expect.arrayContaining(['browser.screenshot', 'pointer.click', 'element.click']),
    });
  });

  test('[BRG-35] keeps its key when the tab navigates', async () => {
    await harness.goto(`${site.url}/`);
    await harness.goto(`${site.url}/shed`);
    expect(new Set(itemsOf('runtime_ready').map(({ runtime_key }) => runtime_key)).size).toBe(1);
  });

  test('[BRG-31] reports a state as soon as a call has caused it', async () => {
    await visit();
    await harness.call('garden.grow');
    await heard((item) => item.type === 'runtime_status' && item.states?.includes('rose_there') === true);
  });
});

describe('one call', () => {
  test('[BRG-70] the first step that fails decides: name, arguments, grant, state', async () => {
    await visit();
    await expect(harness.call('garden.fly')).rejects.toMatchObject({ code: 'unknown_action' });
    await expect(harness.call('garden.pay', { much: 1 })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(harness.call('garden.pay')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(harness.call('garden.pick')).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(await ran()).toBe('Water:');
    expect(await harness.call('garden.water')).toEqual({ pressed: true });
    expect(await ran()).toBe('Water: drop');
  });

  test('[BRG-128] a step asks before an irreversible press, although its tool does not declare one', async () => {
    await visit();
    person.asked.length = 0;
    await expect(harness.call('garden.pay')).rejects.toMatchObject({ code: 'permission_denied' });
    expect(person.asked).toMatchObject([{ name: 'garden.pay', effect: 'irreversible', origin: site.url }]);
  });

  test('[BRG-83] [BRG-123] an unregistered handler is missing, whatever window has under its name', async () => {
    await visit();
    await expect(harness.call('garden.magic')).rejects.toMatchObject({ code: 'missing_handler' });
  });

  test('[BRG-98] [BRG-100] [BRG-101] after the deadline no further step runs, and the answer names the last one', async () => {
    await visit();
    await expect(harness.call('garden.wait', {}, { timeout_ms: 300 })).rejects.toMatchObject({
      code: 'handler_timeout',
      evidence: { step: 'wait', elapsed_ms: expect.any(Number) },
    });
    await harness.call('garden.unlock');
    expect(await ran()).toBe('Water:');
    expect(await harness.call('garden.wait')).toBeDefined();
    expect(await ran()).toBe('Water: drop');
  });

  test('[BRG-100] [BRG-136] a call that is cancelled in the queue does nothing', async () => {
    await visit();
    const first = harness.bridge.call({ name: 'garden.wait', arguments: {}, timeout_ms: 5_000 });
    const second = harness.bridge.call({ name: 'garden.water', arguments: {} });
    const late = harness.bridge.call({ name: 'garden.water', arguments: {}, timeout_ms: 200 });
    second.cancel();
    await expect(second.output).rejects.toMatchObject({ evidence: { cancelled: true } });
    await expect(late.output).rejects.toMatchObject({ code: 'handler_timeout' });
    first.cancel();
    await expect(first.output).rejects.toBeDefined();
    expect(await harness.call('garden.grow')).toEqual({ pressed: true });
    expect(await ran()).toBe('Water:');
  });

  test('[BRG-69] a call permitted at one origin does not run at another', async () => {
    const moving: Asker = {
      async ask({ call_hash }) {
        await other.browser.surfaces()[0]?.tabs?.navigate({ url: `${site.otherUrl}/` });
        return { decision: 'once', call_hash, by: 'the test' };
      },
    };
    await using other = await startBrowserHarness({ maps: singleMap(MAP), asker: moving });
    await other.goto(`${site.url}/`);
    const { candidates } = (await other.call('locator.element_info', { locator: { selector: '#pay' } })) as {
      candidates: { id: string }[];
    };
    const id = candidates[0]?.id;
    await expect(other.call('element.click', { id })).rejects.toMatchObject({
      code: 'state_mismatch',
      evidence: { granted_origin: site.url, origin: site.otherUrl },
    });
  });
});

describe('signals and maps', () => {
  test('[BRG-43] [BRG-44] [BRG-103] a declared signal becomes an event, with the call that caused it', async () => {
    await visit();
    await harness.call('garden.tell', {}, { call_id: 'call-tell' });
    await heard(({ type }) => type === 'dom_event');
    expect(itemsOf('dom_event')).toMatchObject([
      {
        name: 'garden.watered',
        payload: { litres: 2 },
        url: `${site.url}/`,
        previous_call_id: 'call-tell',
        event_id: expect.any(String),
      },
    ]);
  });

  test('[BRG-104] a signal that does not fit its schema is dropped and reported', async () => {
    await visit();
    await harness.call('garden.lie');
    await heard(({ type }) => type === 'action_error');
    expect(itemsOf('dom_event')).toEqual([]);
    const [error] = itemsOf('action_error');
    expect(error).toMatchObject({ runtime_id: expect.any(String), error: { code: 'invalid_input' } });
    expect(error).not.toHaveProperty('call_id');
  });
});

test('[BRG-108] [BRG-120] an edited map works at once; a broken one offers nothing and says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'map-'));
  const file = join(folder, 'actions.json');
  const save = (map: object) => writeFileSync(file, JSON.stringify(map));
  save({ ...MAP, tools: MAP.tools.slice(0, 1) });
  await using live = await startBrowserHarness({ maps: openMapFolder({ files: [file] }), asker: person });
  const announces = (fits: (item: BridgeItem) => boolean) =>
    new Promise<void>((resolve) => {
      const stop = live.bridge.watch(() => {
        if (!live.answered.some(fits)) return;
        stop();
        resolve();
      });
    });
  await live.goto(`${site.url}/`);
  await expect(live.call('garden.grow')).rejects.toMatchObject({ code: 'unknown_action' });
  live.answered.length = 0;
  const edited = announces(
    (item) => item.type === 'runtime_ready' && JSON.stringify(item.manifest).includes('garden.grow'),
  );
  save(MAP);
  await edited;
  expect(await live.call('garden.grow')).toEqual({ pressed: true });
  live.answered.length = 0;
  const broken = announces(({ type }) => type === 'action_error');
  save({ ...MAP, version: 7 });
  await broken;
  await expect(live.call('garden.grow')).rejects.toMatchObject({ code: 'runtime_not_ready' });
  expect(await live.call('page.info')).toMatchObject({ title: 'Garden' });
  rmSync(folder, { recursive: true });
});
