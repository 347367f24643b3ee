import {
  type Extractor,
  type PageProbe,
  type RawExtraction,
  type RawMatch,
  type RunPrimitive,
  shapeRecords,
} from '@drawbridge/manifest';
import type { ExtractEntry, ExtractField, Target } from '@drawbridge/protocol/manifest';
import type { OpenPage } from '@drawbridge/testbed';

/** As much of a runtime's page side as it takes to try a map on a real page. */

type Page = OpenPage['page'];

export function extractorOf(page: Page): Extractor {
  return { extract: async (entries) => shapeRecords(entries, await page.evaluate(readDocument, entries)) };
}

/** Runs inside the page, so it holds everything that it calls. */
function readDocument(entries: readonly ExtractEntry[]): RawExtraction {
  const places = (from: Element | Document, { selector, xpath }: ExtractField): Element[] => {
    if (xpath !== undefined) return byPath(from, xpath);
    for (const one of [selector ?? []].flat()) {
      const found = [...from.querySelectorAll(one)];
      if (found.length > 0) return found;
    }
    return selector === undefined && from instanceof Element ? [from] : [];
  };
  const byPath = (from: Node, path: string): Element[] => {
    const found = document.evaluate(path, from, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const nodes = Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
    return nodes.filter((node) => node instanceof Element);
  };
  const readingOf = (element: Element, { property = 'innerText', attribute }: ExtractField): unknown => {
    if (attribute !== undefined) return element.getAttribute(attribute);
    if (property === 'boundingClientRect') return element.getBoundingClientRect().toJSON();
    return Reflect.get(element, property) ?? null;
  };
  const matchOf = (element: Element, field: ExtractField): RawMatch => {
    if (field.fields === undefined) return { value: readingOf(element, field) };
    const inner = Object.entries(field.fields).map(([name, each]) => {
      const from = each.closest === undefined ? element : element.closest(each.closest);
      return [name, from === null ? [] : places(from, each).map((found) => matchOf(found, each))] as const;
    });
    return { fields: Object.fromEntries(inner) };
  };
  const matches = entries.map(
    (entry) => [entry.id, places(document, entry).map((found) => matchOf(found, entry))] as const,
  );
  return { url: location.href, title: document.title, matches: Object.fromEntries(matches) };
}

interface Locator {
  readonly selector: string;
  readonly text_contains?: string;
  readonly text_equals?: string;
}

/** The arguments that the shipped maps give to primitives. */
interface Arguments {
  readonly locator: Locator;
  readonly target: Locator;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly selector: string;
  readonly attributes: string[];
  readonly timeout_ms?: number;
}

const PRIMITIVES: Readonly<Record<string, (page: Page, args: Arguments) => Promise<unknown>>> = {
  'locator.wait_for': async (page, { locator, timeout_ms }) => {
    await find(page, locator).waitFor(timeout_ms === undefined ? {} : { timeout: timeout_ms });
    return { matched: true };
  },
  'locator.element_info': async (page, { locator }) => {
    const found = find(page, locator);
    await found.scrollIntoViewIfNeeded();
    const box = (await found.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { clickable_center: { x: box.x + box.width / 2, y: box.y + box.height / 2 } };
  },
  'locator.text_content': async (page, { locator }) => ({ text: await find(page, locator).textContent() }),
  'dom.observe.attributes': async (page, { selector, attributes }) => ({
    matches: await page.locator(selector).evaluateAll(
      (elements, names) =>
        elements.map((element) => ({
          attributes: Object.fromEntries(names.map((name) => [name, element.getAttribute(name)])),
        })),
      attributes,
    ),
  }),
  'text.insert': async (page, { target, text }) => {
    const field = find(page, target);
    const isChoice = await field.evaluate((element) => element instanceof HTMLSelectElement);
    await (isChoice ? field.selectOption(text) : field.fill(text));
    return { inserted: true };
  },
  'element.click': (page, { locator }) => andArrive(page, () => find(page, locator).click()),
  'pointer.click': (page, { x, y }) => andArrive(page, () => page.mouse.click(x, y)),
};

const find = (page: Page, locator: Locator) => textual(page, locator).first();

function textual(page: Page, { selector, text_contains, text_equals }: Locator) {
  const found = page.locator(selector);
  if (text_equals !== undefined) return found.filter({ hasText: new RegExp(`^\\s*${text_equals}\\s*$`) });
  return text_contains === undefined ? found : found.filter({ hasText: text_contains });
}

export function primitivesOf(page: Page): RunPrimitive {
  return async (name, args) => {
    const run = PRIMITIVES[name];
    if (run === undefined) throw new Error(`The walk has no ${name}.`);
    return run(page, args as unknown as Arguments);
  };
}

/** Finds targets as rules MAN-130 to MAN-132 say: selectors in their order, narrowed by role, name and text. */
export function probeOf(page: Page): PageProbe {
  return {
    url: async () => page.url(),
    async find(target) {
      const preferred = [target.selector ?? [], target.selectors ?? []].flat();
      for (const selector of [...preferred, ...[target.fallback_selectors ?? []].flat()]) {
        const found = narrowed(page, selector, target);
        const count = await found.count();
        if (count === 0) continue;
        return {
          count,
          visible: await found.first().isVisible(),
          selector,
          usedFallback: !preferred.includes(selector),
        };
      }
      return { count: 0, visible: false };
    },
  };
}

function narrowed(page: Page, selector: string, { role, name, text_equals, text_contains }: Target) {
  const found = textual(page, {
    selector,
    ...(text_equals && { text_equals }),
    ...(text_contains && { text_contains }),
  });
  if (role === undefined) return found;
  const elements = page.locator(`role=${role}${name === undefined ? '' : `[name=${JSON.stringify(name)}]`}`);
  return found.and(elements);
}

/** A page tells when it is about to leave, so that whoever acted can wait for the next one to be there. */
export async function watchLeaving(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const navigation: EventTarget = Reflect.get(window, 'navigation');
    navigation.addEventListener('navigate', (event) => {
      const { sameDocument } = Reflect.get(event, 'destination');
      if (!sameDocument) document.documentElement.dataset['leaving'] = 'yes';
    });
  });
}

async function andArrive(page: Page, act: () => Promise<void>): Promise<unknown> {
  const arrival = page.waitForEvent('load').catch(() => undefined);
  await act();
  // A form's navigation starts in an earlier task than this timeout. A failed evaluation means that the page has left.
  const isLeaving = await page
    .evaluate(
      () => new Promise((tell) => setTimeout(() => tell('leaving' in document.documentElement.dataset))),
    )
    .catch(() => true);
  if (isLeaving) await arrival;
  return { done: true };
}
