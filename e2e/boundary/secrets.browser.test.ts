import { PRIMITIVES, type PrimitiveName } from '@drawbridge/protocol/primitives';
import { isDeep, sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { startAgent } from '../mcp-client.ts';
import { ORACLES, type Oracle, outcomeOf, readByLetters } from './secret-oracles.ts';
import { FETCHED, SECRETS, SHOWN, startEchoSite } from './secrets-page.ts';

let site: Awaited<ReturnType<typeof startEchoSite>>;
let harness: BrowserHarness;
beforeAll(async () => {
  site = await startEchoSite();
  harness = await startBrowserHarness({ asker: answeringPerson(() => 'once') });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const show = async (index: number) => {
  await harness.call('browser.navigate', { url: `${site.url}/${index}` });
};
const answerTo = (name: string, args: object): Promise<unknown> =>
  harness.call(name, args).catch((error: unknown) => error);
/** Drops numbers: a coordinate may be 407. */
const textOf = (answer: unknown): string => {
  const said = answer instanceof Error ? [answer.message, Reflect.get(answer, 'evidence')] : answer;
  return JSON.stringify(said, (_, inner) => (typeof inner === 'number' ? 0 : inner));
};

const idOf = async (selector: string): Promise<string> => {
  const { id } = trustId(await harness.call('locator.element_info', { locator: { selector } }));
  return id;
};

/** Calls that read with each primitive; `acts` for those whose answer contains nothing of the page. */
const CALLS: Readonly<Record<PrimitiveName, 'acts' | readonly object[]>> = {
  'page.info': [{}],
  'page.snapshot': [
    { scope: 'page', form: 'lines', context: true },
    { scope: 'page', form: 'view' },
    { scope: 'page', form: 'full_keys' },
    { mode: 'skeleton' },
    { mode: 'full' },
    { scope: 'page', query: 'typed link copy note' },
  ],
  'page.read': [{}],
  'page.wait': [{ for: 'stable', quiet_ms: 10 }],
  'page.extract': [
    {
      entries: [
        { id: 'texts', selector: 'body *', many: true, property: 'textContent' },
        { id: 'shown', selector: 'body *', many: true },
        { id: 'values', selector: 'input', many: true, property: 'value' },
        ...['title', 'href', 'data-echo', 'data-copy', 'placeholder', 'class', 'id', 'value', 'lang'].map(
          (attribute) => ({ id: attribute, selector: '*', many: true, attribute }),
        ),
      ],
    },
  ],
  'page.fetch': [{ url: '?' }],
  'element.click': [{ id: '#link-shown' }],
  'element.double_click': [{ id: '#inner-secret' }],
  'element.hover': [{ id: '#link-secret' }],
  'element.focus': [{ id: '#note-secret' }],
  'element.fill': [{ id: '#note-shown', text: 'x' }],
  'element.type': [{ id: '#note-secret', text: 'x' }],
  'element.select': [{ id: '#note-secret', choices: [{ label: 'x' }] }],
  'element.check': [{ id: '#note-secret' }],
  'element.uncheck': [{ id: '#note-secret' }],
  'element.upload': [{ id: '#note-secret', files: [{ name: 'a', base64: '' }] }],
  'element.scroll_to': [{ id: '#note-secret' }],
  'element.wheel': [{ id: '#note-secret', by: [0, 10] }],
  'element.select_text': [{ id: '#note-secret' }],
  'browser.files.list': [{}],
  // Attacked in packages/runtime/src/primitives/files.browser.test.ts.
  'browser.files.read': [{ attachment_id: 'file_none' }],
  'browser.files.put': [{ attachment_id: 'file_none', name: 'a', type: '', part: 0, base64: '' }],
  'element.drag': [{ id: '#link-secret', to: '#button-secret' }],
  'element.keys': [{ keys: ['Tab'] }],
  'locator.element_info': ['p', 'a', 'button', 'main', '#around-secret', 'x-echo >>> i'].map((selector) => ({
    locator: { selector },
  })),
  'locator.text_content': ['main', '#text-secret', '#split-secret', 'title'].map((selector) => ({
    locator: { selector },
  })),
  'locator.value': [{ locator: { selector: '#note-secret' } }, { locator: { selector: '#secret' } }],
  'locator.wait_for': [{ locator: { selector: '#gone' }, timeout_ms: 1 }],
  'dom.observe.visible': [{}, { selector: 'p, a, button', max_payload_bytes: 256_000 }],
  'dom.observe.attributes': [
    {
      selector: '*',
      attributes: ['text', 'title', 'href', 'class', 'id', 'data-echo', 'data-copy', 'value', 'placeholder'],
      max_payload_bytes: 256_000,
    },
  ],
  'dom.snapshot_text': [
    {},
    ...[20, 11, 12, 13].map((max_chars) => ({ selector: '#text-secret', max_chars })),
  ],
  'dom.list_sections': [{ selector: 'main, section, p', max_heading_length: 12 }],
  'a11y.query': [{ role: 'link' }, { role: 'button' }, { role: 'textbox' }, { name_contains: 'a' }],
  'a11y.tree': [{ max_nodes: 2_000 }],
  'overlay.menu.hide': 'acts',
  'overlay.menu.show': 'acts',
  'overlay.menu.collapse': 'acts',
  'overlay.menu.expand': 'acts',
  'overlay.menu.move': 'acts',
  'dom.focus': [{ locator: { selector: '#note-secret' } }],
  'pointer.move': [{ x: 10, y: 10 }],
  'pointer.click': [{ x: 60, y: 120 }],
  'pointer.double_click': [{ x: 60, y: 160 }],
  'pointer.drag': [{ from: { selector: '#text-secret' }, to: { selector: '#link-secret' } }],
  'keyboard.press': [{ key: 'Tab' }],
  'text.insert': [{ text: 'x', target: { selector: '#note-shown' } }],
  'text.type': [{ text: 'x' }],
  'text.select': [{ target: { selector: '#text-secret' } }],
  'viewport.scroll': [{ delta_y: 1 }],
  'clipboard.read': [{}],
  'clipboard.write': 'acts',
  'clipboard.copy': [{}],
  'clipboard.paste': 'acts',
  'overlay.open': 'acts',
  'overlay.close': 'acts',
  // Pictures are checked in packages/page/src/canaries.browser.test.ts.
  'browser.screenshot': 'acts',
  'browser.claimed_tabs.list': [{}],
  'browser.claimed_tabs.activate': 'acts',
  'browser.navigate': [{ reload: true }],
  'browser.open_tab': 'acts',
  'browser.close_tab': 'acts',
  'browser.dismiss_dialog': [{}],
  'storage.read_file': 'acts',
  'transfer.write': 'acts',
  'transfer.read': 'acts',
  'transfer.insert': 'acts',
  'transfer.clear': 'acts',
  'inspect.messages': [{}],
  'inspect.requests': [{}],
  // Bodies are attacked in packages/runtime/src/primitives/inspect.browser.test.ts.
  'inspect.body': [{ request_id: 'r0' }],
  'inspect.storage': [{ keys: ['copy', 'jar'] }],
};

const PLACED = SECRETS.map((secret, index) => ({ ...secret, place: index }));

test('[BRG-126] every primitive of the dictionary is in the list', () => {
  expect(Object.keys(CALLS).sort()).toEqual(PRIMITIVES.map(({ name }) => name).sort());
});

describe.each(PLACED)('$name', ({ place, value, wrong }) => {
  const holds = (text: string): boolean => new RegExp(`(?<![a-z0-9])${value}(?![a-z0-9])`, 'i').test(text);

  test('[BRG-126] [INT-277] is in no answer of any primitive, while visible text is', async () => {
    await show(place);
    const leaks: string[] = [];
    let shown = 0;
    for (const [name, calls] of Object.entries(CALLS)) {
      for (const args of calls === 'acts' ? [] : calls) {
        const id = name.startsWith('element.') ? Reflect.get(args, 'id') : undefined;
        const to = Reflect.get(args, 'to');
        const given = {
          ...args,
          ...(typeof id === 'string' && { id: await idOf(id) }),
          ...(typeof id === 'string' && typeof to === 'string' && { to: await idOf(to) }),
        };
        const text = textOf(await answerTo(name, given));
        if (holds(text)) leaks.push(`${name} ${JSON.stringify(args)}: ${text.slice(0, 300)}`);
        if (text.includes(SHOWN.value)) shown++;
        if (name === 'element.click' || name === 'browser.navigate') await show(place);
      }
    }
    expect(leaks).toEqual([]);
    expect(shown).toBeGreaterThan(15);
    expect(holds(textOf(harness.answered))).toBe(false);
    expect(holds(textOf(harness.bridge.runtimes().map(({ ready }) => ready)))).toBe(false);
  });

  test("[BRG-126] a dialog's text is reported once it is answered, without the secret", async () => {
    await show(place);
    const pressed = textOf(await answerTo('element.click', { id: await idOf('#alert') }));
    const during = textOf(await answerTo('page.info', {}));
    const answered = textOf(await answerTo('browser.dismiss_dialog', {}));
    expect([pressed, during, answered].filter(holds)).toEqual([]);
    expect(answered).toContain(`or ${SHOWN.value}?`);
  });

  const outcome = (oracle: Oracle, guess: string) => outcomeOf(oracle, guess, answerTo, () => idOf('#alert'));

  test('[INT-277] no question distinguishes a right guess from a wrong one', async () => {
    await show(place);
    const blind: string[] = [];
    const leaks: string[] = [];
    for (const oracle of ORACLES.filter((_, at) => isDeep || at % SECRETS.length === place)) {
      const tell = async (known: typeof SHOWN, cut: (text: string) => string) =>
        (await outcome(oracle, cut(known.value))) !== (await outcome(oracle, cut(known.wrong)));
      const whole = (text: string) => text;
      if (!(await tell(SHOWN, whole))) blind.push(oracle.name);
      for (const cut of sampled([whole, firstLetter, firstThree, lastThree], 2))
        if (await tell({ value, wrong }, cut)) leaks.push(`${oracle.name} with ${cut(value)}`);
    }
    expect(blind).toEqual([]);
    expect(leaks).toEqual([]);
  });

  test('[INT-277] selecting a part of a secret field or of an echo answers right and wrong alike', async () => {
    await show(place);
    const parts = (text: string) => [
      { text: text.slice(0, 1) },
      { text },
      { text, nth: 2 },
      { range: [0, text.length] },
      { range: [0, text.length + 90] },
    ];
    for (const selector of ['#secret', '#text-secret', '#split-secret']) {
      const id = await idOf(selector);
      const answers = [...parts(value), ...parts(wrong)].map((part) =>
        answerTo('element.select_text', { id, ...part }),
      );
      for (const answer of await Promise.all(answers))
        expect(answer).toMatchObject({ code: 'invalid_input' });
      expect(await answerTo('element.select_text', { id })).not.toBeInstanceOf(Error);
    }
    const shown = { id: await idOf('#text-shown'), text: SHOWN.value };
    expect(await answerTo('element.select_text', shown)).not.toBeInstanceOf(Error);
  });

  test('[INT-277] the attack of finding 7 reads not one letter', async () => {
    await show(place);
    expect(await readByLetters(value, wrong, answerTo)).toEqual({ text: '', url: '', title: '' });
  });
});

/** Ways to disguise a guess as harmless text. */
const DISGUISES: Readonly<Record<string, (guess: string) => string>> = {
  'as it is': (guess) => guess,
  'with invisible characters, running on': (guess) => `${[...guess].join('\u00ad')}Copy`,
};

/** Calls that read or refer to a guess after it was written into the page. */
const GUESSING = (guess: string): readonly (readonly [name: string, args: object])[] => [
  ['page.info', {}],
  ['page.snapshot', { scope: 'page', form: 'lines', context: true }],
  ['page.snapshot', { scope: 'page', form: 'full_keys' }],
  ['page.snapshot', { mode: 'skeleton' }],
  ['page.snapshot', { mode: 'full' }],
  ['page.read', {}],
  ['page.extract', { entries: [{ id: 'all', selector: 'section *', many: true, property: 'textContent' }] }],
  ['page.wait', { for: 'text', text: `Results for ${guess}`, timeout_ms: 1 }],
  ['page.wait', { for: 'url', url_contains: guess, timeout_ms: 1 }],
  ['locator.element_info', { locator: { selector: 'h2' } }],
  ['locator.element_info', { locator: { text_contains: guess } }],
  [
    'locator.element_info',
    { locator: { selector: `#x[title="${guess}"]`, frame: `iframe[name="${guess}"]` } },
  ],
  ['locator.text_content', { locator: { selector: '#results' } }],
  ['locator.text_content', { locator: { selector: `[name="${guess}"]` } }],
  ['locator.value', { locator: { selector: '#search' } }],
  ['dom.observe.visible', { selector: 'section *', text_contains: guess }],
  [
    'dom.observe.attributes',
    { selector: 'section *', attributes: ['text', 'title', 'href', 'value', 'name'] },
  ],
  ['dom.snapshot_text', { selector: '#results' }],
  ['dom.snapshot_text', { selector: `[${guess}` }],
  ['dom.list_sections', { selector: 'section' }],
  [
    'page.extract',
    { entries: [{ id: 'all', selector: 'html', fields: { x: { xpath: `//*[.='${guess}'` } } }] },
  ],
  ['viewport.scroll', { scope: { root_selector: `[title="${guess}"]` } }],
  ['element.hover', { id: guess }],
  ['element.select', { id: guess, choices: [{ label: guess }] }],
  ['keyboard.press', { key: guess }],
  ['browser.claimed_tabs.list', {}],
];

describe.each(sampled(PLACED, 2))('an agent that guesses $name', ({ place, value, wrong, guesses }) => {
  test('[INT-277] copies no part of it', async () => {
    await show(place);
    await harness.call('dom.focus', { locator: { selector: '#note-secret' } });
    await harness.call('keyboard.press', { key: 'Home' });
    await harness.call('keyboard.press', { key: 'ArrowRight', modifiers: ['Shift'] });
    expect(textOf(await answerTo('clipboard.copy', {}))).toMatch(/"text":"•••"|secret_field/);
  });

  test('[INT-277] finds it neither by one box for each digit nor on the next page', async () => {
    await show(place);
    const boxes = [];
    for (let at = 1; at <= value.length; at++)
      boxes.push(
        textOf(
          await answerTo('locator.text_content', { locator: { selector: `#boxes b:nth-child(${at})` } }),
        ),
      );
    if (/^\d+$/.test(value)) expect(boxes.join('').replaceAll(/nth-child\(\d\)/g, '')).not.toMatch(/\d/);
    await harness.call('element.click', { id: await idOf('#next button') });
    const next = textOf([await answerTo('page.read', {}), await answerTo('page.info', {})]);
    expect(next).toContain(SHOWN.value);
    expect(next).not.toContain(value);
    const [first] = harness.bridge.runtimes();
    await harness.call('browser.open_tab', { url: `${site.url}/next` });
    const second = () =>
      harness.bridge.runtimes().find(({ runtime_id }) => runtime_id !== first?.runtime_id)?.runtime_id ?? '';
    await expect.poll(second).not.toBe('');
    const tab = { runtime_id: second() };
    const other = textOf(await harness.call('page.read', {}, tab));
    expect(other).toContain(SHOWN.value);
    expect(other).not.toContain(value);
    await harness.call('browser.close_tab', {}, tab);
    await expect.poll(() => harness.bridge.runtimes()).toHaveLength(1);
  });

  test.each(sampled(Object.entries(DISGUISES), 3))(
    '[INT-277] cannot tell a right guess from a wrong one where the page does not repeat it, %s',
    async (_, disguise) => {
      const answersTo = async (guess: string): Promise<string[]> => {
        const written = disguise(guess);
        await harness.call('browser.navigate', { url: `${site.url}/${place}?quiet` });
        // Assigns ids in the order of the first snapshot.
        await harness.call('page.snapshot', { scope: 'page' });
        const filled = await answerTo('element.fill', { id: await idOf('#search'), text: written });
        const answers = [`element.fill: ${comparable(filled, written)}`];
        for (const [name, args] of GUESSING(written))
          answers.push(
            `${name} ${comparable(args, written)}: ${comparable(await answerTo(name, args), written)}`,
          );
        return answers;
      };
      const right = await answersTo(value);
      expect(right.join()).toContain('{}');
      for (const guess of [wrong, ...guesses]) {
        const answers = await answersTo(guess);
        expect(answers.filter((answer, at) => answer !== right[at])).toEqual(
          right.filter((answer, at) => answer !== answers[at]),
        );
      }
    },
  );
});

/** Removes the start of a guess from the end of a text: long texts are cut, most with a mark. A mask there still shows. */
function withoutCut(text: string, forms: readonly string[]): string {
  const isMarked = text.endsWith('…');
  const left = isMarked ? text.slice(0, -1) : text;
  for (const form of forms)
    for (let length = form.length - 1; length >= (isMarked ? 1 : 3); length--)
      if (left.endsWith(form.slice(0, length))) return `${left.slice(0, -length)}{}`;
  return text;
}

/** Removes the guess, as written and as the page escapes it, and parts that change with time. */
function comparable(answer: unknown, written: string): string {
  const said =
    answer instanceof Error ? { message: answer.message, evidence: Reflect.get(answer, 'evidence') } : answer;
  const visible = written.replaceAll(/\p{Cf}/gu, '');
  const forms = [
    written,
    encodeURIComponent(written),
    [...written].join('\u00ad'),
    Buffer.from(written).toString('base64'),
    visible,
    [...visible].join('\u00ad'),
  ];
  const without = (text: string) =>
    withoutCut(
      forms.reduce((left, form) => left.replaceAll(form, '{}').replaceAll(form.toUpperCase(), '{}'), text),
      forms,
    );
  const text = JSON.stringify(said, (key, inner) => {
    if (UNSTABLE.has(key) || typeof inner === 'number') return undefined;
    if (typeof inner !== 'string') return inner;
    // The order of context lines depends on the layout.
    return key === 'text' ? without(inner).split('\n').sort().join('\n') : without(inner);
  });
  return (text ?? '').replaceAll(/\d+s ago|@\d+,\d+|(?<=\{\} (?:or )?)[^"\\{} ]{5,}(?="|\\n)/g, '');
}

test('[INT-277] an agent that fetches a page reads no secret field of it', async () => {
  await harness.call('browser.navigate', { url: `${site.url}/plain` });
  const answer = textOf(await harness.call('page.fetch', { url: '/filled' }));
  expect(answer).toContain(SHOWN.value);
  expect(answer).not.toContain(FETCHED);
});

test('[INT-277] an agent that writes every code into a field reads them all back', async () => {
  const index = SECRETS.findIndex(({ value }) => value === '407');
  await show(index);
  const codes = Array.from({ length: 100 }, (_, number) => String(400 + number));
  await harness.call('element.fill', { id: await idOf('#note-shown'), text: codes.join(' ') });
  const answer = textOf(await answerTo('locator.value', { locator: { selector: '#note-shown' } }));
  expect(codes.filter((code) => !answer.includes(code))).toEqual([]);
});

test('[INT-277] an agent that fills a password field does not see where a secret continues', async () => {
  await show(0);
  const [{ value, wrong } = SHOWN] = SECRETS;
  const reading = async (guess: string) => {
    await harness.call('element.fill', { id: await idOf('#secret'), text: `typed ${guess}` });
    return textOf(await answerTo('locator.text_content', { locator: { selector: '#text-secret' } }));
  };
  const answers = [await reading(firstThree(value)), await reading(firstThree(wrong))];
  expect(answers[0]).toBe(answers[1]);
  expect(answers[0]).not.toContain(value.slice(3));
});

test('[BRG-126] no tool of the MCP server reveals a secret or waits for a guess of it', async () => {
  const [{ value } = SHOWN] = SECRETS;
  const { client, callForText, received } = await startAgent(site, { path: '/0' });
  const { tools } = await client.listTools();
  const CALLED: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
    snapshot: [{}, { mode: 'full' }, { mode: 'skeleton' }, { query: value.slice(0, 3) }],
    read: [{}],
    wait: [{ for: 'stable' }],
    screenshot: [],
    tabs: [{ do: 'list' }],
    site: [{ mode: 'overview' }],
    act: [{ do: 'hover', id: '1' }],
    inspect: [{ show: 'console' }, { show: 'requests' }, { show: 'storage', keys: ['jar'] }],
  };
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLED).sort());
  for (const [name, calls] of Object.entries(CALLED)) for (const args of calls) await callForText(name, args);
  expect(received()).toContain(SHOWN.value);
  expect(received()).not.toContain(value);
  const waited = await callForText('wait', { for: 'text', value: value.slice(0, 4), timeout_ms: 1 });
  expect(waited.isError).toBe(true);
});

/** Geometry and values derived from it: SECURITY.md lists these as missed. */
const UNSTABLE = new Set([
  'elapsed_ms',
  'snapshot_id',
  'bounding_box',
  'xy',
  'box',
  'hash',
  'tab_id',
  'runtime_key',
  'runtime_id',
]);
const firstLetter = (text: string): string => text.slice(0, 1);
const firstThree = (text: string): string => text.slice(0, 3);
const lastThree = (text: string): string => text.slice(-3);

function trustId(info: unknown): { id: string } {
  return info as { id: string };
}

/** Last: a value that the agent has written is no secret to it any more. */
test.each(PLACED)(
  '[INT-277] writing $name that the field already has answers like writing another',
  async ({ place, value, wrong }) => {
    const answers = [];
    for (const text of [wrong, value]) {
      await harness.call('browser.navigate', { url: `${site.url}/${place}?quiet` });
      const id = await idOf('#secret');
      answers.push(textOf(await answerTo('element.fill', { id, text })));
    }
    expect(answers[1]).toBe(answers[0]);
  },
);
