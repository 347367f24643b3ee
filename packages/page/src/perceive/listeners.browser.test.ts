import { describe, expect, test } from 'vitest';
import { pageWith, type TestPage } from '../../test/page-harness.ts';
import { LISTENER_PAGE } from '../../test/perceive/listener-cases.ts';

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

/** Acts as a host with a debugger: collects all listeners and hands their elements to page code. */
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
  test('has the stated size', () => {
    expect(allCases.length).toBe(65);
    expect(styles.length).toBeGreaterThanOrEqual(20);
  });

  test('lists all with a host that sees listeners', async () => {
    await using page = await open();
    await handOverListeners(page);
    expect(await announced(page)).toEqual(allCases);
  });

  test('lists all but the silent ones without such a host', async () => {
    await using page = await open();
    expect(await announced(page)).toEqual(allCases.filter((id) => !silentCases.includes(id)));
  });

  test('lists none twice, and nothing else', async () => {
    await using page = await open();
    await handOverListeners(page);
    expect((await page.nodes()).length).toBe(65);
  });
});

test('does not list elements that only look pressable', async () => {
  await using page = await pageWith(
    '<div id="a">text</div><p data-action="scroll->x#y">text</p><div data-bind="text: a">text</div><ul><li>a</li></ul>',
  );
  expect(await page.lines()).toBe('');
});
