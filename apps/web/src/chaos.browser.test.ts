import { createSeededRandom, type Faults, type SeededRandom } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { promptOf, sessionOf, TIMEOUT, visit } from '../test/visit.ts';
import { openWebHarness, type TestProxy, type WebHarness } from '../test/web-harness.ts';

const RUNS = Number(process.env['DRAWBRIDGE_CHAOS_RUNS'] ?? 3);
const FIRST_SEED = 20_261;
const SEEDS = Array.from({ length: RUNS }, (_, run) => FIRST_SEED + run);

let harness: WebHarness;
let proxy: TestProxy;
beforeAll(async () => {
  harness = await openWebHarness();
  await fetch(harness.url);
  proxy = await harness.proxy('studio');
});
afterAll(() => harness.close());

const SILENT = { up: { swallow: true }, down: { swallow: true } };

/** Drops, delays, and open connections that swallow data in one or both directions. */
function faultsOf(random: SeededRandom): Faults {
  const faults = () =>
    random.pick([
      {},
      { cutAfterBytes: { min: 0, max: 2_000 } },
      { delayMs: { min: 1, max: 40 }, segmentBytes: { min: 8, max: 400 } },
      { swallow: true },
    ]);
  return random.chance(0.2) ? SILENT : { up: faults(), down: faults() };
}

/** One-way loss is detected only by heartbeats, after up to a minute: too long for a test. */
const isDeafOneWay = ({ up, down }: Faults): boolean => (up?.swallow === true) !== (down?.swallow === true);

/** Texts of waiting screens. */
const WAITING = [
  'Looking for sessions…',
  'Loading older messages…',
  'Sending your answer…',
  'Stopping…',
  'uploading…',
  'Connecting…',
  'No connection to the relay',
];

test.each(SEEDS)(
  '[CHT-135] seed %i between browser and relay: the final screen equals the ledger, without duplicates or waiting',
  async (seed) => {
    const random = createSeededRandom(seed);
    const session_id = `chaos_${seed}`;
    proxy.list(...SEEDS.filter((each) => each <= seed).map((each) => sessionOf(`chaos_${each}`)));
    const { page, talk, ticks, write } = await visit(harness, { path: `/s/${session_id}` });
    onTestFinished(() => harness.network.setFaults({}));
    await talk.getByText('No messages yet').waitFor();

    let said = 0;
    let mustCut = false;
    for (const last = random.int(2, 4); said < last; said += 1) {
      const faults = faultsOf(random);
      mustCut ||= isDeafOneWay(faults);
      harness.network.setFaults(faults);
      if (random.chance(0.4)) harness.network.cut();
      await write(`said ${said}`);
      await talk.getByText(`said ${said}`, { exact: true }).waitFor();
      proxy.sendMessage(session_id, `told ${said}`, { message_id: `told_${seed}_${said}` });
      // A growing text, of which only the last version matters.
      proxy.sendMessage(session_id, `told ${said} and more`, { message_id: `told_${seed}_${said}` });
    }
    const hasPrompt = random.chance(0.3);
    if (hasPrompt) proxy.send(promptOf(session_id, `p_${seed}`));
    harness.network.setFaults({});
    // A connection that lost a byte never recovers by itself.
    if (mustCut || random.chance(0.6)) harness.network.cut();
    await page.evaluate(() => dispatchEvent(new Event('online')));

    for (let taken = 0; taken < said; taken += 1) {
      const { client_message_id, attempt = 1, content } = await proxy.next('send_message');
      expect(content, 'nothing is lost, comes twice, or overtakes').toBe(`said ${taken}`);
      proxy.send({ type: 'proxy_send_result', session_id, client_message_id, attempt, result: 'delivered' });
    }
    if (hasPrompt) {
      const deny = talk.getByRole('button', { name: 'Deny' });
      await deny.and(page.locator('[data-armed=true]')).click();
      const { request_id = '' } = await proxy.next('permission_response');
      const answered = { session_id, request_id, command: 'permission_response', result: 'ok' };
      proxy.send({ type: 'agent_control_result', ...answered });
      await talk.getByText('answered: Deny').waitFor();
    }
    // The proxy's last message may still be in transit, or growing.
    const isWhole = (text: string) => text.startsWith('said') || text.endsWith('and more');
    await expect
      .poll(async () => (await ledgerTexts(session_id)).filter(isWhole).length, TIMEOUT)
      .toBeGreaterThanOrEqual(2 * said);
    const inLedger = await ledgerTexts(session_id);
    expect(inLedger, 'the ledger itself has each once').toHaveLength(2 * said);
    const onScreen = () => talk.locator('article p', { hasText: /^(said|told) \d/ }).allTextContents();
    await expect.poll(onScreen, TIMEOUT).toEqual(inLedger);
    await expect
      .poll(async () => (await ticks('queued').count()) + (await ticks('accepted').count()), TIMEOUT)
      .toBe(0);
    const waitsFor = async () => {
      const text = (await page.locator('body').textContent()) ?? '';
      return WAITING.filter((each) => text.includes(each));
    };
    await expect.poll(waitsFor, TIMEOUT).toEqual([]);
    expect(await talk.getByRole('region', { name: 'Needs your decision' }).count()).toBe(0);
  },
);

/** Each message at its first position with its last text. */
async function ledgerTexts(session_id: string): Promise<readonly string[]> {
  const { events = [] } = (await harness.relay.ledger.eventsAfter(session_id, 0, 1_000)) ?? {};
  const texts = new Map<string, string>();
  for (const { message_id, type, payload } of events)
    if (message_id !== null && type === 'message_event') texts.set(message_id, contentOf(payload));
  return [...texts.values()];
}

function contentOf(payload: unknown): string {
  const { message } = payload as { readonly message: { readonly content: string } };
  return message.content;
}
