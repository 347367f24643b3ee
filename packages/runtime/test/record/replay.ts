import { systemClock } from '@drawbridge/link';
import { callTool, type Evaluator, type RunPrimitive } from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import type { OpenPage } from '@drawbridge/testbed';

type Page = OpenPage['page'];

interface Locator {
  readonly selector?: string;
  readonly role?: string;
  readonly name?: string;
  readonly text_contains?: string;
  readonly url_contains?: string;
}

interface Arguments {
  readonly locator: Locator;
  readonly target: Locator;
  readonly text: string;
  readonly key: string;
  readonly timeout_ms?: number;
}

/** A minimal runtime for a recorded tool: each primitive uses its first selector only. */
const PRIMITIVES: Readonly<Record<string, (page: Page, args: Arguments) => Promise<unknown>>> = {
  'locator.wait_for': async (page, { locator, timeout_ms = 5000 }) => {
    if (locator.url_contains !== undefined)
      await page.waitForURL((url) => url.href.includes(locator.url_contains ?? ''), {
        waitUntil: 'domcontentloaded',
      });
    await find(page, locator).waitFor({ timeout: timeout_ms });
    return { matched: true };
  },
  'locator.text_content': async (page, { locator }) => ({ text: await find(page, locator).textContent() }),
  'element.click': async (page, { locator }) => {
    // Read in one step, as the shop re-renders its lists.
    const { selector } = locator;
    const { x, y } =
      selector === undefined
        ? await find(page, locator).evaluate(centreOf)
        : await page.evaluate<{ x: number; y: number }>(
            `(${centreOf})(document.querySelector(${JSON.stringify(selector)}))`,
          );
    return { clicked: await page.mouse.click(x, y) };
  },
  'dom.focus': async (page, { locator }) => ({ focused: await find(page, locator).focus() }),
  'keyboard.press': async (page, { key }) => ({ pressed: await page.keyboard.press(key) }),
  'text.insert': async (page, { target, text }) => {
    const field = find(page, target);
    const tag = await field.evaluate((element) => element.localName);
    if (text === 'true' || text === 'false') await field.setChecked(text === 'true');
    else if (tag === 'select') await field.selectOption(text);
    else await field.fill(text);
    return { inserted: true };
  },
  'page.wait': async (page) => ({ matched: await page.waitForLoadState('load') }),
};

/** Runs inside the page. */
function centreOf(element: Element) {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

function find(page: Page, { selector, role, name, text_contains }: Locator) {
  const found = page.locator(selector ?? `role=${role}[name=${JSON.stringify(name)}]`);
  return (text_contains === undefined ? found : found.filter({ hasText: text_contains })).first();
}

export async function callIn(
  page: Page,
  map: Manifest,
  evaluator: Evaluator,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const run: RunPrimitive = async (primitive, args) => {
    const work = PRIMITIVES[primitive];
    if (work === undefined) throw new Error(`The replay has no ${primitive}.`);
    return work(page, args as unknown as Arguments);
  };
  const probe = {
    url: async () => page.url(),
    find: async () => ({ count: 1, visible: true }),
  };
  const result = await callTool(
    { ready: true, map, warnings: [] },
    { name, arguments: input, timeoutMs: 20_000 },
    {
      active: true,
      probe,
      capabilities: new Set(map.tools.flatMap(({ requires = [] }) => requires)),
      handlers: new Map(),
      checkResults: [],
      ledger: new Map(),
    },
    { runPrimitive: run, evaluator, clock: systemClock },
  );
  if (result.status !== 'done') throw new Error(`${name} waits for its page.`);
  return result.output;
}
