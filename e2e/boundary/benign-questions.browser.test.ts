import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Question } from '@drawbridge/protocol';
import { createLocalNetwork } from '@drawbridge/runtime';
import { type Sites, startShop, startSites } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, startBrowserHarness } from '../browser-harness.ts';
import { startSite } from '../site.ts';
import { type BenignSites, benignTasks, PARTS } from './benign-tasks.ts';

let shop: Awaited<ReturnType<typeof startShop>>;
let sites: Sites;
let parts: Awaited<ReturnType<typeof startSite>>;
let router: Awaited<ReturnType<typeof startSite>>;
let at: BenignSites;

beforeAll(async () => {
  [shop, sites, parts, router] = await Promise.all([
    startShop(),
    startSites(),
    startSite({ '/': PARTS }),
    startSite({ '/': '<title>Router</title><h1>Router</h1>' }),
  ]);
  const { libraryUrl: library, boardUrl: board } = sites;
  at = { shop: shop.url, library, board, parts: parts.url, router: router.url };
});
afterAll(async () => {
  await Promise.all([
    shop.close(),
    sites.close(),
    parts[Symbol.asyncDispose](),
    router[Symbol.asyncDispose](),
  ]);
});

interface Row {
  readonly task: string;
  readonly once: number;
  readonly always: number;
}

/** Questions of each task, and all of them. */
async function ask(decision: 'once' | 'always') {
  const person = answeringPerson(() => decision);
  const { shop: lent, library, board, parts: page } = at;
  await using harness = await startBrowserHarness({
    asker: person,
    // The person lent these; another address of their network asks.
    localNetwork: createLocalNetwork([lent, library, board, page]),
  });
  const counts = new Map<string, number>();
  for (const [task, run] of benignTasks(harness, at)) {
    const before = person.asked.length;
    await run();
    counts.set(task, person.asked.length - before);
  }
  return { counts, asked: person.asked };
}

/** The table of docs/security-model.md. */
async function documented() {
  const page = await readFile(join(import.meta.dirname, '../../docs/security-model.md'), 'utf8');
  const [, section = ''] = page.split('## Questions of ordinary tasks\n');
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , before = '']) => /^\d+$/.test(before))
    .map(([, task = '', before, once, always, finding = '']) => ({
      ...{ task, finding, before: Number(before), once: Number(once), always: Number(always) },
    }));
}

test('[BRG-128] ordinary tasks ask as often as the documented table says, each added one for a named finding, one per origin', async () => {
  const [table, once, always] = [await documented(), await ask('once'), await ask('always')];
  const counted: Row[] = [...once.counts].map(([task, count]) => ({
    ...{ task, once: count, always: always.counts.get(task) ?? 0 },
  }));
  expect(counted).toEqual(
    table.map(({ task, once: asked, always: least }) => ({ task, once: asked, always: least })),
  );
  for (const { task, before, once: asked, finding } of table)
    expect([task, asked > before]).toEqual([task, /^finding \d+$/.test(finding)]);
  const added = (asked: readonly Question[]) => asked.filter(({ effect }) => effect !== 'irreversible');
  const origins = added(always.asked).map(({ origin }) => origin);
  expect(origins).toEqual([...new Set(origins)]);
  // A yes for once is for one form: the board has two.
  expect(added(once.asked)).toHaveLength(origins.length + 1);
});
