import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';
import type { ExpectedOutcome } from '../index.ts';

test('[INT-245] returns whether an action worked, and its effect', async () => {
  await using actions = await actionsOn(
    `<button onclick="out.innerHTML='<a href=#a>Receipt</a>'">Pay</button><p id=out></p>`,
  );
  const { verification_passed, verification_message, effect } = await actions.done('click', 'Pay');
  expect({ verification_passed, verification_message }).toEqual({
    verification_passed: true,
    verification_message: 'click: 1 added, 0 removed, 0 changed',
  });
  expect(effect.added).toEqual([{ i: expect.any(String), r: 'link', n: 'Receipt' }]);
});

test('[INT-246] detects an error that disappeared again and fails the check', async () => {
  await using actions = await actionsOn(
    `<div id=t></div><button onclick="t.innerHTML='<p role=alert>Invalid ZIP code</p>';setTimeout(() => t.replaceChildren(), 100)">Pay</button>`,
  );
  expect(await actions.done('click', 'Pay')).toMatchObject({
    verification_passed: false,
    verification_message: "click: the page says 'Invalid ZIP code'.",
    errors_detected: ['Invalid ZIP code'],
    success_messages: [],
  });
});

test('[INT-246] names a success message', async () => {
  await using actions = await actionsOn(
    `<div role=status id=t></div><button onclick="t.textContent='Order placed.'">Pay</button>`,
  );
  expect(await actions.done('click', 'Pay')).toMatchObject({
    verification_passed: true,
    errors_detected: [],
    success_messages: ['Order placed.'],
  });
});

test('[INT-248] reports no effect for a button that does nothing', async () => {
  await using actions = await actionsOn(`<button>Dead</button><p style="height:20px"></p>`);
  expect(await actions.done('click', 'Dead')).toMatchObject({
    verification_passed: false,
    verification_message: expect.stringMatching(/^click: no change seen in \d+ ms, focus only\.$/),
    effect: { happened: false, added: [], removed: [], changed: [], errors: [] },
  });
});

test('[BRG-197] reports a change after the watched time with the next act, once', async () => {
  await using actions = await actionsOn(
    `<button onclick="globalThis.finish = () => { out.textContent = 'Saved' }">Save</button>
    <p id=out>Saving</p><button>Next</button>`,
  );
  const saving = await actions.done('click', 'Save');
  expect(saving).not.toHaveProperty('late');
  await actions.run(() => Reflect.get(globalThis, 'finish')());
  expect(await actions.done('click', 'Next')).toMatchObject({
    late: { happened: true, seen: [expect.stringContaining('Saving → Saved')] },
    effect: { happened: false },
  });
  expect(await actions.done('click', 'Next')).not.toHaveProperty('late');
  await actions.run(() => document.querySelector('#out')?.replaceChildren('Sent'));
  const [taken, again] = await actions.run(() => [
    actionsKit.actions.lateEffect(),
    actionsKit.actions.lateEffect(),
  ]);
  expect(taken).toMatchObject({ seen: [expect.stringContaining('Saved → Sent')] });
  expect(again ?? undefined).toBeUndefined();
});

test('reports network, document and address activity', async () => {
  await using actions = await actionsOn(`<button onclick="location.hash='a'">Go</button>`);
  expect(await actions.done('click', 'Go')).toMatchObject({
    clientObservations: { didNetworkOccur: false, didUrlChange: true },
    effect: { url: { to: expect.stringMatching(/#a$/) }, navigation: 'same_document' },
  });
});

type Case = [kind: string, html: string, expected: ExpectedOutcome, met: boolean];

const CASES: Case[] = [
  [
    'navigation',
    `<button onclick="history.pushState(null, '', '#b')">Go</button>`,
    { type: 'navigation' },
    true,
  ],
  [
    'navigation elsewhere',
    `<button onclick="history.pushState(null, '', '#b')">Go</button>`,
    { type: 'navigation', to: '#c' },
    false,
  ],
  ['no navigation', `<button>Go</button>`, { type: 'navigation' }, false],
  [
    'element_appears',
    `<button onclick="setTimeout(() => t.hidden = false, 50)">Go</button><button id=t hidden>New</button>`,
    { type: 'element_appears', element: { role: 'button', name: 'New' } },
    true,
  ],
  [
    'element_appears by its text',
    `<button onclick="t.textContent='Two left'">Go</button><p id=t></p>`,
    { type: 'element_appears', element: { text: 'Two left' } },
    true,
  ],
  [
    'an element that was there does not appear',
    `<button>Go</button><p>Two left</p>`,
    { type: 'element_appears', element: { text: 'Two left' } },
    false,
  ],
  ['element_disappears', `<button onclick="this.remove()">Go</button>`, { type: 'element_disappears' }, true],
  ['an element that stays', `<button>Go</button>`, { type: 'element_disappears' }, false],
  [
    'value_changes',
    `<button onclick="f.value='2'">Go</button><input id=f aria-label=Count value=1>`,
    { type: 'value_changes', element: { name: 'Count' }, to: '2' },
    true,
  ],
  [
    'a value that stays',
    `<button>Go</button><input aria-label=Count value=1>`,
    { type: 'value_changes', element: { name: 'Count' } },
    false,
  ],
  [
    'state_changes',
    `<button aria-expanded=false onclick="this.ariaExpanded='true'">Go</button>`,
    { type: 'state_changes', to: 'expanded' },
    true,
  ],
  ['a state that stays', `<button aria-expanded=false>Go</button>`, { type: 'state_changes' }, false],
  ['download_starts', `<a href="/a.txt" download>Go</a>`, { type: 'download_starts' }, true],
  ['no download', `<button>Go</button>`, { type: 'download_starts' }, false],
  ['any_change', `<button onclick="this.textContent='Gone'">Go</button>`, { type: 'any_change' }, true],
  ['any_change where there is none', `<button>Go</button>`, { type: 'any_change' }, false],
  ['no_change', `<button>Go</button>`, { type: 'no_change' }, true],
  [
    'no_change where there is one',
    `<button onclick="this.textContent='Gone'">Go</button>`,
    { type: 'no_change' },
    false,
  ],
  [
    'orOutcome',
    `<button onclick="this.textContent='Gone'">Go</button>`,
    { type: 'navigation', orOutcome: { type: 'any_change' } },
    true,
  ],
  [
    'neither of two',
    `<button>Go</button>`,
    { type: 'navigation', orOutcome: { type: 'download_starts' } },
    false,
  ],
];

test.each(CASES)('[INT-247] %s', async (_, html, expected, met) => {
  await using actions = await actionsOn(html);
  const result = await actions.done('click', 'Go', { expected: { ...expected, timeoutMs: 300 } });
  expect(result.verification_passed).toBe(met);
});

test.each(['element_appears', 'element_disappears'] as const)(
  '[INT-247] %s by what a field holds is refused, and nothing is done',
  async (type) => {
    await using actions = await actionsOn(
      `<input type=password value=hunter2><button onclick="out.value='pressed'">Go</button><output id=out></output>`,
    );
    const element = { selector: 'input[value^=h]' };
    for (const expected of [
      { type, element },
      { type: 'navigation', orOutcome: { type, element } } as const,
    ]) {
      expect(await actions.refused('click', 'Go', { expected })).toMatchObject({
        code: 'invalid_input',
        evidence: { reason: 'selector_refused' },
      });
    }
    expect(await actions.text('#out')).toBe('');
  },
);

test('[INT-247] meets an outcome at once on a page that never rests', async () => {
  await using actions = await actionsOn(
    `<button onclick="t.textContent='Ready';setInterval(() => t.append('.'), 10)">Go</button><p id=t></p>`,
  );
  expect(
    await actions.done('click', 'Go', { expected: { type: 'element_appears', element: { text: 'Ready' } } }),
  ).toMatchObject({
    verification_passed: true,
  });
});

test('[INT-247] misses an outcome after 2 s', async () => {
  await using actions = await actionsOn(
    `<button onclick="setTimeout(() => { this.textContent = 'Late'; }, 20000)">Go</button>`,
  );
  expect(await actions.done('click', 'Go', { expected: { type: 'any_change' } })).toMatchObject({
    verification_passed: false,
    verification_message: 'click: expected any_change, but no change was seen.',
  });
});

test('reports the actual effect with a missed outcome', async () => {
  await using actions = await actionsOn(
    `<button onclick="t.textContent='Later'">Go</button><p id=t role=status></p>`,
  );
  const { verification_message } = await actions.done('click', 'Go', {
    expected: { type: 'navigation', timeoutMs: 200 },
  });
  expect(verification_message).toBe('click: expected navigation, but new: Later.');
});

test('reports a link to another document before the page leaves', async () => {
  await using actions = await actionsOn(`<a href="/next">Next</a>`);
  expect(await actions.done('click', 'Next')).toMatchObject({
    verification_message: 'click: went to http://page.test/next',
    effect: {
      navigation: 'document',
      url: { from: 'http://page.test/', to: 'http://page.test/next' },
      settled: 'leaving',
    },
  });
});

test('does not wait for another frame of a page that leaves', async () => {
  // Neither a frame nor the time that replaces it comes.
  const onclick = 'requestAnimationFrame = setTimeout = () => 0';
  await using actions = await actionsOn(`<a href="/next" onclick="${onclick}">Next</a>`);
  expect(await actions.done('click', 'Next')).toMatchObject({ effect: { settled: 'leaving' } });
});

test('[INT-297] keeps the ids of re-rendered nodes, and does not list them', async () => {
  await using actions = await actionsOn(
    `<button onclick="l.innerHTML=l.innerHTML.replace('Mug','Cup')">Go</button><div id=l><a href=#1>Lamp</a> <a href=#2>Mug</a></div>`,
  );
  const { effect } = await actions.done('click', 'Go');
  expect(effect).toMatchObject({ added: [{ n: 'Cup' }], removed: [{ n: 'Mug' }] });
  expect((await actions.done('click', 'Lamp')).id).toBe(actions.idOf('Lamp'));
});

test('[INT-328] lists changes nearest to the act first, and names what it cuts', async () => {
  await using actions = await actionsOn(
    `<nav id=l></nav><table><tr><td>Lamp<td id=own><button onclick="
      l.innerHTML = Array.from({ length: 12 }, (_, n) => '<a href=#' + n + '>Link ' + n + '</a> ').join('');
      own.insertAdjacentHTML('beforeend', '<button>Undo</button>')">Remove</button></table>`,
  );
  const { effect } = await actions.done('click', 'Remove');
  expect(effect.added.map(({ n }) => n).slice(0, 3)).toEqual(['Undo', 'Link 0', 'Link 1']);
  expect([effect.added.length, effect.more]).toEqual([10, 3]);
  expect(effect.unlisted).toEqual(['3 new link: Link 9, Link 10, Link 11']);
});

test('[INT-328] lists a dialog that took the focus before changes elsewhere', async () => {
  await using actions = await actionsOn(
    `<div id=l></div><button onclick="l.innerHTML = '<button>x</button>'.repeat(12); d.showModal()">Go</button>
    <dialog id=d style="inset: auto 0 0 auto"><button>Yes</button></dialog>`,
  );
  const { effect } = await actions.done('click', 'Go');
  expect(effect.added[0]).toMatchObject({ n: 'Yes' });
});

test('reports a moved focus', async () => {
  await using actions = await actionsOn(
    `<button onclick="f.focus()">Go</button><input id=f aria-label=Field>`,
  );
  expect((await actions.done('click', 'Go')).effect.focus).toBe(actions.idOf('Field'));
});

test('names a dialog that opens', async () => {
  await using actions = await actionsOn(
    `<button onclick="d.showModal()">Go</button><dialog id=d><h2>Really?</h2><button>Yes</button></dialog>`,
  );
  expect((await actions.done('click', 'Go')).effect).toMatchObject({
    dialogs: ['Really?'],
    added: [{ r: 'btn', n: 'Yes' }],
  });
});

test('[INT-276] no words of a visible change carry a secret or a part of one', async () => {
  const secret = 'Zq7xcanaryKp99LmTr';
  const press = async (script: string) => {
    await using actions = await actionsOn(
      `<input type=password value=${secret}><p id=out>.</p><input id=note aria-label=Note>
      <div id=editor contenteditable aria-label=Password><p>1</p></div><button onclick="${script}">Go</button>`,
    );
    return (await actions.done('click', 'Go')).effect.seen;
  };
  expect(await press(`out.textContent = '${'word '.repeat(15)}${secret}'`)).toEqual([
    `text: . → ${'word '.repeat(15)}•••`,
  ]);
  expect(await press(`out.className = '${'c'.repeat(34)} ${secret}'; out.style.color = 'red'`)).toEqual([
    expect.stringContaining(`${'c'.repeat(34)} (`),
  ]);
  const part = `out.textContent = '${secret}'; getSelection().setBaseAndExtent(out.firstChild, 0, out.firstChild, 6)`;
  expect(await press(part)).toEqual(['text: . → •••', 'selected: •••']);
  expect(await press(`note.value = '4111 1111 1111 1111'`)).toEqual(['textbox Note: changed']);
  expect(await press(`editor.firstChild.textContent = '2'`)).toEqual(['text: changed']);
});

test('leaves out boxes without words beside other changes, and names an unnamed element by its id', async () => {
  await using actions = await actionsOn(`<style>.on { background: green }</style>
    <button onclick="n.textContent = 1; n.innerHTML += ''; document.body.append(Object.assign(document.createElement('div'), { style: 'height:9px;background:red' })); s.className = 'on'">Go</button>
    <p id=n>0</p><button id=s style="width:30px;height:20px"></button>`);
  const { effect } = await actions.done('click', 'Go');
  expect(effect.seen).toEqual(['text: 0 → 1', expect.stringMatching(/^\d+: on \(background-color\)$/)]);
});

test('[INT-328] names the visible changes that it leaves out, and says that a text was cut', async () => {
  await using actions =
    await actionsOn(`<button onclick="for (const each of document.querySelectorAll('p')) each.textContent += ' and so on'.repeat(12)">Go</button>
    ${Array.from({ length: 9 }, (_, n) => `<p>${n}</p>`).join('')}`);
  const { effect } = await actions.done('click', 'Go');
  expect(effect.seen).toHaveLength(7);
  expect(effect.seen?.[0]).toMatch(/^text: 0 → 0 and so on.*…$/);
  expect(effect.seen?.at(-1)).toMatch(/^… 3 more: text: 6 → 6 and so on an…, text: 7/);
});

test('takes no redrawn neighbour for a changed one', async () => {
  await using actions =
    await actionsOn(`<button onclick="isOpen = true; draw()">Go</button><div id=list></div><script>
    let isOpen = false;
    const draw = () => { list.innerHTML = '<p>Fridge</p>' + (isOpen ? '<p>Covered for 5 years</p>' : '') + '<p>Oven</p><p>Kettle</p>'; };
    draw();</script>`);
  const { effect } = await actions.done('click', 'Go');
  expect(effect.seen).toEqual(['new: Covered for 5 years']);
});

test('[INT-331] does not claim to have seen a drawing that it cannot read', async () => {
  await using actions = await actionsOn(`<canvas role=button aria-label=Go width=90 height=90></canvas>`);
  const { effect, verification_message } = await actions.done('click', 'Go');
  expect(effect).toMatchObject({ happened: false, drawing: 'not observed' });
  expect(verification_message).toContain('drawing not observed');
});

test('[INT-331] does not claim to have seen a drawing beside the pressed element', async () => {
  await using actions = await actionsOn(`<button>Go</button><canvas width=90 height=90></canvas>`);
  const { effect } = await actions.done('click', 'Go');
  expect(effect).toMatchObject({ happened: false, drawing: 'not observed' });
});

test('[INT-328] lists the new button of a row that has the name of a button that left, with its row', async () => {
  await using actions =
    await actionsOn(`<div id=list></div><p>Rows</p><button onclick="draw(['Cy', 'Di'])">Go</button><script>
    const draw = (names) => { list.innerHTML = names.map((name) => '<p><span>' + name + '</span> <button>Call</button></p>').join(''); };
    draw(['Ada', 'Bo']);</script>`);
  await actions.see();
  const { effect } = await actions.done('click', 'Go');
  expect(effect.added).toMatchObject([
    { n: 'Call', in: 'Cy' },
    { n: 'Call', in: 'Di' },
  ]);
});

test('[INT-248] says the new order of rows that are drawn again', async () => {
  await using actions = await actionsOn(`<ul id=l></ul><button id=up>Up</button><script>
    let rows = ['Blink', 'Dust', 'Harbour', 'Ivory'];
    const draw = () => { l.innerHTML = rows.map((name) => '<li><b>' + name + '</b> <i>3:12</i></li>').join('') };
    up.onclick = () => { rows.unshift(rows.pop()); draw() };
    draw();
  </script>`);
  expect((await actions.done('click', 'Up')).effect).toMatchObject({
    happened: true,
    seen: ['order: Ivory, Blink, Dust, Harbour'],
  });
});

test('[INT-248] says the new order of rows that only a style moves', async () => {
  await using actions = await actionsOn(
    `<div style="display:flex;flex-direction:column"><p>Anna</p><p>Bert</p><p id=c>Cora</p></div>
    <button onclick="c.style.order = -1; n.textContent = 'Votes 4'">Vote</button><p id=n>Votes 3</p>`,
  );
  const { effect } = await actions.done('click', 'Vote');
  expect(effect.seen).toEqual(expect.arrayContaining(['text: Votes 3 → Votes 4', 'order: Cora, Anna, Bert']));
});

test('[INT-248] gives both colours where a class without words takes another one’s place', async () => {
  await using actions = await actionsOn(
    `<style>.f { background: rgb(58, 157, 93) } .m { background: rgb(0, 0, 255) }</style>
    <button onclick="s.className = s.className === 'm' ? 'f' : 'm'">Swap</button><p id=s class=m>C10</p>`,
  );
  expect((await actions.done('click', 'Swap')).effect.seen).toEqual([
    'C10: background-color #0000ff → #3a9d5d',
  ]);
});

test('[INT-331] a drawing that the act before moved is no drawing that moves by itself', async () => {
  await using actions =
    await actionsOn(`<button onclick="goal += 60">Pump</button><canvas id=c width=50 height=200></canvas><script>
    let [level, goal] = [0, 0];
    const context = c.getContext('2d');
    const draw = () => {
      if (level < goal) context.fillRect(0, 200 - (level += 2), 50, 2);
      requestAnimationFrame(draw);
    };
    draw();
  </script>`);
  await actions.done('click', 'Pump');
  expect((await actions.done('click', 'Pump')).effect).toMatchObject({
    happened: true,
    seen: ['drawing canvas changed'],
  });
});

test('[INT-248] takes days that are drawn again in another colour for the same days', async () => {
  await using actions =
    await actionsOn(`<style>td { width: 30px } .in { background: #00f }</style><table id=t></table><script>
    let from = 9;
    const draw = () => {
      t.innerHTML = [0, 1].map((week) => '<tr>' + [1, 2, 3, 4].map((day) => day + week * 4)
        .map((day) => '<td><a class="' + (day >= from ? 'in' : '') + '">' + day + '</a></td>').join('') + '</tr>').join('');
    };
    onclick = () => { from = 3; draw() };
    draw();
  </script><button>Take</button>`);
  const { effect } = await actions.done('click', 'Take');
  expect(effect.seen?.join(' ')).toMatch(/^3: in \(background-color\) 4: in/);
});

const ROWS = `<button id=b>Go</button><div id=box style="height:90px;overflow:auto"></div><script>
  box.innerHTML = Array.from({ length: 12 }, (_, n) => '<p style="height:30px;margin:0"><button>Row ' + n + '</button> Size ' + n + '</p>').join('');
`;

test('[INT-248] takes rows that only scrolled away for neither gone nor changed', async () => {
  await using actions = await actionsOn(`${ROWS} b.onclick = () => { box.scrollTop = 180 }</script>`);
  const { effect } = await actions.done('click', 'Go');
  expect(effect).toMatchObject({ happened: true, scrolled: true, removed: [], changed: [] });
  expect(JSON.stringify(effect.seen ?? [])).not.toMatch(/→|gone/);
});

test('[INT-248] says what left a box that scrolls, and not what that pushed', async () => {
  await using actions = await actionsOn(
    `${ROWS} b.onclick = () => { box.firstElementChild.remove() }</script>`,
  );
  const { effect } = await actions.done('click', 'Go');
  expect(effect.removed).toEqual([expect.objectContaining({ n: 'Row 0' })]);
  expect(JSON.stringify(effect.seen ?? [])).not.toContain('→');
});

test('[INT-248] says that a timer of the act may bring more', async () => {
  await using actions = await actionsOn(
    `<button onclick="setTimeout(() => { out.textContent = 'Sent' }, 60_000)">Send</button><p id=out>`,
  );
  expect((await actions.done('click', 'Send')).effect).toMatchObject({ happened: false, timer: true });
});

test('[INT-248] reports bold, struck and split text as the same words', async () => {
  await using actions = await actionsOn(
    `<button id=b>B</button><button id=u>U</button><p id=p contenteditable>All of the deposit stays.</p><script>
    p.focus();
    b.onmousedown = u.onmousedown = () => false;
    b.onclick = () => { p.innerHTML = 'All of <b>the deposit</b> stays.' };
    u.onclick = () => { p.innerHTML = 'All of the dep<i style="display:inline-block"></i>osit stays.' };</script>`,
  );
  const bold = await actions.done('click', 'B');
  expect(bold.effect.seen).toEqual(['bold: the deposit']);
  const split = await actions.done('click', 'U');
  expect(split.effect.seen).toEqual(['no longer bold: the deposit']);
});

test('[INT-248] reports a message that the act sends as its own, in a busy chat', async () => {
  await using actions = await actionsOn(
    `<style>p{margin:0;font:9px serif}</style><div id=l></div><input id=x value="Which room?"><button id=s>Send</button><script>
    const add = (text) => l.append(Object.assign(document.createElement('p'), { textContent: text }));
    s.onclick = () => { add('You: ' + x.value); x.value = '' };
    let count = 0; setInterval(() => add('Message ' + ++count), 400);</script>`,
  );
  await actions.page.waitForFunction(`l.children.length > 5`);
  const { effect } = await actions.done('click', 'Send');
  expect(JSON.stringify([effect.added, effect.seen])).toContain('You: Which room?');
  expect(JSON.stringify(effect.background ?? [])).not.toContain('You: Which room?');
});

test('[INT-248] says that a drawer slid out of a box that hides it', async () => {
  await using actions = await actionsOn(
    `<button onclick="d.style.transform = 'translateX(-300px)'">Close</button>
    <div style="overflow:hidden;width:300px;position:relative"><div id=d style="width:250px">Orders and <button>Help</button></div></div>`,
  );
  expect((await actions.done('click', 'Close')).effect).toMatchObject({
    happened: true,
    removed: [expect.objectContaining({ n: 'Help' })],
  });
});

test('[INT-246] takes a row of a table that says "paid" for no success', async () => {
  await using actions =
    await actionsOn(`<table><tbody id=t><tr><td>Sola<td>open</table><button id=b>Next</button><script>
    b.onclick = () => { t.innerHTML = '<tr><td>Heron<td>paid</tr><tr><td>Nord<td>open</tr>' };</script>`);
  expect((await actions.done('click', 'Next')).effect).toMatchObject({ happened: true, successes: [] });
});

test('[INT-248] tells counts apart by the words of their rows', async () => {
  await using actions =
    await actionsOn(`<div><p>Darts <b>0</b></p><p>Red <b>0</b></p><p>Blue <b>0</b></p></div>
    <button id=t>Throw</button><script>
    t.onclick = () => { for (const each of [...document.querySelectorAll('b')].slice(0, 2)) each.textContent = 1 };</script>`);
  expect((await actions.done('click', 'Throw')).effect.seen).toEqual(['Darts: 0 → 1', 'Red: 0 → 1']);
});
