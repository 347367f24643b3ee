import { describe, expect, test } from 'vitest';
import { pageCodeBundle, pageWith, type TestPage } from '../../test/page-harness.ts';

const STAMPS = () =>
  [...document.querySelectorAll('[data-llm-id]')].map(
    (element) => `${element.getAttribute('data-llm-id')} ${element.textContent}`,
  );

/** The tagger with idle callbacks controlled by the test. */
async function startTagger(page: TestPage): Promise<void> {
  await page.run(() => {
    const waiting: (() => void)[] = [];
    const tagger = drawbridgeKit.code.createTagger({
      watch: drawbridgeKit.code.createWatch({ document }),
      registry: drawbridgeKit.registry,
      whenIdle: (work) => waiting.push(() => work(() => true)),
    });
    Object.assign(window, { tagger, idle: () => waiting.splice(0).forEach((work) => void work()) });
  });
}
const idle = (page: TestPage) =>
  page.run(async () => {
    await Promise.resolve();
    Reflect.get(window, 'idle')();
  });

describe('tag and freeze', () => {
  test('[INT-208] stamps actionable elements, and later ones as they appear', async () => {
    await using page = await pageWith('<a href="/">a</a><p>text</p><button>b</button><div id="later"></div>');
    await startTagger(page);
    await idle(page);
    expect(await page.run(STAMPS)).toEqual(['1 a', '2 b']);
    await page.run(() => {
      const box = document.createElement('div');
      box.append(Object.assign(document.createElement('button'), { textContent: 'c' }));
      document.querySelector('#later')?.append(box);
    });
    await idle(page);
    expect(await page.run(STAMPS)).toEqual(['1 a', '2 b', '3 c']);
  });

  test('[INT-208] stamps elements that appear in shadow roots and frames', async () => {
    await using page = await pageWith(
      '<div id="h"><template shadowrootmode="open"><button>a</button></template></div><iframe srcdoc="<button>b</button>"></iframe>',
    );
    await page.page.frameLocator('iframe').getByText('b').waitFor();
    await startTagger(page);
    await idle(page);
    await idle(page);
    const ids = await page.run(() => [
      document.querySelector('#h')?.shadowRoot?.querySelector('button')?.getAttribute('data-llm-id'),
      document.querySelector('iframe')?.contentDocument?.querySelector('button')?.getAttribute('data-llm-id'),
    ]);
    expect(ids).toEqual(['1', 'f1_2']);
  });

  test('yields to the page and continues where it stopped', async () => {
    await using page = await pageWith(
      `<div>${'<p><button>b</button></p>'.repeat(300)}</div><button>last</button>`,
    );
    const counts = await page.run(() => {
      const waiting: ((hasTime: () => boolean) => void)[] = [];
      drawbridgeKit.code.createTagger({
        watch: drawbridgeKit.code.createWatch({ document }),
        registry: drawbridgeKit.registry,
        whenIdle: (work) => waiting.push(work),
      });
      const seen: number[] = [];
      while (waiting.length > 0) {
        waiting.shift()?.(() => false);
        seen.push(document.querySelectorAll('[data-llm-id]').length);
      }
      return seen;
    });
    expect(counts.length).toBeGreaterThan(5);
    expect(counts.at(-1)).toBe(301);
    const ids = await page.run(() =>
      [...document.querySelectorAll('button')].map((button) => button.getAttribute('data-llm-id')),
    );
    expect(ids).toEqual(Array.from({ length: 301 }, (_, index) => String(index + 1)));
  });

  test('stops stamping on close, and removes stamps with the registry', async () => {
    await using page = await pageWith('<button>a</button>');
    await startTagger(page);
    await idle(page);
    await page.run(() => {
      Reflect.get(window, 'tagger').close();
      document.body.append(document.createElement('button'));
    });
    await idle(page);
    expect(await page.run(STAMPS)).toEqual(['1 a']);
    await page.run(() => drawbridgeKit.registry.close());
    expect(await page.run(STAMPS)).toEqual([]);
  });
});

describe('ownership of ids', () => {
  test("[INT-209] keeps an element's id through changes of the page", async () => {
    await using page = await pageWith('<div id="x"><button>a</button></div><div id="y"></div>');
    expect(await page.lines()).toBe('1 btn a');
    await page.run(() => {
      const button = document.querySelector('button');
      if (button !== null) document.querySelector('#y')?.append(button);
      button?.append('!');
      document.querySelector('#x')?.append(document.createElement('hr'));
    });
    expect(await page.lines()).toBe('1 btn a!');
  });

  test('[INT-210] gives a copy a new id and reuses none', async () => {
    await using page = await pageWith('<button>a</button>');
    await page.snapshot();
    await page.run(() => {
      const button = document.querySelector('button');
      const copy = button?.cloneNode(true);
      if (copy) button?.before(copy);
    });
    expect(await page.lines()).toBe('2 btn a\n1 btn a');
    await page.run(() => document.querySelector('button')?.remove());
    await page.run(() =>
      document.body.append(Object.assign(document.createElement('button'), { textContent: 'new' })),
    );
    expect(await page.lines()).toBe('1 btn a\n3 btn new');
  });

  test('[INT-211] does not let the page remove or forge an id', async () => {
    await using page = await pageWith('<button id="a">a</button><button id="b" data-llm-id="1">b</button>');
    expect(await page.lines()).toBe('1 btn a\n2 btn b');
    const meant = await page.run(() => {
      const [a, b] = document.querySelectorAll('button');
      a?.removeAttribute('data-llm-id');
      b?.setAttribute('data-llm-id', '1');
      return ['1', '2'].map((id) => drawbridgeKit.registry.elementOf(id)?.id);
    });
    expect(meant).toEqual(['a', 'b']);
    expect(await page.lines()).toBe('1 btn a\n2 btn b');
  });

  test('[INT-213] reuses no id in a frame that loads another document', async () => {
    await using page = await pageWith('<iframe srcdoc="<button>one</button>"></iframe>');
    await page.page.frameLocator('iframe').getByText('one').waitFor();
    expect(await page.lines()).toBe('f1_1 btn one');
    await page.run(() => document.querySelector('iframe')?.setAttribute('srcdoc', '<button>two</button>'));
    await page.page.frameLocator('iframe').getByText('two').waitFor();
    expect(await page.lines()).toBe('f1_2 btn two');
  });
});

test('leaves only the stamps on the page in an isolated world', async () => {
  await using page = await pageWith('<button onclick="1">a</button><div style="cursor:pointer">b</div>');
  const session = await page.page.context().newCDPSession(page.page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'drawbridge',
  });
  await page.run(() => Object.assign(window, { drawbridgePage: undefined }));
  const { result } = await session.send('Runtime.evaluate', {
    contextId,
    returnByValue: true,
    expression: `${await pageCodeBundle()};
      drawbridgePage.createPerception({ document, registry: drawbridgePage.createElementRegistry() })
        .snapshot({ form: 'lines' }).text.replace(/ @\\d+,\\d+/g, '')`,
  });
  expect(result.value).toBe('1 btn a\n2 btn b');
  expect(await page.run(() => Reflect.get(window, 'drawbridgePage'))).toBe(undefined);
});
