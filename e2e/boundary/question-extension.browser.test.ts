import {
  type ExtensionHarness,
  type Page,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '@drawbridge/extension/test/extension-harness';
import { connectChat } from '@drawbridge/link/chat';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type PayingSite, type Swap, startPayingSite } from './paying-site.ts';

let site: PayingSite;
let paired: PairedRelay;
let harness: ExtensionHarness;
let page: Page;
let phone: ReturnType<typeof connectChat>;
/** Texts of the prompts, as a phone shows them. */
const prompts: string[] = [];
let decide: (round: number) => Promise<'once' | 'deny'>;

beforeAll(async () => {
  site = await startPayingSite();
  [paired, harness] = await Promise.all([startPairRelay(), startExtensionHarness()]);
  const { relay } = paired;
  await harness.ask({ do: 'pair', link: await paired.pairLink(), name: 'Test Chrome' });
  const { token } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  phone = connectChat({
    url: `${relay.url.replace('http', 'ws')}/ws/chat`,
    token,
    peer_role: 'browser',
    client_name: 'test',
  });
  phone.onEvent(async (event) => {
    if (event.type !== 'permission_prompt') return;
    const { session_id, prompt_id, prompt_text } = event;
    prompts.push(prompt_text);
    const choice_id = await decide(prompts.length);
    // The link may be closed before the answer is stored.
    await phone
      .request({ type: 'permission_response', session_id, prompt_id, choice_id })
      .catch(() => undefined);
  });
  page = await harness.open(`${site.url}/pay`);
  await harness.press(page);
  await vi.waitFor(() => call('page.info'), { timeout: 30_000 });
}, 300_000);
afterAll(async () => {
  phone?.close();
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await call('browser.navigate', { url: `${site.url}/pay` });
  prompts.length = 0;
  site.forget();
});

const call = (name: string, args: object = {}): Promise<unknown> =>
  paired.relay.bridge.call({ name, arguments: { ...args }, timeout_ms: 30_000 }).output;

const pay = () => on('form button', 'element.click');

async function on(selector: string, name: string, args: object = {}): Promise<unknown> {
  const info = await call('locator.element_info', { locator: { selector } });
  return call(name, { id: (info as { id: string }).id, ...args });
}

const swapOnce = (what: Swap, then: 'once' | 'deny') => async (round: number) => {
  if (round > 1) return then;
  await site.swap(what);
  return 'once';
};

test.each([
  ['amount', 'Total 49.00 €', 'Total 490.00 €'],
  ['payee', 'Lantern and Oak', 'Mallory Ltd'],
  ['action', 'POST http://127.0.0.1', 'POST http://localhost'],
  ['hidden', '"account" (hidden): "shop"', '"account" (hidden): "mallory"'],
] as const)(
  'finding 6: %s swapped while the phone shows it: the card comes back, nothing is paid',
  async (what, before, now) => {
    decide = swapOnce(what, 'deny');
    await expect(pay()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(site.payments).toEqual([]);
    expect(prompts).toHaveLength(2);
    const [first = '', second = ''] = prompts;
    expect(first).toContain('Amount: Total 49.00 €\n');
    expect(first).toContain(`Sends to: ${site.url}/paid\n`);
    expect(first).not.toContain('Changed');
    expect(second).toMatch(/\nChanged while you were asked\.\n/);
    expect(
      second
        .split('\n')
        .filter((line) => line.startsWith('Before: '))
        .join(),
    ).toContain(before);
    expect(
      second
        .split('\n')
        .filter((line) => line.startsWith('Now: '))
        .join(),
    ).toContain(now);
  },
);

test('finding 6: a yes to the second card pays the amount on it', async () => {
  decide = swapOnce('hidden', 'once');
  await pay();
  expect(prompts).toHaveLength(2);
  const fields = { account: 'mallory', quantity: '2', cvc: '731' };
  await expect.poll(() => site.payments).toEqual([{ host: new URL(site.url).host, fields }]);
});

test.each([
  ['submit()', 'element.fill', '[name=quantity]', { text: '3' }],
  ['requestSubmit()', 'element.fill', '[name=quantity]', { text: '3' }],
  ['submit()', 'element.click', '#more', {}],
  ['requestSubmit()', 'element.click', '#more', {}],
] as const)(
  '[BRG-128] a form that the page sends by %s because of %s is asked about: a no keeps it, a yes sends it once',
  async (sends, name, selector, args) => {
    const prepare = (script: string) => {
      const form = document.querySelector('form');
      const send = () => (script === 'submit()' ? form?.submit() : form?.requestSubmit());
      const more = document.createElement('div');
      more.id = 'more';
      more.textContent = 'Details';
      more.onclick = send;
      document.body.append(more);
      form?.addEventListener('input', send);
      return form !== null;
    };
    // The form of the test before may still lead to its next page.
    await expect.poll(() => page.evaluate(prepare, sends).catch(() => false)).toBe(true);
    decide = async () => 'deny';
    await expect(on(selector, name, args)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('was not sent'),
    });
    expect([prompts.length, site.payments]).toEqual([1, []]);
    expect(prompts[0]).toContain(`The page sends it because of ${name}.`);
    decide = async () => 'once';
    await on(selector, name, args);
    await expect.poll(() => site.payments.length).toBe(1);
    expect(prompts).toHaveLength(2);
  },
);

test.each(['', '#receipt'])('finding 3: three reloads of a paid page%s resend nothing', async (fragment) => {
  decide = async () => 'once';
  await pay();
  await expect.poll(() => site.payments).toHaveLength(1);
  if (fragment !== '') await call('browser.navigate', { url: `${site.url}/paid${fragment}` });
  for (let times = 0; times < 3; times++) {
    await call('browser.navigate', { reload: true });
    expect(await call('page.info')).toMatchObject({ url: `${site.url}/paid${fragment}` });
    expect(await call('page.read')).toMatchObject({ text: expect.stringContaining('GET /paid') });
  }
  expect(site.payments).toHaveLength(1);
  expect(prompts).toHaveLength(1);
});

test.each(['', '-no-store'])('finding 3: going back to a paid page%s resends nothing', async (path) => {
  decide = async () => 'once';
  await call('browser.navigate', { url: `${site.url}/send${path}` });
  await pay();
  await expect.poll(() => site.payments).toHaveLength(1);
  // Chrome skips pages without a user gesture when going back.
  await page.mouse.click(300, 300);
  await call('browser.navigate', { url: `${site.url}/next` });
  await call('browser.navigate', { back: true }).catch(() => undefined);
  const [tab] = (await harness.state()).tabs;
  const shown = await harness.inExtension(
    async (id: number) => Reflect.get(globalThis, 'chrome').tabs.get(id),
    tab?.tabId ?? 0,
  );
  // Chrome cannot show a page that it may not store, so the tab goes forward again.
  const there = path === '' ? '/paid' : '/next';
  expect(shown).toMatchObject({ url: `${site.url}${there}` });
  await call('browser.navigate', { reload: true });
  expect(site.payments).toHaveLength(1);
});
