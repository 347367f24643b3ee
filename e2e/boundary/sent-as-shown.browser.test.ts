import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { DECEITS, HONEST, type SentSite, startSentSite } from './sent-as-shown-site.ts';

let site: SentSite;
let harness: BrowserHarness;
let decisions: ('once' | 'deny')[] = [];
const person = answeringPerson(() => decisions.shift() ?? 'deny');
beforeAll(async () => {
  site = await startSentSite();
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function pay(path: string, ...answers: ('once' | 'deny')[]): Promise<unknown> {
  await harness.goto(`${site.url}${path}`);
  site.got.length = 0;
  person.asked.length = 0;
  decisions = answers;
  const { id } = (await harness.call('locator.element_info', { locator: { selector: '#b' } })) as {
    id: string;
  };
  return harness.call('element.click', { id }).catch((error: unknown) => error);
}

test('sends nothing else than was shown after a yes, and asks again with both versions', async () => {
  const failed: unknown[] = [];
  for (const path of Object.keys(DECEITS)) {
    const answer = await pay(path, 'once', 'deny');
    // A form that comes later is stopped, and asked about with the next act or wait.
    if (person.asked.length === 1) await harness.call('page.wait', { for: 'stable' }).catch(() => undefined);
    const changed = person.asked[1]?.changed;
    const isTold = /evil|Mallory|9999|900/.test(changed?.now.join('\n') ?? '');
    if (site.got.length > 0 || person.asked.length !== 2 || !isTold)
      failed.push([
        path,
        site.got.slice(),
        person.asked.map((each) => each.changed ?? each.sentence),
        answer,
      ]);
  }
  expect(failed).toEqual([]);
});

test('sends what the second card showed after a yes to it', async () => {
  await pay('/action', 'once', 'once');
  await expect.poll(() => site.got).toEqual([expect.stringContaining('/got/evil')]);
  expect(person.asked).toHaveLength(2);
});

test('asks once about a page that sends what it showed', async () => {
  const failed: unknown[] = [];
  for (const path of Object.keys(HONEST)) {
    const answer = await pay(path, 'once', 'deny');
    for (let wait = 0; site.got.length === 0 && wait < 20; wait++)
      await harness.call('page.wait', { for: 'stable' }).catch(() => undefined);
    if (site.got.length !== 1 || person.asked.length !== 1)
      failed.push([
        path,
        site.got.slice(),
        person.asked.map((each) => each.changed ?? each.sentence),
        answer,
      ]);
  }
  expect(failed).toEqual([]);
});
