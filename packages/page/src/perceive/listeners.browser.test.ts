import { describe, expect, test } from 'vitest';
import { pageWith, type TestPage } from '../page.suite.ts';
import { LISTENER_PAGE } from './listener-cases.suite.ts';

const { html, styles } = LISTENER_PAGE;
const allCases = styles.flatMap(({ ids }) => ids);
const silentCases = styles.filter(({ silent }) => silent).flatMap(({ ids }) => ids);
const script = styles
  .filter(({ attach }) => attach !== '')
  .map(({ attach, ids }) => `attachAll(${JSON.stringify(ids)}, ${attach})`)
  .join(';\n');
const ATTACH_ALL =
  'const cases = [...document.querySelectorAll("[data-case]")];' +
  'const attachAll = (ids, attach) => ids.forEach((id, place) => attach(cases[id - 1], place));';

const open = () =>
  pageWith(`<body>${html}<script>window.listening = new Set();\n${ATTACH_ALL}\n${script}</script>`, {
    viewport: { width: 1280, height: 1600 },
    hooks: () => ({ listenerHint: (element) => Reflect.get(window, 'listening').has(element) }),
  });

async function announced(page: TestPage): Promise<string[]> {
  const nodes = await page.nodes();
  const cases = await page.run(
    (ids) => ids.map((id) => drawbridgeKit.registry.elementOf(id)?.getAttribute('data-case') ?? ''),
    nodes.map((node) => node.i),
  );
  return cases.filter((id) => id !== '').sort((one, other) => Number(one) - Number(other));
}

const PRESSES = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];

/** What a host with a debugger does: asks for every listener and hands the elements to the page code. */
async function handOverListeners({ page }: TestPage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression: 'document' });
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId ?? '',
    depth: -1,
    pierce: true,
  });
  for (const { type, backendNodeId } of listeners) {
    if (!PRESSES.includes(type) || backendNodeId === undefined) continue;
    const { object } = await session.send('DOM.resolveNode', { backendNodeId });
    await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { listening.add(this) }',
      objectId: object.objectId ?? '',
    });
  }
}

describe('[INT-215] 65 elements that only listen', () => {
  test('the set is what it says', () => {
    expect(allCases.length).toBe(65);
    expect(styles.length).toBeGreaterThanOrEqual(20);
  });

  test('with a host that sees listeners, every one is announced', async () => {
    await using page = await open();
    await handOverListeners(page);
    expect(await announced(page)).toEqual(allCases);
  });

  test('without one, all but those that nothing gives away', async () => {
    await using page = await open();
    expect(await announced(page)).toEqual(allCases.filter((id) => !silentCases.includes(id)));
  });

  test('none is announced twice, and nothing else is', async () => {
    await using page = await open();
    await handOverListeners(page);
    expect((await page.nodes()).length).toBe(65);
  });
});

test('elements that only look it are not announced', async () => {
  await using page = await pageWith(
    '<div id="a">text</div><p data-action="scroll->x#y">text</p><div data-bind="text: a">text</div><ul><li>a</li></ul>',
  );
  expect(await page.lines()).toBe('');
});
