import { PRIMITIVES, primitiveByName } from '@drawbridge/protocol/primitives';
import { expect, test } from 'vitest';
import type { Dialog, SurfaceHost } from '../host.ts';
import { ACT_TARGETS } from './act-targets.ts';
import { createOfferedAddresses } from './offered-addresses.ts';
import { EXEMPT, effectOfPrimitive, GETS_ADDRESS } from './primitive-effect.ts';

const CALM = { label: 'Next', submits: false, sensitive: false, secret: false, sends: 'maybe' };

/** A page that gives every question the same answer and records it. */
function pageThat(answer: object | null = CALM, dialog?: Dialog) {
  const asked: unknown[] = [];
  const host: SurfaceHost = {
    kind: 'cdp',
    runtimeKey: 'tab',
    surface: () => ({ url: 'https://page.test/', title: '', active: true }),
    callPage: async (name, [about]) => {
      if (name === 'pointer.places') return { from: { x: 1, y: 2 }, to: { x: 3, y: 4 } };
      asked.push(about);
      return answer;
    },
    dialogs: { open: () => dialog, answer: async () => '' },
    onEvent: () => () => undefined,
    close: async () => undefined,
  };
  return { asked, host };
}

async function classify(name: string, args: Record<string, unknown>, page = pageThat()) {
  const primitive = primitiveByName(name);
  if (primitive === undefined) throw new Error(`There is no ${name}.`);
  return effectOfPrimitive(primitive, args, page.host, { offered });
}

const offered = createOfferedAddresses({ now: () => 0, after: () => () => undefined });

const ELSEWHERE = ['browser.dismiss_dialog', 'clipboard.read'];

test('[BRG-128] classifies every acting primitive, or exempts it for a stated reason', () => {
  const acting: string[] = PRIMITIVES.filter(({ effect }) => effect === 'act').map(({ name }) => name);
  expect([...ACT_TARGETS.keys(), ...EXEMPT.keys(), ...GETS_ADDRESS, ...ELSEWHERE].toSorted()).toEqual(
    acting.toSorted(),
  );
});

test('[BRG-128] asks for an acting primitive that is unknown', async () => {
  const click = primitiveByName('element.click');
  if (click === undefined) throw new Error('There is no element.click.');
  const unknown = { ...click, name: 'element.blow_up' };
  expect(await effectOfPrimitive(unknown, {}, pageThat().host, { offered })).toEqual({
    effect: 'irreversible',
  });
});

const target = { selector: '#a' };

test.each<[string, Record<string, unknown>, object[]]>([
  ['element.click', { id: '1' }, [{ id: '1', by: 'press' }]],
  ['element.check', { id: '1' }, [{ id: '1', by: 'press' }]],
  ['element.fill', { id: '1', text: 'a\nb' }, [{ id: '1', by: 'write', choice: { label: 'a\nb' } }]],
  ['element.type', { id: '1', text: 'a' }, [{ id: '1', by: 'write' }]],
  ['element.type', { id: '1', text: 'a\r' }, [{ id: '1', by: 'lines' }]],
  ['element.select', { id: '1', choice: { index: 2 } }, [{ id: '1', by: 'choose', choice: { index: 2 } }]],
  ['element.upload', { id: '1', files: [] }, [{ id: '1', by: 'upload' }]],
  [
    'element.drag',
    { id: '1', to_id: '2' },
    [
      { id: '1', by: 'press' },
      { id: '2', by: 'press' },
    ],
  ],
  ['element.keys', { id: '1', keys: 'Enter' }, [{ id: '1', by: 'enter' }]],
  ['element.keys', { keys: ['Control+Enter'] }, [{ focused: true, by: 'enter' }]],
  ['element.keys', { keys: ['ArrowDown'] }, [{ focused: true, by: 'keys' }]],
  ['keyboard.press', { key: 'Space' }, [{ focused: true, by: 'space' }]],
  ['keyboard.press', { key: '\r' }, [{ focused: true, by: 'enter' }]],
  ['keyboard.press', { key: 'Return', modifiers: ['Meta'] }, [{ focused: true, by: 'enter' }]],
  ['pointer.click', { x: 5, y: 6 }, [{ x: 5, y: 6, by: 'press' }]],
  [
    'pointer.drag',
    { from: { x: 5, y: 6 }, to: { x: 5, y: 6 } },
    [
      { x: 5, y: 6, by: 'press' },
      { x: 5, y: 6, by: 'press' },
    ],
  ],
  [
    'pointer.drag',
    { from: target, to: target },
    [
      { x: 1, y: 2, by: 'press' },
      { x: 3, y: 4, by: 'press' },
    ],
  ],
  ['text.type', { text: '\n' }, [{ focused: true, by: 'lines' }]],
  ['text.insert', { text: 'true', target }, [{ locator: target, by: 'write', choice: { label: 'true' } }]],
  ['text.insert', { text: '\n', mode: 'append' }, [{ focused: true, by: 'lines', choice: { label: '\n' } }]],
  ['transfer.insert', { label: 'x', mode: 'append' }, [{ focused: true, by: 'lines' }]],
  ['transfer.insert', { label: 'x', target }, [{ locator: target, by: 'write' }]],
  ['clipboard.paste', { text: 'a\n', target }, [{ locator: target, by: 'lines' }]],
])('[BRG-128] %s %j asks the page about what it would set off', async (name, args, subjects) => {
  const page = pageThat();
  expect(await classify(name, args, page)).toMatchObject({
    effect: 'act',
    elementContext: { label: 'Next' },
  });
  expect(page.asked).toEqual(subjects);
  const stern = pageThat({ ...CALM, sensitive: true, submits: true });
  expect(await classify(name, args, stern)).toMatchObject({ effect: 'irreversible' });
});

test('[BRG-128] classifies an element without effects as act, whatever its label', async () => {
  const writing = pageThat({ ...CALM, label: 'Send to', sensitive: true, submits: true, sends: 'never' });
  expect(await classify('element.fill', { id: '1', text: 'x' }, writing)).toMatchObject({ effect: 'act' });
  const chat = pageThat({ ...CALM, sends: 'surely' });
  expect(await classify('keyboard.press', { key: 'Enter' }, chat)).toMatchObject({ effect: 'irreversible' });
});

test('[BRG-128] an act that sends a form names it, the same form alike and another one otherwise', async () => {
  const origin = 'https://page.test';
  const sending = (what: string, more: object = {}) =>
    pageThat({
      ...CALM,
      origin,
      submits: true,
      form: { to: origin, what, weighty: false, texts: [], ...more },
    });
  const [one, again, other] = await Promise.all(
    ['post /a', 'post /a', 'post /b'].map((what) => classify('element.click', { id: '1' }, sending(what))),
  );
  expect(one).toMatchObject({ effect: 'act', form: expect.stringMatching(/^form\.submit:[0-9a-f]{32}$/) });
  expect(again?.form).toBe(one?.form);
  expect(other?.form).not.toBe(one?.form);
  for (const more of [
    { weighty: undefined },
    { to: 'https://other.test' },
    { texts: ['Delete your account?'] },
  ])
    expect(await classify('element.click', { id: '1' }, sending('post /a', more))).toMatchObject({
      form: expect.stringMatching(/^form\.weighty:/),
    });
  expect(await classify('element.click', { id: '1' })).not.toHaveProperty('form');
});

test.each([
  { id: '1', keys: ['Tab', 'Enter'] },
  { keys: ['Enter', 'Enter'] },
  { keys: ['ArrowDown', 'Space'] },
])('[BRG-128] element.keys %j is refused: a later key would press an unclassified element', async (args) => {
  await expect(classify('element.keys', args)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('[BRG-128] asks for a repeated Enter', async () => {
  expect(await classify('keyboard.press', { key: 'Enter', repeat: 2 })).toMatchObject({
    effect: 'irreversible',
  });
});

test.each([
  ['clipboard.read', {}],
  ['clipboard.paste', { target }],
  ['keyboard.press', { key: 'v', modifiers: ['Control'] }],
  ['keyboard.press', { key: 'Shift+Insert' }],
  ['element.keys', { id: '1', keys: ['a', 'Meta+Shift+V'] }],
])('[BRG-128] %s %j takes the clipboard of a person, so it asks', async (name, args) => {
  const classified = await classify(name, args);
  expect(classified).toMatchObject({ effect: 'irreversible' });
  expect(classified.elementContext?.label).toContain('clipboard');
});

test.each([
  ['confirm', true, 'irreversible'],
  ['prompt', true, 'irreversible'],
  ['beforeunload', true, 'irreversible'],
  ['alert', true, 'act'],
  ['confirm', false, 'act'],
  ['confirm', undefined, 'act'],
] as const)('[BRG-128] answering a %s with %s is %s', async (dialog, accept, effect) => {
  const page = pageThat(CALM, { dialog, message: 'Delete it all?' });
  const classified = await classify('browser.dismiss_dialog', { accept }, page);
  expect(classified).toMatchObject({ effect, elementContext: { label: 'Delete it all?' } });
  expect(page.asked).toEqual([]);
});

test('reports the origin of the frame that answered, and asks nobody about a missing element', async () => {
  const frame = pageThat({ ...CALM, origin: 'https://frame.test' });
  expect(await classify('pointer.click', { x: 1, y: 1 }, frame)).toMatchObject({
    elementContext: { origin: 'https://frame.test' },
  });
  await expect(classify('element.click', { id: '9' }, pageThat(null))).rejects.toMatchObject({
    code: 'target_not_found',
    evidence: { id: '9' },
  });
});

test.each([
  [true, 'act'],
  [false, 'irreversible'],
])('[BRG-187] pasting asks unless the agent copied the text itself: %s is %s', async (isOwn, effect) => {
  const page = pageThat();
  const clipboard = {
    ...{ read: async () => 'x', write: async () => {}, own: () => {}, isOwn: async () => isOwn },
  };
  const host = { ...page.host, clipboard };
  expect(await classify('element.keys', { keys: ['Control+v'] }, { ...page, host })).toMatchObject({
    effect,
  });
});
