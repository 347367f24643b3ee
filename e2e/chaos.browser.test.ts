import { BridgeError, ERROR_CODES } from '@drawbridge/protocol';
import { singleMap } from '@drawbridge/runtime';
import { createSeededRandom } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { killBrowsers, LEDGER_MAP, openWire, startLedgerSite } from './chaos-harness.ts';

const FAULTS = ['kill', 'navigate', 'close_tab', 'cut', 'nothing'] as const;
const RUNS = Number(process.env['DRAWBRIDGE_CHAOS_RUNS'] ?? 3);
const CALL_MS = 8_000;
const LATEST = { timeout: 10_000 };
const ANSWERS: ReadonlySet<string> = new Set(['action_call_output', 'action_error']);

let site: Awaited<ReturnType<typeof startLedgerSite>>;
let wire: Awaited<ReturnType<typeof openWire>>;
let harness: BrowserHarness | undefined;

beforeAll(async () => {
  [site, wire] = await Promise.all([startLedgerSite(), openWire()]);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await wire[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function freshHarness(): Promise<BrowserHarness> {
  harness ??= await startBrowserHarness({ maps: singleMap(LEDGER_MAP), connect: wire.connect });
  await harness.goto(`${site.url}/`);
  return harness;
}

async function strike(fault: (typeof FAULTS)[number], at: BrowserHarness): Promise<void> {
  const [surface] = at.browser.surfaces();
  if (fault === 'navigate') await surface?.tabs?.navigate({ url: `${site.url}/elsewhere` }).catch(() => {});
  if (fault === 'close_tab') {
    const [tab] = (await surface?.tabs?.list()) ?? [];
    await surface?.tabs?.open('about:blank', false).catch(() => {});
    await surface?.tabs?.close(tab?.tab_id ?? '').catch(() => {});
  }
  if (fault === 'cut') wire.cut();
  if (fault === 'kill') killBrowsers();
  if (fault === 'kill' || fault === 'close_tab') harness = undefined;
}

test.each(Array.from({ length: RUNS }, (_, seed) => seed))(
  '[BRG-36] [BRG-49] [BRG-91] [BRG-102] [BRG-107] whatever happens meanwhile, the call ends once and nothing runs twice (seed %i)',
  async (seed) => {
    const random = createSeededRandom(seed);
    const fault = FAULTS[seed % FAULTS.length] ?? 'nothing';
    const struck = await freshHarness();
    const id = `run-${seed}`;
    const call = struck.call('ledger.enter', { id }, { call_id: id, timeout_ms: CALL_MS }).then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    const delay = random.int(0, 400);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await strike(fault, struck);
    const ended = await call;

    const answers = struck.answered.filter(
      (item) => 'call_id' in item && item.call_id === id && ANSWERS.has(item.type),
    );
    expect(answers.length).toBeLessThanOrEqual(1);
    const entered = () => site.entries.filter((entry) => entry.startsWith(`${id}-`));
    // The call ends with its last press, while the page's request may still be in flight.
    if ('output' in ended)
      await expect.poll(entered, LATEST).toEqual(['a', 'b', 'c', 'd'].map((step) => `${id}-${step}`));
    else {
      expect(ended.error).toBeInstanceOf(BridgeError);
      expect(Object.keys(ERROR_CODES)).toContain(ended.error instanceof BridgeError && ended.error.code);
    }
    if (fault === 'nothing' || fault === 'cut') expect(ended).toEqual({ output: id });
    if (harness !== struck) await struck[Symbol.asyncDispose]();
  },
);

test('no entry is sent twice, however late', () => {
  expect(site.entries.length).toBeGreaterThan(0);
  expect(site.entries.filter((entry, at) => site.entries.indexOf(entry) !== at)).toEqual([]);
});
