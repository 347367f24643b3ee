import { openPage, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionsPage, withActions } from '../../test/act/page-actions.ts';

let shop: Shop | undefined;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop?.close());

async function visit(path: string, ready: string): Promise<ActionsPage> {
  const opened = await openPage({ baseURL: shop?.url ?? '', viewport: { width: 1280, height: 1600 } });
  await opened.page.goto(path);
  await opened.page.getByText(ready).first().waitFor();
  return withActions(opened);
}

test('[INT-232] reports a 0.4 s toast in the effect of its press', async () => {
  await using actions = await visit('/corners/toasts', '0.4 seconds');
  expect(await actions.done('click', '0.4 seconds')).toMatchObject({
    success_messages: ['Copied.'],
    verification_passed: true,
  });
});

test.each([
  ['An error', { errors_detected: ['Could not save: the list is full.'], verification_passed: false }],
  ['In German', { success_messages: ['Gespeichert. Die Lampe liegt im Warenkorb.'] }],
  ['A silent toast', { success_messages: ['Lamp moved to your wish list'] }],
])('[INT-235] the toast "%s" is understood', async (button, sent) => {
  await using actions = await visit('/corners/toasts', '0.4 seconds');
  expect(await actions.done('click', button)).toMatchObject(sent);
});

test('[INT-242] [INT-297] adds the right lamp by its old id in a React list that replaces its nodes', async () => {
  await using actions = await visit('/search', 'Add');
  const name = (await actions.see()).find(({ n }) => /^Add .+ to cart$/.test(n))?.n ?? '';
  const first = await actions.done('click', name);
  expect(first.success_messages).toEqual([expect.stringMatching(/is in your cart\.$/)]);
  const second = await actions.done('click', name);
  expect(second.id).toBe(actions.idOf(name));
  expect(second.success_messages).toEqual(first.success_messages);
});

test('notifies a React field of filled text', async () => {
  await using actions = await visit('/search', 'Add');
  const results = { expected: { type: 'element_appears', element: { text: 'for “lantern”' } } } as const;
  const done = await actions.done('fill', 'Search the shop', 'lantern', results);
  expect(done).toMatchObject({ reads: 'lantern', verification_passed: true });
});

test('[INT-212] does not press a recycled node of ten thousand rows for its old row', async () => {
  await using actions = await visit('/corners/rows', 'Ash peg 00001');
  const name = 'Reserve Ash peg 00001';
  await actions.page.locator('#rows').evaluate((list) => list.scrollTo(0, 44 * 500));
  await actions.page.getByText('00501').first().waitFor();
  expect(await actions.refused('click', name)).toMatchObject({ evidence: { reason: 'changed_identity' } });
  expect(await actions.text('#reserved')).toBe('Nothing reserved.');
});

test('[INT-242] presses a row that moved to another node', async () => {
  await using actions = await visit('/corners/rows', 'Ash peg 00001');
  const name = (await actions.see()).find(({ n }) => / 00005$/.test(n))?.n ?? '';
  await actions.page.locator('#rows').evaluate((list) => list.scrollTo(0, 44 * 500));
  await actions.page.getByText('00501').first().waitFor();
  await actions.page.locator('#rows').evaluate((list) => list.scrollTo(0, 0));
  await actions.page.getByText('00005').first().waitFor();
  await actions.done('click', name);
  expect(await actions.text('#reserved')).toMatch(/^Reserved row 5: /);
});

test.each(['Card to go with the gift', 'Review', 'Note to the driver', 'Light recipe'])(
  'the editor "%s" takes text and says it back',
  async (name) => {
    await using actions = await visit('/corners/editor', 'Review');
    const id = (await actions.see()).find(({ n, r }) => n === name && r === 'inp')?.i ?? '';
    const fill = (text: string) =>
      actions.run(([field, words]) => actionsKit.actions.fill(field, words), [id, text] as const);
    expect(await fill('Burns all night.')).toMatchObject({
      ok: true,
      reads: 'Burns all night.',
      verification_passed: true,
    });
    expect(await fill('Eight hours.')).toMatchObject({
      ok: true,
      reads: 'Eight hours.',
      verification_passed: true,
    });
  },
);

test("fills ProseMirror's own document", async () => {
  await using actions = await visit('/corners/editor', 'Review');
  const id = (await actions.see()).find(({ n, r }) => n === 'Review' && r === 'inp')?.i ?? '';
  await actions.run((field) => actionsKit.actions.fill(field, 'Burns all night.'), id);
  expect(await actions.done('click', 'Save review')).toMatchObject({ success_messages: ['Review saved.'] });
  expect(await actions.text('#rich-text')).toBe('Burns all night.');
});

test.each([
  ['Lexical', 'Note to the driver', '#note-text'],
  ['CodeMirror', 'Light recipe', '#recipe-text'],
])("%s's own document holds what was filled in, and what was typed after it", async (_, name, output) => {
  await using actions = await visit('/corners/editor', 'Review');
  const id = (await actions.see()).find(({ n, r }) => n === name && r === 'inp')?.i ?? '';
  await actions.run((field) => actionsKit.actions.fill(field, 'Leave it'), id);
  expect(await actions.text(output)).toBe('Leave it');
  await actions.run((field) => actionsKit.actions.type(field, ' at the door'), id);
  expect(await actions.text(output)).toBe('Leave it at the door');
  await actions.run((field) => actionsKit.actions.fill(field, 'Ring twice'), id);
  expect(await actions.text(output)).toBe('Ring twice');
});

test('puts files into a plain field, behind a button, and onto a drop area', async () => {
  await using actions = await visit('/corners/upload', 'Drop files here');
  const file = (name: string) => [{ name, type: 'text/plain', base64: btoa(name) }];
  const received = (name: string) =>
    ({ expected: { type: 'element_appears', element: { text: name } } }) as const;
  expect(
    await actions.done('upload', 'Photo of the damage', file('plain.txt'), received('plain.txt')),
  ).toMatchObject({ verification_passed: true });
  expect(
    await actions.done('upload', 'Choose more files…', file('hidden.txt'), received('hidden.txt')),
  ).toMatchObject({ verification_passed: true });
  const dropped = await actions.run(async (given) => {
    const place = document.querySelector('#drop');
    const id = place === null ? '' : actionsKit.registry.idOf(place);
    return actionsKit.actions.upload(id, given, {
      expected: { type: 'element_appears', element: { text: 'dropped.txt' } },
    });
  }, file('dropped.txt'));
  expect(dropped).toMatchObject({ ok: true, verification_passed: true });
});

test('reports the page as covered by a modal dialog, which can be answered', async () => {
  await using actions = await visit('/corners/dialogs', 'Open a modal dialog');
  const opened = await actions.done('click', 'Open a modal dialog');
  expect(opened.effect.dialogs).toEqual(['Remove the lamp from your list?']);
  expect(await actions.refused('click', 'Open a popover')).toMatchObject({
    evidence: { cover: "dialog 'Remove the lamp from your list?'" },
  });
  await actions.see();
  await actions.done('click', 'Keep it');
  expect(await actions.text('#answer')).toBe('dialog: keep');
});

test('[INT-214] fills and sends forms in open and nested shadow trees', async () => {
  await using actions = await visit('/corners/shadow', 'Shadow trees');
  const nodes = await actions.see();
  const fields = nodes.filter(({ n }) => n === 'Tell me below (€)');
  const buttons = nodes.filter(({ n }) => n === 'Set alert');
  for (const [index, field] of fields.entries()) {
    await actions.run(([id]) => actionsKit.actions.fill(id, '40'), [field.i] as const);
    await actions.run(([id]) => actionsKit.actions.click(id), [buttons[index]?.i ?? ''] as const);
  }
  expect(await actions.text('#alerts')).toBe('Dusk table lamp below 40 €; Wool blanket below 40 €');
});

test('acts under the strictest policy', async () => {
  await using actions = await visit('/corners/strict', 'Ask');
  expect(await actions.done('fill', 'Your question', 'Is it oak?')).toMatchObject({ reads: 'Is it oak?' });
  expect(await actions.done('click', 'Ask')).toMatchObject({ effect: { happened: true } });
});

test.each(['Move the ids', 'Copy an id', 'Swap two labels', 'Replace the nodes', 'Add a lookalike'])(
  '[INT-210] [INT-211] [INT-212] a page that lies ("%s") gets no press but the one that was meant',
  async (command) => {
    await using actions = await visit('/corners/hostile', 'Keep the lantern');
    await actions.page.getByRole('button', { name: command }).click();
    await actions.done('click', 'Keep the lantern');
    expect(await actions.text('#pressed')).toMatch(/^Keep the lantern /);
  },
);

test('[INT-212] an id means what the last report called it, after an action swapped two labels', async () => {
  await using actions = await visit('/corners/hostile', 'Keep the lantern');
  const { effect } = await actions.done('click', 'Swap two labels');
  const [kept, deleted] = ['Keep the lantern', 'Delete the list'].map(
    (name) => effect.changed.find(({ n }) => n === name)?.i ?? '',
  );
  expect([kept, deleted]).toEqual([actions.idOf('Delete the list'), actions.idOf('Keep the lantern')]);
  const press = (id = '') => actions.run((each) => actionsKit.actions.click(each), id);
  await press(kept);
  expect(await actions.text('#pressed')).toMatch(/^Keep the lantern /);
  // Swapped again, and not reported.
  await actions.page.getByRole('button', { name: 'Swap two labels' }).click();
  await press(kept);
  expect(await actions.text('#pressed')).toMatch(/^Keep the lantern /);
});

test('[INT-124] presses nothing on a page that covers its buttons', async () => {
  await using actions = await visit('/corners/hostile', 'Keep the lantern');
  await actions.done('click', 'Cover them');
  expect(await actions.refused('click', 'Keep the lantern')).toMatchObject({
    evidence: { reason: 'covered', cover: "div 'sly-cover'" },
  });
});

test('reports checkout errors by field, and the modal over its page', async () => {
  await using opened = await openPage({ baseURL: shop?.url ?? '', viewport: { width: 1280, height: 1600 } });
  await opened.page.goto('/search');
  await opened.page.getByRole('button', { name: /^Add / }).first().click();
  await opened.page.getByText('is in your cart.').waitFor();
  await opened.page.goto('/checkout');
  await opened.page.getByLabel('Full name').waitFor();
  const actions = await withActions(opened);
  const missing = await actions.done('click', 'Continue to payment');
  expect(missing.verification_passed).toBe(false);
  expect(missing.errors_detected.length).toBeGreaterThan(0);
  await actions.see();
  await actions.done('fill', 'Email', 'buyer@example.com');
  await actions.done('fill', 'Full name', 'Demo Buyer');
  await actions.done('fill', 'Street and number', 'Harbour Street 1');
  await actions.done('fill', 'Postcode', '10115');
  await actions.done('fill', 'Town or city', 'Berlin');
  expect(await actions.done('select', 'Country', { label: 'Germany' })).toMatchObject({ reads: 'Germany' });
  const paying = await actions.done('click', 'Continue to payment');
  expect(paying.effect.dialogs).toEqual([expect.stringMatching(/^Pay /)]);
  expect(await actions.refused('click', 'Continue to payment')).toMatchObject({
    evidence: { reason: 'covered' },
  });
});
