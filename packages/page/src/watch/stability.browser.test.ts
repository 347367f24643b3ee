import { expect, test } from 'vitest';
import { type ActionsKit, actionsOn } from '../../test/act/page-actions.ts';
import type { Stability, StabilityOptions } from '../index.ts';

declare global {
  var drawbridgePage: typeof import('../index.ts');
  var settle: (options?: Partial<StabilityOptions>) => Promise<Stability>;
}

/** Puts `settle` into the page, which waits with shorter times than a snapshot. */
async function settling(html: string) {
  const actions = await actionsOn(html);
  await actions.run(() => {
    const { watch }: ActionsKit = actionsKit;
    globalThis.settle = (options) =>
      drawbridgePage.waitForStability({ document, watch, quietMs: 100, timeoutMs: 600, ...options });
  });
  return actions;
}

test('[INT-253] reports a quiet page as stable', async () => {
  await using actions = await settling('<p>Page</p>');
  expect(await actions.run(() => settle())).toMatchObject({ stable: true, reason: 'stable' });
});

test('[INT-253] gives up at the limit on a page that never rests, with the reason', async () => {
  await using actions = await settling('<p>Page</p>');
  expect(
    await actions.run(async () => {
      const move = () => document.body.append('.');
      setInterval(move, 20);
      // On a slow machine the page has already rested since its load: start the movement before asking.
      move();
      await Promise.resolve();
      return settle();
    }),
  ).toMatchObject({ stable: false, reason: 'timeout: still mutating' });
});

test('[INT-254] ends the wait after the last change of a quiet page', async () => {
  await using actions = await settling('<p id=x></p>');
  expect(
    await actions.run(async () => {
      const line = document.querySelector('#x');
      let written = 0;
      const writing = setInterval(() => {
        written++;
        if (line !== null) line.textContent = String(written);
        if (written === 8) clearInterval(writing);
      }, 30);
      const { reason } = await settle({ fromNow: true, quietMs: 600, timeoutMs: 25_000 });
      return [reason, line?.textContent];
    }),
  ).toEqual(['stable', '8']);
});

test('[INT-253] waits for requests that the host sees', async () => {
  await using actions = await settling('<p>Page</p>');
  expect(
    await actions.run(async () => {
      let inFlight = 1;
      const waiting = settle({ inFlight: () => inFlight, timeoutMs: 20_000 });
      const over = await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(resolve, 300, 'still waiting')),
      ]);
      inFlight = 0;
      return [over, (await waiting).reason];
    }),
  ).toEqual(['still waiting', 'stable']);
  expect(await actions.run(() => settle({ inFlight: () => 1 }))).toMatchObject({
    reason: 'timeout: network busy',
  });
});

test('[INT-253] waits for a busy indicator', async () => {
  await using actions = await settling('<p aria-busy=true>Looking…</p>');
  expect(await actions.run(() => settle())).toMatchObject({ reason: 'timeout: still loading' });
});

test('waits for a transition, but not for an endless animation', async () => {
  await using actions =
    await settling(`<style>@keyframes turn { to { rotate: 1turn } } .spin { animation: turn 1s infinite }</style>
    <p class=spin>o</p><p id=x style="transition: margin 400ms">x</p>`);
  expect(await actions.run(() => settle())).toMatchObject({ reason: 'stable' });
  expect(
    await actions.run(async () => {
      const sliding = document.querySelector<HTMLElement>('#x');
      sliding?.style.setProperty('margin-left', '200px');
      const { reason } = await settle({ timeoutMs: 20_000 });
      return [reason, sliding?.getBoundingClientRect().left];
    }),
  ).toEqual(['stable', 208]);
});

test('reports stable while a script moves an element', async () => {
  await using actions = await settling(`<p id=x style="position:relative">x</p>`);
  expect(
    await actions.run(() => {
      let index = 0;
      const mover = document.querySelector<HTMLElement>('#x');
      setInterval(() => mover?.style.setProperty('left', `${index++}px`), 10);
      return settle({ timeoutMs: 5_000 });
    }),
  ).toMatchObject({ reason: 'stable' });
});
