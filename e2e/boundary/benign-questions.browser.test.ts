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

/** Questions of each task, in the order in which they were asked. */
async function ask(decision: 'once' | 'always') {
  const person = answeringPerson(() => decision);
  const { shop: lent, library, board, parts: page } = at;
  await using harness = await startBrowserHarness({
    asker: person,
    // The person lent these; another address of their network asks.
    localNetwork: createLocalNetwork([lent, library, board, page]),
  });
  const asked = new Map<string, readonly Question[]>();
  for (const [task, run] of benignTasks(harness, at)) {
    const before = person.asked.length;
    await run();
    asked.set(task, person.asked.slice(before));
  }
  return asked;
}

/** Before the attack only what cannot be undone was asked about. */
const isAdded = ({ effect }: Question): boolean => effect !== 'irreversible';

/** The site, what is asked about there, and the finding whose defence asks. */
function toldOf({ kind, origin, destination = '' }: Question): string {
  const [site] = Object.entries(at).find(([, url]) => new URL(url).origin === origin) ?? ['unknown'];
  return kind === 'address'
    ? `${site}: its address, finding 10`
    : `${site}: ${formOf(destination)}, finding 9`;
}

const formOf = (destination: string): string =>
  `the form to \`${new URL(destination).pathname.replaceAll(/\d+/g, '…')}\``;

const toldIn = (asked: ReadonlyMap<string, readonly Question[]>): string[] =>
  [...asked.values()].flat().filter(isAdded).map(toldOf);

/** The table of docs/security-model.md. */
async function documented() {
  const page = await readFile(join(import.meta.dirname, '../../docs/security-model.md'), 'utf8');
  const [, section = ''] = page.split('## Questions of ordinary tasks\n');
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , before = '']) => /^\d+$/.test(before))
    .map(([, task = '', before, once, always, added = '']) => ({
      ...{ task, before: Number(before), once: Number(once), always: Number(always), added },
    }));
}

test('[BRG-128] ordinary tasks ask as the documented table says: once per form and origin, with always once per origin', async () => {
  const [table, once, always] = [await documented(), await ask('once'), await ask('always')];
  const counted = [...once].map(([task, asked]) => ({
    task,
    before: asked.filter((each) => !isAdded(each)).length,
    once: asked.length,
    always: always.get(task)?.length ?? 0,
    added: asked.filter(isAdded).map(toldOf).join('; '),
  }));
  expect(counted).toEqual(table);
  const addedAt = (asked: readonly Question[]) => asked.filter(isAdded).map(({ origin }) => origin);
  for (const [task, asked] of once) expect(addedAt(asked), task).toEqual([...new Set(addedAt(asked))]);
  expect(toldIn(once)).toEqual([...new Set(toldIn(once))]);
  const origins = addedAt([...always.values()].flat());
  expect(origins).toEqual([...new Set(origins)]);
});
