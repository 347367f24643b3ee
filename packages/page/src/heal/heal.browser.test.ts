import { describe, expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

const ROWS = `<ul id=l><li><span>Alice</span> <button onclick="out.value='Alice'">Delete</button><button>Mail Alice</button></li>
  <li><span>Bob</span> <button onclick="out.value='Bob'">Delete</button><button>Mail Bob</button></li></ul><output id=out></output>`;

/** A list with one button of each name, where only the row tells one `Delete` from another. */
async function rows() {
  const actions = await actionsOn(ROWS);
  const deletes = (await actions.see()).filter(({ n }) => n === 'Delete').map(({ i }) => i);
  const press = (row: number) => actions.run((id) => actionsKit.actions.click(id), deletes[row] ?? '');
  return { ...actions, press };
}

test('[BRG-125] [INT-209] [INT-242] finds a re-rendered button again and reports the healing', async () => {
  await using actions = await actionsOn(
    `<button onclick="out.value='pressed'">Buy</button><output id=out></output>`,
  );
  const from = actions.idOf('Buy');
  await actions.run(() => {
    const old = document.querySelector('button');
    old?.replaceWith(old.cloneNode(true));
  });
  const { healed, id } = await actions.done('click', 'Buy');
  expect(healed).toEqual({ from, to: id, confidence: expect.any(Number), why: 'detached' });
  expect(healed?.confidence).toBeGreaterThanOrEqual(0.7);
  expect(await actions.text('#out')).toBe('pressed');
});

test('[INT-212] does not press a row recycled under another name', async () => {
  await using actions = await rows();
  await actions.run(() => {
    const label = document.querySelector('li span');
    if (label !== null) label.textContent = 'Carla';
  });
  const result = await actions.press(0);
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'state_mismatch', evidence: { reason: 'changed_identity' } },
  });
  expect(JSON.stringify(result)).toContain('"name":"Delete","belongs":"Carla"');
  expect(await actions.text('#out')).toBe('');
});

test('[INT-212] [INT-242] presses the intended row after rows swapped their labels', async () => {
  await using actions = await rows();
  await actions.run(() => {
    const [first, second] = document.querySelectorAll('li');
    if (first !== undefined && second !== undefined)
      [first.innerHTML, second.innerHTML] = [second.innerHTML, first.innerHTML];
  });
  expect(await actions.press(0)).toMatchObject({ ok: true, healed: { why: 'detached' } });
  expect(await actions.text('#out')).toBe('Alice');
});

test('[INT-212] treats another name on the same node as another button', async () => {
  await using actions = await actionsOn(
    `<button id=b onclick="out.value='pressed'">Keep</button><output id=out></output>`,
  );
  await actions.run(() => {
    const button = document.querySelector('#b');
    if (button !== null) button.textContent = 'Delete everything';
  });
  const error = await actions.refused('click', 'Keep');
  expect(error.message).toBe(
    "The element was btn 'Keep' and is now btn 'Delete everything': nothing was done. Take a new snapshot.",
  );
  expect(await actions.text('#out')).toBe('');
});

test('does not answer a question that changed under its button', async () => {
  await using actions = await actionsOn(
    `<div role=dialog><h2 id=q>Delete Alice?</h2><button onclick="out.value='yes'">Confirm</button></div><output id=out></output>`,
  );
  await actions.run(() => {
    const question = document.querySelector('#q');
    if (question !== null) question.textContent = 'Delete everybody?';
  });
  expect(await actions.refused('click', 'Confirm')).toMatchObject({
    evidence: { reason: 'changed_identity' },
  });
});

test('[INT-210] [INT-211] ignores moved and copied attributes', async () => {
  await using actions = await rows();
  await actions.run(() => {
    const stamped = [...document.querySelectorAll('[data-llm-id]')];
    const ids = stamped.map((element) => element.getAttribute('data-llm-id') ?? '');
    stamped.forEach((element, index) => {
      element.setAttribute('data-llm-id', ids.at(index - 1) ?? '');
    });
  });
  await actions.press(1);
  expect(await actions.text('#out')).toBe('Bob');
});

test('[INT-243] takes the nearer of two equal candidates with the same neighbours', async () => {
  const section = (name: string, gap: number) =>
    `<p><button>${name}</button><button onclick="out.value='${name}'">Edit</button></p><div style="height:${gap}px"></div>`;
  await using actions = await actionsOn(
    `<div id=x>${section('Lamps', 400)}${section('Mugs', 0)}</div><output id=out></output>`,
  );
  const [, mugs] = (await actions.see()).filter(({ n }) => n === 'Edit');
  await actions.run(() => {
    const list = document.querySelector('#x');
    if (list !== null) list.innerHTML = String(list.innerHTML);
  });
  expect(await actions.run((id) => actionsKit.actions.click(id), mugs?.i ?? '')).toMatchObject({ ok: true });
  expect(await actions.text('#out')).toBe('Mugs');
});

test('[INT-244] does nothing on a tie and reports the candidates', async () => {
  await using actions = await actionsOn(`<div id=x><button>Buy</button></div>`);
  await actions.run(() => {
    const list = document.querySelector('#x');
    if (list !== null) list.innerHTML = '<button>Buy</button><button>Buy</button>';
  });
  expect(await actions.refused('click', 'Buy')).toMatchObject({
    code: 'target_not_found',
    evidence: {
      reason: 'ambiguous',
      was: "btn 'Buy'",
      candidates: [
        { role: 'btn', name: 'Buy' },
        { role: 'btn', name: 'Buy' },
      ],
    },
  });
});

test('[INT-244] rejects a candidate of the same role and another name, and reports it', async () => {
  await using actions = await actionsOn(`<div id=x><button>Buy</button></div>`);
  await actions.run(() => {
    const list = document.querySelector('#x');
    if (list !== null) list.innerHTML = '<button>Bye</button>';
  });
  expect(await actions.refused('click', 'Buy')).toMatchObject({
    evidence: { reason: 'detached', candidates: [{ name: 'Bye', confidence: 0 }] },
  });
});

test('tells long names apart that differ after the cut', async () => {
  const name = (year: number) => `Delete the message of the accounting department about ${year}`;
  await using actions = await actionsOn(`<button id=b>${name(2025)}</button>`);
  await actions.run((text) => {
    const button = document.querySelector('#b');
    if (button !== null) button.textContent = text;
  }, name(2026));
  const result = await actions.run(() => actionsKit.actions.click('1'));
  expect(result).toMatchObject({ ok: false, error: { evidence: { reason: 'changed_identity' } } });
});

test('ignores a changed number in a row whose button names the row', async () => {
  await using actions = await actionsOn(
    `<ul><li><span id=s>Ash peg, 12 pieces</span> <button>Reserve Ash peg</button></li><li><span>Oak peg, 3 pieces</span> <button>Reserve Oak peg</button></li></ul>`,
  );
  await actions.run(() => {
    const stock = document.querySelector('#s');
    if (stock !== null) stock.textContent = 'Ash peg, 11 pieces';
  });
  expect(await actions.act('click', 'Reserve Ash peg')).toMatchObject({ ok: true });
});

test('[INT-212] acts on an element that an action renamed: its report counts as seen', async () => {
  await using actions = await actionsOn(
    `<button onclick="this.textContent = this.textContent === 'Mute' ? 'Unmute' : 'Mute'">Mute</button>`,
  );
  const id = actions.idOf('Mute');
  expect((await actions.done('click', 'Mute')).effect.changed).toEqual([{ i: id, n: 'Unmute' }]);
  expect((await actions.done('click', 'Mute')).effect.changed).toEqual([{ i: id, n: 'Mute' }]);
  await actions.run(() => {
    const button = document.querySelector('button');
    if (button !== null) button.textContent = 'Leave';
  });
  expect(await actions.refused('click', 'Mute')).toMatchObject({
    evidence: { reason: 'changed_identity', now: "btn 'Leave'" },
  });
});

test('[INT-212] a report without the name does not make a renamed element seen', async () => {
  await using actions = await actionsOn(
    `<button id=keep>Keep</button><button onclick="keep.ariaPressed = 'true'">Mark</button>`,
  );
  const id = actions.idOf('Keep');
  await actions.run(() => {
    const button = document.querySelector('#keep');
    if (button !== null) button.textContent = 'Delete';
  });
  expect((await actions.done('click', 'Mark')).effect.changed).toEqual([{ i: id, s: expect.any(String) }]);
  expect(await actions.refused('click', 'Keep')).toMatchObject({ evidence: { reason: 'changed_identity' } });
});

test('[INT-212] a look that was not reported does not make an element seen', async () => {
  await using actions = await actionsOn(
    `<button id=keep>Keep</button><button id=drop>Delete</button><button id=start>Start</button><p id=end></p>`,
  );
  await actions.run(() => {
    const [keep, drop, start] = [...document.querySelectorAll('button')];
    const swap = () => {
      if (keep && drop) [keep.textContent, drop.textContent] = [drop.textContent, keep.textContent];
    };
    start?.addEventListener('click', () => {
      swap();
      setTimeout(() => {
        swap();
        document.querySelector('#end')?.append('Done');
      }, 300);
    });
  });
  const expected = { type: 'element_appears', element: { text: 'Done' } } as const;
  expect(await actions.done('click', 'Start', { expected })).toMatchObject({
    effect: { changed: [] },
    verification_passed: true,
  });
  expect(await actions.done('click', 'Keep')).not.toHaveProperty('healed');
});

test('acts on an element that an action added by its reported id', async () => {
  await using actions = await actionsOn(
    `<button onclick="t.innerHTML='<button>Undo</button>'">Delete</button><p id=t></p>`,
  );
  const undo = (await actions.done('click', 'Delete')).effect.added[0]?.i ?? '';
  await actions.run(() => {
    const place = document.querySelector('#t');
    if (place !== null) place.innerHTML = String(place.innerHTML);
  });
  expect(await actions.run((id) => actionsKit.actions.click(id), undo)).toMatchObject({
    ok: true,
    healed: { from: undo },
  });
});

test('[INT-242] finds a redrawn part again that only a container listens for', async () => {
  await using actions = await actionsOn(`<div id=root></div><output id=out></output><script>
    const draw = () => { root.innerHTML = '<h1>Trip</h1><p>Three days in the city</p><span>Share</span> <span>Details</span>'; };
    draw();
    root.onclick = ({ target }) => { out.value += target.textContent; draw(); };</script>`);
  const [share, details] = await actions.run(() =>
    actionsKit.perception.snapshot({ form: 'view' }).page.interactive_tree.map(({ i }) => i),
  );
  const press = (id = '') => actions.run((given) => actionsKit.actions.click(given), id);
  expect(await press(share)).toMatchObject({ ok: true });
  expect(await press(details)).toMatchObject({ ok: true, id: details });
  expect(await actions.text('#out')).toBe('ShareDetails');
});

test('[INT-242] tells rows apart that have only a code', async () => {
  await using actions = await actionsOn(`<table id=t></table><output id=out></output><script>
    globalThis.draw = (codes) => { t.innerHTML = codes.map((code) => '<tr><td>' + code + '<td>120<td><button onclick="out.value=\\'' + code + '\\'">Edit</button>').join(''); };
    draw(['A-1', 'A-2', 'A-3']);</script>`);
  const [first] = (await actions.see()).map(({ i }) => i);
  await actions.run(() => Reflect.get(globalThis, 'draw')(['A-3', 'A-2', 'A-1']));
  expect(await actions.run((id) => actionsKit.actions.click(id), first ?? '')).toMatchObject({ ok: true });
  expect(await actions.text('#out')).toBe('A-1');
});

test('[INT-242] finds a nameless button again by its drawing, and keeps its id in the effect', async () => {
  await using actions = await actionsOn(`<div id=bar></div><output id=out></output><script>
    const ICONS = ['M0 0h9v9z', 'M0 0h9', 'M0 0v9'];
    let on = -1;
    const draw = () => {
      bar.replaceChildren(...ICONS.map((d, n) => {
        const made = document.createElement('button');
        made.innerHTML = '<svg width=12 height=12><path d="' + d + '"/></svg>';
        made.style.background = n === on ? 'navy' : '';
        made.onclick = () => { on = n; out.value += n; draw(); };
        return made;
      }));
    };
    draw();</script>`);
  const [first = '', second = ''] = (await actions.see()).map(({ i }) => i);
  const press = (id: string) => actions.run((given) => actionsKit.actions.click(given), id);
  const pressed = await press(first);
  expect(pressed).toMatchObject({ ok: true, effect: { added: [], removed: [] } });
  expect(JSON.stringify(pressed)).toContain(`"${first}: `);
  expect(await press(second)).toMatchObject({ ok: true });
  expect(await actions.text('#out')).toBe('01');
});

test('[INT-242] finds nameless circles again by the words of their rows, sorted after each press', async () => {
  await using actions =
    await actionsOn(`<style>i { display: inline-block; width: 18px; height: 18px; border: 2px solid }</style>
    <div id=list></div><script>
    let rows = ['Water', 'Rent', 'Passport', 'Library'].map((name) => ({ name, isDone: false }));
    const draw = () => {
      rows.sort((a, b) => a.isDone - b.isDone);
      list.innerHTML = rows.map(({ name }) => '<p><i tabindex=0 role=button></i> ' + name + '</p>').join('');
      [...list.querySelectorAll('i')].forEach((i, at) => { i.onclick = () => { rows[at].isDone = true; draw() } });
    };
    draw();</script>`);
  const ids = (await actions.see()).filter(({ r }) => r === 'btn').map(({ i }) => i);
  for (const at of [0, 2]) {
    const pressed = await actions.run((id) => actionsKit.actions.click(id), ids[at] ?? '');
    expect(pressed).toMatchObject({ ok: true });
  }
  expect((await actions.text('#list'))?.trim().split(/\s+/)).toEqual([
    'Rent',
    'Library',
    'Passport',
    'Water',
  ]);
});

describe('[INT-212] a count that the own act changed', () => {
  const drawn = (rows: string, draw: string) =>
    `<div id=list></div><output id=out></output><script>
      const rows = ${rows};
      const draw = () => { list.innerHTML = rows.map((row, index) => ${draw}).join(''); };
      draw();
    </script>`;

  test('keeps the id of a button that was drawn again', async () => {
    const button = `'<button onclick="rows[' + index + ']++; draw()">Like ' + row + '</button>'`;
    await using actions = await actionsOn(drawn('[3, 8]', button));
    const id = actions.idOf('Like 3');
    const { effect } = await actions.done('click', 'Like 3');
    expect(effect).toMatchObject({ changed: [{ i: id, n: 'Like 4' }], added: [], recounted: [id] });
    expect(await actions.act('click', 'Like 3')).toMatchObject({ ok: true });
    expect(await actions.text('#list')).toBe('Like 5Like 8');
  });

  test('beside buttons that are drawn again', async () => {
    const row = `'<li>Rice × ' + row + ' <button onclick="rows[0]--; draw()">−</button><button onclick="rows[0]++; draw()">+</button></li>'`;
    await using actions = await actionsOn(drawn('[1]', row));
    for (const name of ['+', '+', '−']) await actions.done('click', name);
    expect(await actions.text('#list')).toContain('Rice × 2');
  });

  test('is not the count of the row that moved up into the same nodes', async () => {
    const row = (count: number) =>
      `<li><span>${count} pieces</span> <button onclick="archive(this)">Archive</button></li>`;
    await using actions =
      await actionsOn(`<ul id=list>${[3, 4, 5].map(row).join('')}</ul><output id=out></output>
      <script>function archive(button) {
        const counts = [...list.querySelectorAll('span')];
        out.value += button.previousElementSibling.textContent;
        counts.forEach((count, index) => { count.textContent = counts[index + 1]?.textContent; });
        list.lastElementChild.remove();
      }</script>`);
    const [first] = (await actions.see()).filter(({ n }) => n === 'Archive');
    const press = () => actions.run((id) => actionsKit.actions.click(id), first?.i ?? '');
    expect(await press()).toMatchObject({ ok: true });
    expect(await press()).toMatchObject({ ok: false });
    expect(await actions.text('#out')).toBe('3 pieces');
  });
});

test('[INT-212] a tile stays itself when words come into the tiles around it', async () => {
  const tile = (name: string) => `<div class=tile style="cursor:pointer"><b>${name}</b></div>`;
  await using actions = await actionsOn(
    `<h2>Seats</h2><div id=seats>${['11', '12', '13'].map(tile).join('')}</div><output id=out></output>
    <script>for (const each of document.querySelectorAll('.tile')) each.addEventListener('click', () => {
      out.value += each.textContent + ' ';
      each.classList.add('taken');
      seats.firstChild.append('Ivana Kral');
    })</script>`,
  );
  for (const name of ['12', '13']) await actions.done('click', name);
  expect(await actions.text('#out')).toBe('12 13 ');
});

test('[INT-297] items that an act drew again in another order keep their ids', async () => {
  const item = (name: string) => `<li tabindex=0 onclick="list.innerHTML = again">${name}</li>`;
  await using actions = await actionsOn(
    `<h2>Songs</h2><ul id=list>${['Ash', 'Birch', 'Cedar'].map(item).join('')}</ul>
    <script>again = [...list.children].reverse().map((each) => each.outerHTML).join('')</script>`,
  );
  expect((await actions.done('click', 'Birch')).effect).toMatchObject({ added: [], removed: [] });
});

test('[INT-212] a box that scrolls stays itself with other rows in it', async () => {
  await using actions = await actionsOn(
    `<div id=box style="height:60px;overflow:auto">${'<p>Row of May</p>'.repeat(20)}</div>`,
  );
  const [box] = await actions.see();
  await actions.run(() => {
    for (const row of document.querySelectorAll('p')) row.textContent = 'Row of June';
  });
  const scrolled = await actions.run((id) => actionsKit.actions.scroll(id, { to: [0, 90] }), box?.i ?? '');
  expect(scrolled).toMatchObject({ ok: true, position: { y: 90 } });
});
