import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { singleMap } from '@drawbridge/runtime';
import { openEvidenceFolder } from '@drawbridge/runtime/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object' },
  workflow: {
    version: 1,
    expression_language: 'jsonata',
    steps: [{ id: 'look', primitive: 'page.info', args: {} }],
  },
  x_actions: { effect: 'read' },
});

const MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [tool('desk.open'), tool('desk.close')],
  checks: [
    {
      id: 'badge',
      severity: 'major',
      assertions: [{ tool: 'desk.open', target: { selector: '#badge' }, visible: true }],
      on_fail: { store_evidence: ['url', 'dom_snapshot', 'screenshot'], contingency: 'handoff_to_user' },
    },
    {
      id: 'no_card_field',
      severity: 'critical',
      assertions: [{ target: { selector: 'body:not(.unsafe)' }, visible: true }],
    },
  ],
};

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
const person = answeringPerson(() => 'once');
const folder = mkdtempSync(join(tmpdir(), 'evidence-'));

beforeAll(async () => {
  site = await startSite({
    '/': '<title>Desk</title><h1>Desk</h1><b id="badge">1</b>',
    '/new':
      '<title>Desk</title><h1><a href="/new">New desk</a></h1><b id="sign">1</b><input type="password" value="hunter2-canary">',
    '/unsafe': '<title>Desk</title><body class="unsafe"><h1>Desk</h1><b id="badge">1</b>',
  });
  harness = await startBrowserHarness({
    maps: singleMap({ ...MAP, surface: { origin: site.url } }),
    asker: person,
    storeEvidence: openEvidenceFolder(folder),
  });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('[BRG-89] when a page drifts from its map, dependent tools do not run, a person is notified and evidence is kept', async () => {
  await harness.goto(`${site.url}/`);
  expect(await harness.call('desk.open')).toBeDefined();
  expect(person.asked).toEqual([]);

  await harness.goto(`${site.url}/new`);
  await expect(harness.call('desk.open')).rejects.toMatchObject({
    code: 'drift_detected',
    evidence: { check_id: 'badge' },
  });
  expect(await harness.call('desk.close')).toBeDefined();
  expect(person.asked).toMatchObject([{ name: 'handoff_to_user', origin: site.url }]);

  const kept = () => readdirSync(folder).filter((name) => name.endsWith('.json'));
  await expect.poll(kept).toHaveLength(1);
  const file = join(folder, kept()[0] ?? '');
  const evidence: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(evidence).toMatchObject({
    check_id: 'badge',
    url: `${site.url}/new`,
    stored: {
      url: `${site.url}/new`,
      dom_snapshot: expect.stringContaining('New desk'),
      screenshot: { mime_type: 'image/jpeg' },
    },
  });
  expect(JSON.stringify(evidence)).not.toContain('canary');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('[BRG-90] nothing runs where the map declares it unsafe', async () => {
  await harness.goto(`${site.url}/unsafe`);
  for (const name of ['desk.open', 'desk.close']) {
    await expect(harness.call(name)).rejects.toMatchObject({
      code: 'unsafe_state',
      evidence: { check_id: 'no_card_field' },
    });
  }
});
