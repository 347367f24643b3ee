import type { ActionError } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { expect, test, vi } from 'vitest';
import { type Rig, startRig } from './rig.suite.ts';
import { startSite } from './site.suite.ts';

const PAGE = `<html class=closed><title>Unwelcoming</title><h1>Here</h1><p>Text</p><i id=place>Place</i>
<button id=move onclick="history.pushState({}, '', '/elsewhere')">Move</button>
<button id=open onclick="document.documentElement.className = ''">Open</button>
<button id=shut onclick="document.documentElement.className = 'closed'; place.remove()">Shut</button>
<button id=take onclick="document.querySelector('p + [data-drawbridge]').remove()">Take</button>`;

/** One that no page takes, one that this page takes while it is open, and one that it can take away. */
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

const troublesOf = ({ said }: Rig) =>
  said.filter((item): item is ActionError => item.type === 'action_error');
const idsOf = (troubles: readonly ActionError[]) =>
  troubles.map(({ error }) => error.evidence?.['attachment']).sort();

test('[BRG-73] what cannot be put onto a page, or kept there, is reported once until it is there again', async () => {
  await using site = await startSite({ '/': PAGE });
  await using rig = await startRig({ maps: singleMap(MAP) });
  const status = () => rig.bridge.runtimes()[0]?.status;
  const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 20_000 });
  const untilInstalled = (id: string) =>
    until(() => status()?.attachments?.some((one) => one.id === id && one.state === 'installed') === true);
  const press = async (selector: string) => {
    const { clickable_center: center } = (await rig.call('locator.element_info', {
      locator: { selector },
    })) as { clickable_center: object };
    await rig.call('pointer.click', center);
  };

  await rig.goto(`${site.url}/`);
  await untilInstalled('kept-not');
  await until(() => troublesOf(rig).length === 2);
  const [crooked, outermost] = ['crooked', 'outermost'].map((id) =>
    troublesOf(rig).find(({ error }) => error.evidence?.['attachment'] === id),
  );
  for (const trouble of [crooked, outermost]) {
    expect(trouble).toMatchObject({
      runtime_id: rig.bridge.runtimes()[0]?.runtime_id,
      error: { code: 'target_not_found', recoverable: true, evidence: { url: `${site.url}/` } },
    });
    expect(trouble).not.toHaveProperty('call_id');
  }
  expect(crooked?.error.message).toContain('sideways');

  await press('#move');
  await until(() => status()?.url === `${site.url}/elsewhere`);
  await press('#open');
  await untilInstalled('outermost');
  expect(idsOf(troublesOf(rig))).toEqual(['crooked', 'outermost']);

  await press('#shut');
  await until(() => troublesOf(rig).length > 2);
  expect(idsOf(troublesOf(rig))).toEqual(['crooked', 'outermost', 'outermost']);

  await press('#take');
  await until(() => troublesOf(rig).length > 3);
  expect(idsOf(troublesOf(rig))).toEqual(['crooked', 'kept-not', 'outermost', 'outermost']);
});
