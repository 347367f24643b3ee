import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

const SIZES = `<select aria-label=Size onchange="out.value=this.value"><option value=s>Small<option value=m>Medium<option value=l disabled>Large</select><output id=out></output>`;

test.each([{ value: 'm' }, { label: 'Medium' }, { index: 1 }])('select chooses by %o', async (choice) => {
  await using actions = await actionsOn(SIZES);
  expect(await actions.done('select', 'Size', choice)).toMatchObject({
    reads: 'Medium',
    verification_passed: true,
  });
  expect(await actions.text('#out')).toBe('m');
});

test.each([
  ['not_a_choice', { label: 'Huge' }],
  ['disabled', { value: 'l' }],
])('select refuses an option that is %s and changes nothing', async (reason, choice) => {
  await using actions = await actionsOn(SIZES);
  expect(await actions.refused('select', 'Size', choice)).toMatchObject({
    evidence: { reason, options: ['Small', 'Medium', 'Large'] },
  });
  expect(await actions.page.getByLabel('Size').inputValue()).toBe('s');
});

test('selects several options where allowed', async () => {
  await using actions = await actionsOn(
    `<select multiple aria-label=Size><option>Small<option>Medium<option>Large</select>`,
  );
  expect(await actions.done('select', 'Size', [{ index: 0 }, { label: 'Large' }])).toMatchObject({
    reads: 'Small, Large',
  });
});

test('opens a custom list and selects there', async () => {
  await using actions =
    await actionsOn(`<button role=combobox aria-label=Size aria-expanded=false aria-controls=l onclick="l.hidden=false;this.ariaExpanded='true'">Any</button>
    <ul id=l role=listbox hidden><li role=option onclick="out.value='s'">Small<li role=option onclick="out.value='m'">Medium</ul><output id=out></output>`);
  await actions.done('select', 'Size', { label: 'Medium' });
  expect(await actions.text('#out')).toBe('m');
});

test.each([
  ['check', `<input type=checkbox aria-label=Box>`, true],
  ['check', `<input type=checkbox aria-label=Box checked>`, true],
  ['uncheck', `<input type=checkbox aria-label=Box checked>`, false],
  ['check', `<input type=radio aria-label=Box>`, true],
] as const)('%s: %s', async (action, html, checked) => {
  await using actions = await actionsOn(html);
  expect(await actions.done(action, 'Box')).toMatchObject({ verification_passed: true });
  expect(await actions.page.getByLabel('Box').isChecked()).toBe(checked);
});

test('checks a switch made from a role', async () => {
  await using actions = await actionsOn(
    `<div role=switch tabindex=0 aria-label=Sound aria-checked=false onclick="this.ariaChecked='true'">o</div>`,
  );
  const { effect, id } = await actions.done('check', 'Sound');
  expect(effect.changed).toEqual([{ i: id, s: 'checked' }]);
});

test('reports a box that does not stay checked', async () => {
  await using actions = await actionsOn(
    `<input type=checkbox aria-label=Box onclick="event.preventDefault()">`,
  );
  expect(await actions.done('check', 'Box')).toMatchObject({
    verification_passed: false,
    verification_message: 'check: it is not ticked.',
  });
});

const PHOTO = { name: 'photo.txt', type: 'text/plain', base64: btoa('lantern') };

test('uploads files into a field', async () => {
  await using actions = await actionsOn(
    `<input type=file aria-label=Photo onchange="this.files[0].text().then((text) => { out.value = this.files[0].name + ' ' + text; })"><output id=out></output>`,
  );
  await actions.done('upload', 'Photo', [PHOTO]);
  expect(await actions.text('#out')).toBe('photo.txt lantern');
});

test.each([
  ['two files for one', `<input type=file aria-label=Photo>`, [PHOTO, PHOTO]],
  ['a kind it does not take', `<input type=file aria-label=Photo accept=".png,image/*">`, [PHOTO]],
  ['what is no base64', `<input type=file aria-label=Photo>`, [{ name: 'a', base64: '*' }]],
])('upload refuses %s', async (_, html, files) => {
  await using actions = await actionsOn(html);
  expect(await actions.refused('upload', 'Photo', files)).toMatchObject({
    code: 'invalid_input',
    evidence: { reason: 'wrong_value' },
  });
});

test('drags a draggable element', async () => {
  await using actions =
    await actionsOn(`<div draggable=true tabindex=0 ondragstart="event.dataTransfer.setData('text/plain','card')">Card</div>
    <div tabindex=0 style="width:200px;height:100px" ondragover="event.preventDefault()" ondrop="out.value=event.dataTransfer.getData('text/plain')">Done list</div><output id=out></output>`);
  await actions.done('drag', 'Card', 'Done list');
  expect(await actions.text('#out')).toBe('card');
});

test('drags an element that follows the mouse', async () => {
  await using actions =
    await actionsOn(`<div id=k role=slider tabindex=0 aria-label=Knob style="position:absolute;left:0;top:0;width:20px;height:20px;background:gray"></div>
    <button style="position:absolute;left:300px;top:0">End</button><output id=out></output><script>
    let down = false; k.onpointerdown = () => { down = true; }; document.onpointermove = (event) => { if (down) k.style.left = event.clientX - 10 + 'px'; };
    document.onpointerup = () => { down = false; out.value = k.style.left; };</script>`);
  await actions.done('drag', 'Knob', 'End');
  expect(Number.parseInt((await actions.text('#out')) ?? '', 10)).toBeGreaterThan(290);
});

test('[INT-230] loads the next items of a list on scroll', async () => {
  await using actions =
    await actionsOn(`<div id=l tabindex=0 aria-label=Items style="height:100px;overflow:auto"></div><script>
    let made = 0; const more = () => { for (let i = 0; i < 10; i++) { const b = document.createElement('button'); b.textContent = 'Item ' + ++made; b.style.display = 'block'; l.append(b); } };
    more(); l.onscroll = () => { if (l.scrollTop + l.clientHeight > l.scrollHeight - 20) more(); };</script>`);
  const { effect } = await actions.done('scroll', 'Items', { to: 'end' });
  expect(effect.scrolled).toBe(true);
  await actions.done('scroll', 'Items', { to: 'end' });
  expect((await actions.see()).map(({ n }) => n)).toContainEqual(expect.stringMatching(/^Item \d{2,}/));
});

test('reports the end when scrolling there', async () => {
  await using actions = await actionsOn(
    `<div tabindex=0 aria-label=Items style="height:100px;overflow:auto"><div style="height:150px"></div></div>`,
  );
  await actions.done('scroll', 'Items');
  expect(await actions.done('scroll', 'Items')).toMatchObject({
    verification_passed: false,
    verification_message: 'scroll: it is at its end already.',
  });
});

test('scrolls the page, and scrolls an element into view', async () => {
  await using actions = await actionsOn(`<button>Top</button><div style="height:3000px"></div>`);
  expect(await actions.run(() => actionsKit.actions.scroll())).toMatchObject({ effect: { scrolled: true } });
  await actions.done('scroll', 'Top');
  expect(await actions.run(() => scrollY)).toBe(0);
});

test.each([
  [
    'Enter',
    `<form onsubmit="event.preventDefault();out.value='sent'"><input aria-label=Field><button>Send</button></form>`,
    'sent',
  ],
  ['Enter', `<button aria-label=Field onclick="out.value='pressed'">x</button>`, 'pressed'],
  ['Space', `<input type=checkbox aria-label=Field onchange="out.value=this.checked">`, 'true'],
  ['Control+k', `<input aria-label=Field onkeydown="if (event.ctrlKey) out.value=event.key">`, 'k'],
  [
    'Shift+Tab',
    `<button onfocus="out.value='before'">A</button><button aria-label=Field>B</button>`,
    'before',
  ],
])('keys %s on %s', async (chord, html, sent) => {
  await using actions = await actionsOn(`${html}<output id=out></output>`);
  await actions.keys(chord, { id: actions.idOf('Field') });
  expect(await actions.text('#out')).toBe(sent);
});

test('selects all and deletes by keys', async () => {
  await using actions = await actionsOn(`<input aria-label=Field value=old>`);
  await actions.keys(['Control+a', 'Backspace', 'n'], { id: actions.idOf('Field') });
  expect(await actions.page.getByLabel('Field').inputValue()).toBe('n');
});

test('closes a dialog on Escape', async () => {
  await using actions = await actionsOn(
    `<dialog id=d aria-label=Offer><button>Yes</button></dialog><script>d.showModal()</script>`,
  );
  expect(await actions.keys('Escape')).toMatchObject({
    ok: true,
    effect: { happened: true, messages: ['Offer'] },
  });
});

test('refuses an unknown key', async () => {
  await using actions = await actionsOn(`<button>A</button>`);
  expect(await actions.keys('Hyper+x')).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});

test('reveals content on hover', async () => {
  await using actions = await actionsOn(
    `<button onmouseenter="t.hidden=false">Help</button><div id=t role=tooltip hidden>It burns eight hours.</div>`,
  );
  const { effect } = await actions.done('hover', 'Help');
  expect(effect.messages).toEqual(['It burns eight hours.']);
});

test('focuses an element', async () => {
  await using actions = await actionsOn(`<input aria-label=Field>`);
  expect(await actions.done('focus', 'Field')).toMatchObject({ verification_passed: true });
});
