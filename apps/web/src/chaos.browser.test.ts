import { createSeededRandom, type Faults, type SeededRandom } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHouse, type TestHouse } from './test-house.suite.ts';
import { PATIENCE, sessionOf, visit } from './visit.suite.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse();
  await fetch(house.url);
});
afterAll(() => house.close());

const RUNS = 20;
const SEED = 20_261;

/** Drops, delays and connections that swallow whatever is sent. */
function troubleOf(random: SeededRandom): Faults {
  const lane = () =>
    random.pick([
      {},
      { cutAfterBytes: { min: 0, max: 2_000 } },
      { delayMs: { min: 1, max: 60 }, segmentBytes: { min: 8, max: 400 } },
      { swallow: true },
    ]);
  return { up: lane(), down: lane() };
}

test(`[CHT-135] ${RUNS} seeded troubles between browser and relay: what is on the screen is what the ledger has, each once`, async () => {
  const random = createSeededRandom(SEED);
  const proxy = await house.proxy('studio');
  const session_id = 'chaos';
  proxy.list(sessionOf(session_id));
  const { page, talk, ticks, write } = await visit(house, { path: `/s/${session_id}` });
  await page.getByText('Nothing was said yet').waitFor();
  /** As many of the latest as a screen holds. */
  const inLedger = async (count: number): Promise<readonly string[]> => {
    const { events = [] } = (await house.relay.ledger.eventsAfter(session_id, 0, 1_000)) ?? {};
    return events
      .flatMap(({ message_id, payload }) => (message_id === null ? [] : [contentOf(payload)]))
      .slice(-count);
  };
  const onScreen = () => talk.locator('article p', { hasText: 'in run' }).allTextContents();

  for (let run = 0; run < RUNS; run += 1) {
    house.network.setFaults(troubleOf(random));
    if (random.chance(0.3)) house.network.cut();
    const text = `said in run ${run}`;
    await write(text);
    proxy.say(session_id, `told in run ${run}`, { message_id: `told_${run}` });
    await talk.getByText(text, { exact: true }).waitFor();
    house.network.setFaults({});
    house.network.cut();
    await page.evaluate(() => dispatchEvent(new Event('online')));

    const { client_message_id, attempt = 1, content } = await proxy.next('send_message');
    expect(content, 'nothing is lost, and nothing comes twice').toBe(text);
    proxy.send({ type: 'proxy_send_result', session_id, client_message_id, attempt, result: 'delivered' });
    await talk.getByText(`told in run ${run}`, { exact: true }).waitFor();
    await expect
      .poll(async () => (await ticks('queued').count()) + (await ticks('accepted').count()), PATIENCE)
      .toBe(0);
    await expect
      .poll(async () => (await onScreen()).slice(-2).toSorted(), PATIENCE)
      .toEqual([text, `told in run ${run}`]);
  }
  await page.getByText('Live', { exact: true }).waitFor();
  const shown = await onScreen();
  expect(shown.length).toBeGreaterThan(4);
  expect(shown).toEqual(await inLedger(shown.length));
  await page.reload();
  await expect.poll(async () => (await onScreen()).slice(-4), PATIENCE).toEqual(shown.slice(-4));
});

/** As it was said. */
function contentOf(payload: unknown): string {
  const { message } = payload as { readonly message: { readonly content: string } };
  return message.content;
}
