import { isDeep } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

const CANARY = 'Canary-7731-xyz';
const CARD = '4242 4242 4242 4242';

/** Fields whose value must never leave, each with a typical value. */
const FIELDS: [field: string, value: string][] = [
  [`<label>Password <input type=password></label>`, CANARY],
  [`<label>Password <input type=text autocomplete=current-password></label>`, CANARY],
  [`<label>Password <input name=passwd></label>`, CANARY],
  [`<label>Password <input autocomplete=one-time-code></label>`, '482913'],
  [`<label>Password <input inputmode=numeric autocomplete=cc-number></label>`, CARD],
  [`<label>Password <textarea name=recovery-phrase></textarea></label>`, CANARY],
];

/** Ways in which pages repeat a value. */
const ECHOES: [echo: string, script: string][] = [
  ['a toast', `t.innerHTML = '<div role=status></div>'; t.firstChild.textContent = 'Saved ' + value`],
  ['an error', `t.innerHTML = '<div role=alert></div>'; t.firstChild.textContent = 'Invalid: ' + value`],
  [
    'a dialog',
    `t.innerHTML = '<div role=dialog><h2></h2></div>'; t.firstChild.firstChild.textContent = 'Use ' + value + '?'`,
  ],
  ['a new button', `t.innerHTML = '<button></button>'; t.firstChild.textContent = 'Copy ' + value`],
  ['its own name', `b.textContent = 'Sent ' + value`],
  ['another field', `t.innerHTML = '<label>Confirm <input></label>'; t.querySelector('input').value = value`],
  ['the address', `history.pushState(null, '', '?q=' + encodeURIComponent(value))`],
  ['a form in the address', `history.pushState(null, '', '?' + new URLSearchParams({ q: value }))`],
  [
    'a message after the form has gone',
    `f.remove(); t.innerHTML = '<div role=status></div>'; t.firstChild.textContent = 'Saved ' + value`,
  ],
  ['a message on leaving the field', `f.hidden = true; t.textContent = 'Error with ' + value`],
];

/** `npm run deep` tries every pair; otherwise each field meets a quarter of the echoes. */
const EVERY = isDeep ? 1 : 4;

test.each(
  FIELDS.flatMap(([field, value], at) =>
    ECHOES.filter((_, echo) => (at + echo) % EVERY === 0).map(
      ([echo, script]) => [echo, field, value, script] as const,
    ),
  ),
)('[INT-277] a secret comes out by no %s: %s', async (_, field, value, script) => {
  await using actions = await actionsOn(`<form id=f onsubmit="return false">${field}</form><div id=t></div>
      <button id=b onclick="const value = f.querySelector('input,textarea').value; ${script.replaceAll('"', '&quot;')}">Go</button>`);
  const change = { expected: { type: 'any_change', timeoutMs: 200 } } as const;
  const channels = [
    await actions.act('fill', 'Password', value, change),
    await actions.act('click', 'Go', change),
    await actions.report(),
    await actions.act('click', 'Go', change),
    await actions.act('type', 'Password', 'more', change),
    await actions.report(),
  ];
  const out = JSON.stringify(channels);
  for (const form of [
    value,
    value.replaceAll(' ', ''),
    encodeURIComponent(value),
    value.replaceAll(' ', '+'),
  ]) {
    expect(out).not.toContain(form);
  }
  expect(channels[0]).toMatchObject({ ok: true, verification_passed: true });
});

test.each([
  [`Your verification code is 482913`, '482913'],
  [`Ihr Einmalcode: 482 913`, '482 913'],
  [`Your temporary password is Xk9-abc7`, 'Xk9-abc7'],
  [`Card ${CARD} was charged`, CARD],
])('[INT-277] a code that the page itself shows is no secret: %s', async (text, secret) => {
  await using actions = await actionsOn(`<div role=status id=t></div>`);
  await actions.run((words) => {
    const status = document.querySelector('#t');
    if (status !== null) status.textContent = words;
  }, text);
  const { recentEvents } = await actions.report();
  expect(recentEvents).toHaveLength(1);
  expect(JSON.stringify(recentEvents)).toContain(secret);
});

test('masks text typed by a person', async () => {
  await using actions = await actionsOn(
    `<input type=password aria-label=Password><div role=status id=t></div>`,
  );
  await actions.page.getByLabel('Password').pressSequentially(CANARY);
  await actions.run((value) => {
    document.querySelector('input')?.remove();
    const status = document.querySelector('#t');
    if (status !== null) status.textContent = `Saved ${value}`;
  }, CANARY);
  expect((await actions.report()).recentEvents).toEqual([expect.stringMatching(/Saved •••'$/)]);
});

test('reports only that a secret is invalid from its validation bubble', async () => {
  await using actions = await actionsOn(
    `<form><input aria-label=Password type=password pattern="[0-9]+" title="Only digits"><button>Go</button></form>`,
  );
  await actions.act('fill', 'Password', CANARY);
  const done = await actions.done('click', 'Go');
  expect(done.errors_detected).toEqual(['Password: is not valid']);
});
