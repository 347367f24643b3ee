import { createLocalNetwork } from '@drawbridge/runtime';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { personWho, type Rig, startRig } from '../rig.suite.ts';
import { startLeadingSite } from './control.suite.ts';

let own: Awaited<ReturnType<typeof startLeadingSite>>;
let router: Awaited<ReturnType<typeof startLeadingSite>>;
let rig: Rig;
let decision: 'once' | 'deny' = 'deny';
const person = personWho(() => decision);
const closing = new AsyncDisposableStack();

beforeAll(async () => {
  own = await startLeadingSite(() => 0);
  router = await startLeadingSite(() => 0);
  closing.defer(own.close);
  closing.defer(router.close);
  // As `up` does with its shop: the person opened this one, and no other.
  rig = closing.use(await startRig({ asker: person, localNetwork: createLocalNetwork([own.url]) }));
});
afterAll(() => closing.disposeAsync());
beforeEach(() => {
  person.asked.length = 0;
  decision = 'deny';
});

const DENIED = { code: 'permission_denied', evidence: { reason: 'local_network' } };

test('[BRG-175] what the person opened asks nobody', async () => {
  await rig.goto(`${own.url}/`);
  expect(JSON.stringify(await rig.call('page.read'))).toContain('Shop');
  expect(await rig.call('page.fetch', { url: '/link' })).toMatchObject({ status: 200 });
  expect(person.asked).toEqual([]);
});

test('[BRG-175] no tab goes to another address of the network without a yes, whatever was granted', async () => {
  await rig.goto(`${own.url}/`);
  const other = router.url.replace('127.0.0.1', 'localhost');
  rig.grants.add({ origin: '*', covers: { effect: 'irreversible' }, by: 'the test' });
  for (const url of [`${router.url}/`, `${other}/`, 'http://192.168.1.1/', 'http://printer.local/'])
    for (const name of ['browser.navigate', 'browser.open_tab'])
      await expect(rig.call(name, { url }), url).rejects.toMatchObject(DENIED);
  expect(person.asked.map(({ origin }) => origin)).toEqual(
    [router.url, other, 'http://192.168.1.1', 'http://printer.local'].flatMap((each) => [each, each]),
  );
  expect(person.asked[0]?.sentence).toContain('in your own network');
  expect(await rig.call('page.info')).toMatchObject({ url: `${own.url}/` });
});

test('[BRG-175] a tab that was redirected or pressed there answers nothing before a yes', async () => {
  await rig.goto(`${own.url}/`);
  const to = encodeURIComponent(`${router.url}/`);
  await expect(rig.call('browser.navigate', { url: `${own.url}/redirect?to=${to}` })).rejects.toMatchObject(
    DENIED,
  );
  for (const name of ['page.snapshot', 'page.info', 'page.read', 'browser.screenshot'])
    await expect(rig.call(name), name).rejects.toMatchObject(DENIED);
  // It may go elsewhere again, and nobody is asked about that.
  person.asked.length = 0;
  await rig.goto(`${own.url}/link?to=${to}`);
  expect(person.asked).toEqual([]);
  const snapshot = JSON.stringify(await rig.call('page.snapshot'));
  const id = /"i":"?([\w-]+)"?[^{}]*"n":"Next page"/.exec(snapshot)?.[1];
  await expect(rig.call('element.click', { id })).rejects.toMatchObject(DENIED);
  await expect(rig.call('page.snapshot')).rejects.toMatchObject(DENIED);
  await rig.goto(`${own.url}/`);
});

test('[BRG-175] one yes is for that origin, until the browser is closed', async () => {
  await rig.goto(`${own.url}/`);
  decision = 'once';
  await rig.goto(`${router.url}/`);
  await rig.goto(`${router.url}/link`);
  await rig.call('page.snapshot');
  await rig.goto(`${own.url}/`);
  await rig.goto(`${router.url}/`);
  expect(person.asked.map(({ origin }) => origin)).toEqual([router.url]);
});
