import type { ActionError } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { expect, test, vi } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const PAGE = `<html class=closed><title>Unwelcoming</title><h1>Here</h1><p>Text</p><i id=place>Place</i>
<button id=move onclick="history.pushState({}, '', '/elsewhere')">Move</button>
<button id=open onclick="document.documentElement.className = ''">Open</button>
<button id=shut onclick="document.documentElement.className = 'closed'; place.remove()">Shut</button>
<button id=take onclick="document.querySelector('p + [data-drawbridge]').remove()">Take</button>`;

/**
 * No page accepts the first, this page accepts the second while it is open, and it can remove the third.
 */
const ATTACHMENTS = [
  { id: 'crooked', target: { selector: 'h1' }, placement: 'sideways', lifecycle: {} },
  {
    id: 'outermost',
    target: { selector: ':root.closed, #place' },
    placement: 'afterend',
    lifecycle: { reattach: 'on_url_or_dom_change' },
  },
  { id: 'kept-not', target: { selector: 'p' }, placement: 'afterend', lifecycle: {} },
].map(({ placement, ...one }) => ({ ...one, kind: 'annotation', affordance: { label: one.id, placement } }));

const MAP = { protocol: 'actions.json', version: 1, tools: [], attachments: ATTACHMENTS };

const troublesOf = ({ answered }: BrowserHarness) =>
  answered.filter((item): item is ActionError => item.type === 'action_error');
const idsOf = (troubles: readonly ActionError[]) =>
  troubles.map(({ error }) => error.evidence?.['attachment']).sort();

test('[BRG-73] an attachment that cannot be added or is removed is reported once until it is back', async () => {
  await using site = await startSite({ '/': PAGE });
  await using harness = await startBrowserHarness({ maps: singleMap(MAP) });
  const status = () => harness.bridge.runtimes()[0]?.status;
  const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 20_000 });
  const untilInstalled = (id: string) =>
    until(() => status()?.attachments?.some((one) => one.id === id && one.state === 'installed') === true);
  const press = async (selector: string) => {
    const { clickable_center: center } = (await harness.call('locator.element_info', {
      locator: { selector },
    })) as { clickable_center: object };
    await harness.call('pointer.click', center);
  };

  await harness.goto(`${site.url}/`);
  await untilInstalled('kept-not');
  await until(() => troublesOf(harness).length === 2);
  const [crooked, outermost] = ['crooked', 'outermost'].map((id) =>
    troublesOf(harness).find(({ error }) => error.evidence?.['attachment'] === id),
  );
  for (const trouble of [crooked, outermost]) {
    expect(trouble).toMatchObject({
      runtime_id: harness.bridge.runtimes()[0]?.runtime_id,
      error: { code: 'target_not_found', recoverable: true, evidence: { url: `${site.url}/` } },
    });
    expect(trouble).not.toHaveProperty('call_id');
  }
  expect(crooked?.error.message).toContain('sideways');

  await press('#move');
  await until(() => status()?.url === `${site.url}/elsewhere`);
  await press('#open');
  await untilInstalled('outermost');
  expect(idsOf(troublesOf(harness))).toEqual(['crooked', 'outermost']);

  await press('#shut');
  await until(() => troublesOf(harness).length > 2);
  expect(idsOf(troublesOf(harness))).toEqual(['crooked', 'outermost', 'outermost']);

  await press('#take');
  await until(() => troublesOf(harness).length > 3);
  expect(idsOf(troublesOf(harness))).toEqual(['crooked', 'kept-not', 'outermost', 'outermost']);
});

const SHIFTING = `<title>Shifting</title><button id=show>Show</button><script>
show.onclick = () => {
  document.body.insertAdjacentHTML('beforeend', '<div><button id=go>Go</button></div>');
  go.onclick = () => { go.textContent = 'gone' };
  setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>'), 2000);
};</script>`;

const info = (id: string) => ({
  id,
  primitive: 'locator.element_info',
  args: { locator: { selector: `#${id}` } },
});
const press = (id: string) => ({
  id: `press_${id}`,
  primitive: 'pointer.click',
  args: {
    x: `{% steps.${id}.output.clickable_center.x %}`,
    y: `{% steps.${id}.output.clickable_center.y %}`,
  },
});

test('an attachment beside a target does not move it between the steps of a call', async () => {
  await using site = await startSite({ '/': SHIFTING });
  const steps = [
    ...[info('show'), press('show'), info('go')],
    {
      id: 'late',
      primitive: 'locator.wait_for',
      args: { locator: { selector: '#late' }, timeout_ms: 10_000 },
    },
    ...[press('go'), { id: 'said', primitive: 'locator.text_content', args: info('go').args }],
  ];
  await using harness = await startBrowserHarness({
    maps: singleMap({
      ...{ protocol: 'actions.json', version: 1 },
      tools: [
        {
          ...{ name: 'go.now', description: 'Go.', input_schema: { type: 'object' } },
          workflow: {
            ...{ version: 1, expression_language: 'jsonata', steps },
            output: '{% steps.said.output.text %}',
          },
        },
      ],
      attachments: [
        {
          ...{ id: 'wide', kind: 'annotation', target: { selector: '#go' } },
          affordance: { label: 'Something wide enough to move what follows', placement: 'beforebegin' },
          lifecycle: { reattach: 'on_url_or_dom_change' },
        },
      ],
    }),
  });
  await harness.goto(`${site.url}/`);
  expect(await harness.call('go.now', {})).toBe('gone');
  await harness.call('locator.wait_for', { locator: { selector: '[data-drawbridge]' }, timeout_ms: 10_000 });
});
