import type { Signal } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { wholePages } from '../../test/whole-page.ts';

const { show } = wholePages();

const OPENED: Signal = { name: 'launcher.opened', event: 'x:opened', ingestion: 'enabled' };

/** Reported signals for the events that a page script sends. */
async function received(html: string, signals: readonly Signal[], script: string) {
  const { page, call } = await show(html);
  await call('listenForSignals', signals);
  await page.evaluate(script);
  return call('takeNotices');
}

const send = (name: string, detail = '{ id: 1 }', from = 'document') =>
  `${from}.dispatchEvent(new CustomEvent('${name}', { detail: ${detail} }))`;

describe('received events', () => {
  test('[MAN-214] are the declared ones only', async () => {
    const notices = await received(
      '<p>x</p>',
      [OPENED],
      `${send('x:opened')};${send('x:other')};${send('click')}`,
    );
    expect(notices).toEqual([
      { type: 'signal', event: 'x:opened', detail: { id: 1 }, from: [], is_trusted: false },
    ]);
  });

  test('[MAN-214] end when the map changes', async () => {
    const { page, call } = await show('<p>x</p>');
    await call('listenForSignals', [OPENED]);
    await call('listenForSignals', [{ ...OPENED, event: 'x:closed' }]);
    await page.evaluate(send('x:opened'));
    expect(await call('takeNotices')).toEqual([]);
  });

  test('[MAN-214] exclude those sent to the page', async () => {
    expect(await received('<p>x</p>', [{ ...OPENED, direction: 'agent_to_html' }], send('x:opened'))).toEqual(
      [],
    );
  });

  test('[MAN-217] name the signals of the target they came from', async () => {
    const signals = [
      { ...OPENED, name: 'from.nav', target: { selector: 'nav' } },
      { ...OPENED, name: 'from.main', target: { selector: 'main' } },
      { ...OPENED, name: 'from.bad', target: { selector: 'main[' } },
      OPENED,
    ];
    const from = "document.querySelector('nav b')";
    const [notice] = await received('<nav><b>x</b></nav><main></main>', signals, send('x:opened', '1', from));
    expect(notice).toMatchObject({ from: ['from.nav'] });
  });

  test.each(['window', 'document', "document.querySelector('p')"])(
    'events sent at %s, bubbling or not',
    async (from) => {
      expect(await received('<p>x</p>', [OPENED], send('x:opened', '1', from))).toHaveLength(1);
    },
  );
});

describe('event data', () => {
  test.each([
    ['{ at: new Date(0), skipped: undefined }', { at: '1970-01-01T00:00:00.000Z' }],
    ['undefined', null],
    ['[1, "two", null]', [1, 'two', null]],
  ])('[MAN-218] %s comes out as plain data', async (detail, expected) => {
    const [notice] = await received('<p>x</p>', [OPENED], send('x:opened', detail));
    expect(notice).toMatchObject({ type: 'signal', detail: expected });
  });

  test.each(['document.body.ownerDocument.defaultView', '() => 1', '10n', '"x".repeat(20_000)'])(
    '[MAN-216] %s is no data: that is said instead',
    async (detail) => {
      const notices = await received('<p>x</p>', [OPENED], send('x:opened', detail));
      expect(notices).toEqual([{ type: 'signal_unreadable', event: 'x:opened' }]);
    },
  );

  test('[MAN-202] contains no secret that the page puts into it', async () => {
    const html = '<input type=password value=hunter2-canary>';
    const [notice] = await received(
      html,
      [OPENED],
      send('x:opened', "{ typed: document.querySelector('input').value }"),
    );
    expect(JSON.stringify(notice)).not.toContain('canary');
  });

  test('is bounded in memory during a flood', async () => {
    const script = `for (let sent = 0; sent < 1000; sent++) ${send('x:opened')}`;
    expect(await received('<p>x</p>', [OPENED], script)).toHaveLength(200);
  });
});
