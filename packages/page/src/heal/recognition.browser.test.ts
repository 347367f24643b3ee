import { describe, expect, test } from 'vitest';
import { sharedPage, type TestPage } from '../../test/page-harness.ts';

const shared = sharedPage();

const row = (name: string) => `<div class=row><span>${name}</span><button>Edit</button></div>`;
const rows = (names: readonly string[]) => names.map(row).join('');
const NAMES = ['Milk', 'Bread', 'Eggs', 'Rice'];

/** Ids by the text of their row. */
async function idsIn(page: TestPage): Promise<Record<string, string>> {
  const { page: seen } = await page.snapshot({ form: 'view', scope: 'page' });
  const ids = seen.interactive_tree.map(({ i }) => i);
  return page.run(
    (all) =>
      Object.fromEntries(
        all.map((id) => {
          const element = drawbridgeKit.registry.elementOf(id);
          return [element?.closest('.row')?.firstChild?.textContent ?? element?.textContent ?? '', id];
        }),
      ),
    ids,
  );
}

const render = (page: TestPage, html: string) =>
  page.run((text) => {
    const list = document.querySelector('#list');
    if (list !== null) list.innerHTML = text;
  }, html);

describe('[INT-297] a snapshot gives things their ids back', () => {
  test.each([
    ['rendered again', NAMES],
    ['reversed', [...NAMES].reverse()],
    ['with one removed', ['Milk', 'Eggs', 'Rice']],
    ['with one added', ['Tea', ...NAMES]],
  ])('%s', async (_what, after) => {
    const page = await shared.show(`<h1>Tasks</h1><div id=list>${rows(NAMES)}</div>`);
    const before = await idsIn(page);
    await render(page, rows(after));
    const now = await idsIn(page);
    for (const name of NAMES) if (after.includes(name)) expect(now[name], name).toBe(before[name]);
    expect(new Set(Object.values(now)).size).toBe(after.length);
    for (const name of after)
      if (!NAMES.includes(name)) expect(Object.values(before)).not.toContain(now[name]);
  });

  test('scrolled away and back', async () => {
    const page = await shared.show(`<div id=list>${rows(['Entry A', 'Entry B'])}</div>`);
    const before = await idsIn(page);
    await render(page, rows(['Entry C', 'Entry D']));
    const away = await idsIn(page);
    await render(page, rows(['Entry A', 'Entry B']));
    expect(await idsIn(page)).toEqual(before);
    expect(Object.values(away).filter((id) => Object.values(before).includes(id))).toEqual([]);
  });

  test('moved to another node of a list that reuses its nodes', async () => {
    const page = await shared.show(`<div id=list>${rows(NAMES)}</div>`);
    const before = await idsIn(page);
    await page.run(() => {
      const names = [...document.querySelectorAll('.row span')];
      const texts = names.map((name) => name.textContent);
      names.forEach((name, index) => {
        name.textContent = texts.at(index - 1) ?? '';
      });
    });
    expect(await idsIn(page)).toEqual(before);
  });

  test('and a renamed button keeps its own', async () => {
    const page = await shared.show('<button>Play</button><button>Stop</button>');
    const before = await idsIn(page);
    await page.run(() => {
      const [play] = document.querySelectorAll('button');
      if (play !== undefined) play.textContent = 'Pause';
    });
    expect(await idsIn(page)).toEqual({ Pause: before['Play'], Stop: before['Stop'] });
  });

  test('but new ones to those that tie', async () => {
    const twins = '<div class=row><button>Buy</button></div>'.repeat(3);
    const page = await shared.show(`<div id=list>${twins}</div>`);
    const ids = async () => (await page.nodes({ form: 'view' })).map(({ i }) => i);
    const before = await ids();
    await render(page, twins);
    const now = await ids();
    expect(now).toHaveLength(3);
    expect(now.filter((id) => before.includes(id))).toEqual([]);
  });
});
