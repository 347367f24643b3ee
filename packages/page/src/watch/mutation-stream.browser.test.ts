import { expect, test } from 'vitest';
import { actionsOn } from '../../test/act/page-actions.ts';

/** Shows an element briefly, like a toast, and resolves when it is gone. */
function flash({ html, forMs = 400 }: { html: string; forMs?: number }): Promise<void> {
  const holder = document.createElement('div');
  holder.innerHTML = html;
  const toast = holder.firstElementChild;
  if (toast === null) throw new Error('Nothing to show.');
  document.body.append(toast);
  return new Promise((resolve) => {
    setTimeout(() => {
      toast.remove();
      resolve();
    }, forMs);
  });
}

test('[INT-232] reports a toast that lived 400 ms', async () => {
  await using actions = await actionsOn('<p>Page</p>');
  await actions.run(flash, { html: '<div>Lamp moved to your wish list</div>' });
  const { recentEvents } = await actions.report();
  expect(recentEvents).toEqual([
    expect.stringMatching(/^\[\ds ago\] Added: 'Lamp moved to your wish list'$/),
  ]);
});

test('[INT-232] reports a toast that lived one frame, even on a constantly changing page', async () => {
  await using actions = await actionsOn('<div id=feed></div>');
  await actions.run(async () => {
    for (let made = 0; made < 40; made++) {
      const card = document.createElement('article');
      card.innerHTML = `<h3>Card ${made}</h3><p>About card ${made}</p>`;
      document.querySelector('#feed')?.append(card);
      if (made % 4 === 0) await new Promise(requestAnimationFrame);
    }
  });
  await actions.run(flash, { html: '<div>Lamp moved to your wish list</div>', forMs: 20 });
  const { recentEvents } = await actions.report();
  expect(recentEvents.at(-1)).toMatch(/Added: 'Lamp moved to your wish list'$/);
  expect(recentEvents.length).toBeLessThan(12);
});

test('reports an error and a dialog among many additions to the same place', async () => {
  await using actions = await actionsOn('<div id=x></div>');
  await actions.run(() => {
    for (let made = 0; made < 20; made++) {
      document.querySelector('#x')?.insertAdjacentHTML('beforeend', `<p><b>Card</b><i>${made}</i></p>`);
    }
    const last =
      '<div><b>!</b><span>Could not save.</span></div><div role=dialog><h2>Offer</h2><p>Now</p></div>';
    document.querySelector('#x')?.insertAdjacentHTML('beforeend', `<p>Could not load.</p>${last}`);
  });
  const { recentEvents } = await actions.report();
  expect(recentEvents.some((event) => event.endsWith("Error: 'Could not load.'"))).toBe(true);
  expect(recentEvents.some((event) => event.endsWith("Dialog: 'Offer'"))).toBe(true);
});

test('[INT-233] reports age, kind and text of an event', async () => {
  await using actions = await actionsOn('<p>Page</p>');
  await actions.run(flash, { html: '<div role=alert>Invalid ZIP code</div>' });
  await actions.run(() => actionsKit.advance(3_000));
  expect((await actions.report()).recentEvents).toEqual([
    expect.stringMatching(/^\[[34]s ago\] Error: 'Invalid ZIP code'$/),
  ]);
});

test.each([
  ['an error by role', `<div role=alert>Der Bestand reicht dafür</div>`, true, false],
  ['an error by its words', `<span>Could not save: the list is full.</span>`, true, false],
  ['an error that speaks of success', `<div role=status>The file was not saved.</div>`, true, false],
  ['a success', `<div role=status>Saved to your list.</div>`, false, true],
  ['a success that says alert', `<div role=alert>Saved to your list.</div>`, false, true],
  ['nothing wrong', `<div role=status>No errors found.</div>`, false, false],
  ['red and no more', `<div style="color:red">Lamp</div>`, false, false],
])('[INT-234] [INT-235] %s', async (_, html, hasErrors, hasSuccess) => {
  await using actions = await actionsOn('<p>Page</p>');
  await actions.run(flash, { html });
  expect(await actions.report()).toMatchObject({ hasErrors, hasSuccess });
});

test('[INT-236] keeps unreported events, and drops reported ones after 5 s', async () => {
  await using actions = await actionsOn('<p>Page</p>');
  await actions.run(flash, { html: '<div role=status>Saved.</div>' });
  await actions.run(() => actionsKit.advance(60_000));
  expect((await actions.report()).recentEvents).toEqual([
    expect.stringMatching(/^\[6[01]s ago\] Added: 'Saved\.'$/),
  ]);
  expect(await actions.report()).toEqual({ recentEvents: [], hasErrors: false, hasSuccess: false });
});

test('reports a recent event again', async () => {
  await using actions = await actionsOn('<p>Page</p>');
  await actions.run(flash, { html: '<div role=status>Saved.</div>' });
  for (let time = 0; time < 2; time++)
    expect((await actions.report()).recentEvents).toEqual([expect.stringMatching(/ago\] Added: 'Saved\.'$/)]);
});

test.each([
  ['hidden', `<p id=x hidden>Please enter a name.</p>`, `x.hidden = false`],
  ['style', `<p id=x style="display: none">Please enter a name.</p>`, `x.style.display = 'block'`],
  [
    'class',
    `<style>.hidden{display:none}</style><p id=x class=hidden>Please enter a name.</p>`,
    `x.className = ''`,
  ],
  ['text in place', `<span id=x></span>`, `x.textContent = 'Please enter a name.'`],
  ['a node in a live region', `<div id=x aria-live=polite></div>`, `x.append('Please enter a name.')`],
  [
    'a field turned invalid',
    `<input id=x aria-describedby=y><p id=y>Please enter a name.</p>`,
    `x.setAttribute('aria-invalid','true')`,
  ],
  [
    'in an open shadow root',
    `<x-a id=x><template shadowrootmode=open><p></p></template></x-a>`,
    `x.shadowRoot.firstChild.textContent = 'Please enter a name.'`,
  ],
  [
    'in a form that came back',
    `<form id=x><p>Name</p></form>`,
    `x.innerHTML = '<p>Name</p>' + '<label>Street <input></label>'.repeat(40) + '<p>Please enter a name.</p>'`,
  ],
])('an error shown by %s is heard', async (_, html, script) => {
  await using actions = await actionsOn(html);
  await actions.page.evaluate(script);
  const { recentEvents, hasErrors } = await actions.report();
  expect([hasErrors, recentEvents.some((event) => event.endsWith("Error: 'Please enter a name.'"))]).toEqual([
    true,
    true,
  ]);
});

test('reports an error in a frame that loaded another document', async () => {
  await using actions = await actionsOn(`<iframe srcdoc="<p>One</p>"></iframe>`);
  await actions.run(async () => {
    const frame = document.querySelector('iframe');
    await new Promise((resolve) => {
      frame?.addEventListener('load', resolve);
      frame?.setAttribute('srcdoc', '<p></p>');
    });
    frame?.contentDocument?.querySelector('p')?.append('Please enter a name.');
  });
  expect(await actions.report()).toMatchObject({ hasErrors: true });
});

test("reports the browser's validation bubble", async () => {
  await using actions = await actionsOn(
    `<form><label>Name <input required></label><button>Send</button></form>`,
  );
  const { errors_detected } = await actions.done('click', 'Send');
  expect(errors_detected).toEqual([expect.stringMatching(/^Name: .+/)]);
});

test.each([
  ['never shown', `<p id=x hidden></p>`, `x.textContent = 'Saved.'`],
  ['drawn anew', `<ul id=x><li>Saved lamp</li><li>Mug</li></ul>`, `x.innerHTML = x.innerHTML`],
  ['a counter that says it is off', `<p aria-live=off><b id=x>1</b></p>`, `x.textContent = 'Saved 2'`],
  ['a timer', `<p role=timer id=x>1</p>`, `x.textContent = '2'`],
  ['plain text that changes', `<p id=x>10:01</p>`, `x.textContent = '10:02'`],
])('what is %s is no event', async (_, html, script) => {
  await using actions = await actionsOn(html);
  await actions.page.evaluate(script);
  expect((await actions.report()).recentEvents).toEqual([]);
});

test.each([
  ['a dialog element', `<dialog id=d aria-label=Offer><p>Ten percent off</p></dialog>`, `d.showModal()`],
  ['a dialog that was hidden', `<div id=d role=dialog hidden><h2>Offer</h2></div>`, `d.hidden = false`],
  [
    'a dialog that was added',
    `<p>Page</p>`,
    `document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-labelledby=h><h2 id=h>Offer</h2></div>')`,
  ],
])('%s is told by its name', async (_, html, script) => {
  await using actions = await actionsOn(html);
  await actions.page.evaluate(script);
  expect((await actions.report()).recentEvents).toEqual([expect.stringMatching(/Dialog: 'Offer'$/)]);
});

test('reports a counting live region as one event with its last text', async () => {
  await using actions = await actionsOn(`<div role=status id=x></div>`);
  await actions.run(async () => {
    for (let step = 1; step <= 5; step++) {
      const status = document.querySelector('#x');
      if (status !== null) status.textContent = `Step ${step} of 5`;
      await new Promise(requestAnimationFrame);
    }
  });
  expect((await actions.report()).recentEvents).toEqual([expect.stringMatching(/Changed: 'Step 5 of 5'$/)]);
});

test('bounds the buffer on a page that never rests', async () => {
  await using actions = await actionsOn(`<div id=x></div>`);
  await actions.run(async () => {
    for (let step = 1; step <= 120; step++) {
      const line = document.createElement('p');
      line.setAttribute('role', 'status');
      line.textContent = `Message ${'x'.repeat(400)} ${step}`;
      document.querySelector('#x')?.append(line);
      if (step % 10 === 0) await new Promise(requestAnimationFrame);
    }
  });
  const { recentEvents } = await actions.report();
  expect(recentEvents).toHaveLength(20);
  expect(recentEvents.every((event) => event.length <= 200)).toBe(true);
});

test('reports an announcer for screen readers only', async () => {
  await using actions = await actionsOn(
    `<div id=x aria-live=polite style="position:absolute;width:1px;height:1px;overflow:hidden;opacity:0"></div>`,
  );
  await actions.page.evaluate(`x.textContent = 'Saved.'`);
  expect(await actions.report()).toMatchObject({ hasSuccess: true });
});

test('reports a toast that fades in', async () => {
  await using actions = await actionsOn(
    `<style>@keyframes come { from { opacity: 0 } } .toast { animation: come 200ms 150ms both }</style>`,
  );
  await actions.run(flash, { html: '<div class=toast>Lamp moved</div>' });
  expect((await actions.report()).recentEvents).toHaveLength(1);
});
