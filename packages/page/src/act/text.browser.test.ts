import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

test.each([
  [`<input aria-label=Field value=old>`, 'new'],
  [`<textarea aria-label=Field>old</textarea>`, 'two\nlines'],
  [`<input aria-label=Field type=date>`, '2026-11-30'],
  [`<input aria-label=Field type=time>`, '14:05'],
  [`<input aria-label=Field type=number value=1>`, '12.5'],
  [`<input aria-label=Field type=color>`, '#0f6b66'],
  [`<input aria-label=Field type=email value=a@b.c>`, ''],
])('fill writes a field and reads it back: %s', async (html, text) => {
  await using actions = await actionsOn(html);
  expect(await actions.done('fill', 'Field', text)).toMatchObject({ reads: text, verification_passed: true });
  expect(await actions.page.getByLabel('Field').inputValue()).toBe(text);
});

test('sends the events of typing on fill', async () => {
  await using actions = await actionsOn(`<input aria-label=Field id=f><output id=out></output><script>
    for (const type of ['focus','beforeinput','input','change']) f.addEventListener(type, () => { out.value += type + ' '; });</script>`);
  await actions.done('fill', 'Field', 'new');
  expect(await actions.text('#out')).toBe('focus beforeinput input change ');
});

test('fills past a property that a framework put on the element', async () => {
  await using actions = await actionsOn(`<input aria-label=Field id=f><output id=out></output><script>
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = f.value;
    Object.defineProperty(f, 'value', { configurable: true, get() { return own.get.call(this); }, set(text) { tracked = text; own.set.call(this, text); } });
    f.addEventListener('input', () => { out.value = own.get.call(f) === tracked ? 'nothing new' : 'heard ' + own.get.call(f); });</script>`);
  await actions.done('fill', 'Field', 'new');
  expect(await actions.text('#out')).toBe('heard new');
});

test('reports when a field changes the filled text', async () => {
  await using actions = await actionsOn(
    `<input aria-label=Phone oninput="this.value=this.value.replace(/\\D/g,'')">`,
  );
  const { reads, verification_passed, verification_message } = await actions.done(
    'fill',
    'Phone',
    '030 / 12',
  );
  expect({ reads, verification_passed, verification_message }).toEqual({
    reads: '03012',
    verification_passed: false,
    verification_message: "fill: the field says '03012'.",
  });
});

test.each([
  ['a date in words', `<input aria-label=Field type=date>`, 'tomorrow', 'invalid_input', 'wrong_value'],
  ['letters in a number', `<input aria-label=Field type=number>`, 'many', 'invalid_input', 'wrong_value'],
  ['more than fits', `<input aria-label=Field maxlength=3>`, 'four', 'invalid_input', 'wrong_value'],
  ['text for a checkbox', `<input aria-label=Field type=checkbox>`, 'yes', 'invalid_input', 'not_editable'],
  ['text for a file field', `<input aria-label=Field type=file>`, 'a.txt', 'invalid_input', 'not_editable'],
  ['text for a button', `<button>Field</button>`, 'yes', 'state_mismatch', 'not_editable'],
  ['a read-only field', `<input aria-label=Field readonly>`, 'yes', 'state_mismatch', 'not_editable'],
  ['a disabled field', `<input aria-label=Field disabled>`, 'yes', 'state_mismatch', 'disabled'],
])('fill refuses %s', async (_, html, text, code, reason) => {
  await using actions = await actionsOn(html);
  expect(await actions.refused('fill', 'Field', text)).toMatchObject({ code, evidence: { reason } });
});

test('replaces the content of a contenteditable', async () => {
  await using actions = await actionsOn(
    `<div contenteditable role=textbox aria-label=Note><p>old</p><p>lines</p></div>`,
  );
  expect(await actions.done('fill', 'Note', 'new')).toMatchObject({
    reads: 'new',
    verification_passed: true,
  });
});

test('clears a contenteditable', async () => {
  await using actions = await actionsOn(`<div contenteditable role=textbox aria-label=Note><p>old</p></div>`);
  expect(await actions.done('fill', 'Note', '')).toMatchObject({ reads: '', verification_passed: true });
});

/** Like Lexical and Slate: the text lives in a model, and the DOM is rendered from it. */
const OWN_DOCUMENT = `<div id=e contenteditable role=textbox aria-label=Note style="min-height:1em">old</div><output id=out></output><script>
  let model = 'old';
  const draw = () => { e.textContent = model; out.value = model; };
  const replace = (text) => { model = getSelection().toString() === '' ? model + text : text; draw(); };`;

test('fills an editor that listens to beforeinput', async () => {
  await using actions = await actionsOn(`${OWN_DOCUMENT}
    e.addEventListener('beforeinput', (event) => { event.preventDefault(); replace(event.data ?? ''); });</script>`);
  expect(await actions.done('fill', 'Note', 'new')).toMatchObject({
    reads: 'new',
    verification_passed: true,
  });
  expect(await actions.text('#out')).toBe('new');
});

test('pastes into an editor that undoes other changes', async () => {
  await using actions = await actionsOn(`${OWN_DOCUMENT}
    new MutationObserver(() => { if (e.textContent !== model) draw(); }).observe(e, { childList: true, characterData: true, subtree: true });
    e.addEventListener('paste', (event) => { event.preventDefault(); replace(event.clipboardData.getData('text/plain')); });</script>`);
  expect(await actions.done('fill', 'Note', 'new')).toMatchObject({
    reads: 'new',
    verification_passed: true,
  });
  expect(await actions.text('#out')).toBe('new');
});

test('reports an editor that accepts nothing', async () => {
  await using actions = await actionsOn(`${OWN_DOCUMENT}
    e.addEventListener('beforeinput', (event) => event.preventDefault());
    new MutationObserver(() => { if (e.textContent !== model) draw(); }).observe(e, { childList: true, characterData: true, subtree: true });</script>`);
  const { reads, verification_passed } = await actions.done('fill', 'Note', 'new');
  expect({ reads, verification_passed }).toEqual({ reads: 'old', verification_passed: false });
});

test.each([
  ['a plain host', `<div id=e contenteditable role=textbox aria-label=Note style="min-height:1em"></div>`],
  ['an input', `<input id=e aria-label=Note>`],
  [
    'an editor that takes only pastes',
    `<div id=e contenteditable role=textbox aria-label=Note style="min-height:1em"></div><script>
      let model = ''; const draw = () => { e.textContent = model; };
      new MutationObserver(() => { if (e.textContent !== model) draw(); }).observe(e, { childList: true, characterData: true, subtree: true });
      e.addEventListener('paste', (event) => { event.preventDefault(); model += event.clipboardData.getData('text/plain'); draw(); });</script>`,
  ],
])(
  'a quiet fill of %s leaves the focus, the selection and the scroll to whoever has them',
  async (_, html) => {
    await using actions =
      await actionsOn(`<input id=mine aria-label=Mine value="my words"><output id=out></output>
    ${html}<div style="height:3000px"></div><script>mine.addEventListener('blur', () => { out.value += 'blur '; });</script>`);
    await actions.run(() => {
      const mine = document.querySelector<HTMLInputElement>('#mine');
      mine?.focus();
      mine?.setSelectionRange(2, 5);
    });
    const done = await actions.done('fill', 'Note', 'new', { quiet: true });
    expect(done).toMatchObject({ reads: 'new', verification_passed: true });
    const place = await actions.run(() => {
      const mine = document.querySelector<HTMLInputElement>('#mine');
      return [document.activeElement?.id, mine?.selectionStart, mine?.selectionEnd, scrollY];
    });
    expect(place).toEqual(['mine', 2, 5, 0]);
    expect(await actions.text('#out')).toBe('');
  },
);

test('types after existing text, key by key', async () => {
  await using actions = await actionsOn(`<input aria-label=Field value=a id=f><output id=out></output><script>
    f.addEventListener('keydown', (event) => { out.value += event.key; });</script>`);
  expect(await actions.done('type', 'Field', 'bc')).toMatchObject({ reads: 'abc' });
  expect(await actions.text('#out')).toBe('bc');
});

test('types nothing for a key that the page cancels', async () => {
  await using actions = await actionsOn(
    `<input aria-label=Field onkeydown="if (/[^0-9]/.test(event.key)) event.preventDefault()">`,
  );
  expect(await actions.done('type', 'Field', '1a2')).toMatchObject({ reads: '12' });
});

test('[INT-276] does not read back a secret field', async () => {
  await using actions = await actionsOn(`<input aria-label=Password type=password>`);
  const done = await actions.done('fill', 'Password', 'canary-7731');
  expect(done).toMatchObject({
    verification_passed: true,
    effect: { changed: [{ i: actions.idOf('Password'), s: 'filled' }] },
  });
  expect(JSON.stringify(done)).not.toContain('canary');
});
