import { shapeRecords } from '@drawbridge/manifest';
import type { ExtractEntry, ExtractField } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { wholePages } from '../../test/whole-page.ts';

const { show } = wholePages();

const LISTS = `<title>Board</title><section><h2> To do </h2><ul><li data-card=1>Milk<li data-card=2>Bread</ul></section>
  <section><ul></ul></section>`;

/** Records as the map engine shapes them. */
const extracted = async (html: string, ...entries: ExtractEntry[]) =>
  shapeRecords(entries, await (await show(html)).call('extract', entries));

/** One field of the only record. */
const read = async (html: string, field: ExtractField) =>
  (await extracted(html, { id: 'it', selector: 'body', fields: { field } })).records['it'];

describe('records', () => {
  test("[MAN-187] reads nested fields, with the page's url and title", async () => {
    const cards = { selector: 'li', many: true, fields: { id: { attribute: 'data-card' }, text: {} } };
    const extraction = await extracted(LISTS, {
      id: 'lists',
      selector: 'section',
      many: true,
      fields: { name: { selector: 'h2', trim: true, required: true }, cards },
    });
    expect(extraction).toEqual({
      url: 'https://page.test/',
      title: 'Board',
      records: {
        lists: [
          {
            name: 'To do',
            cards: [
              { id: '1', text: 'Milk' },
              { id: '2', text: 'Bread' },
            ],
          },
          { name: null, cards: [] },
        ],
      },
      selector_counts: { lists: 2, 'lists.cards': 2 },
      missing_required_fields: ['lists.name'],
    });
  });

  test('[MAN-188] returns an array for `many`, else one record; `trim` removes white space', async () => {
    const one = { selector: 'p', property: 'textContent' } as const;
    const { records, selector_counts } = await extracted(
      '<p> a </p><p> b </p>',
      { id: 'first', ...one },
      { id: 'trimmed', ...one, trim: true },
      { id: 'all', ...one, many: true, trim: true },
      { id: 'none', selector: 'i', many: true },
      { id: 'no', selector: 'i' },
    );
    expect(records).toEqual({ first: ' a ', trimmed: 'a', all: ['a', 'b'], none: [], no: null });
    expect(selector_counts).toEqual({ first: 2, trimmed: 2, all: 2, none: 0, no: 0 });
  });

  test('[MAN-189] names a missing required field once, even with a default', async () => {
    const fields = { price: { selector: '.price', required: true, default: '?' } };
    const entry = { id: 'rows', selector: 'p', many: true, fields };
    const { records, missing_required_fields } = await extracted('<p></p><p></p>', entry);
    expect(records).toEqual({ rows: [{ price: '?' }, { price: '?' }] });
    expect(missing_required_fields).toEqual(['rows.price']);
  });

  test('[MAN-187] reads a field called __proto__ like any other', async () => {
    const page = await show('<p>x</p>');
    const text = await page.run(() => {
      const fields = JSON.parse('{"__proto__":{"selector":"p"}}');
      return JSON.stringify(wholePage.extract([{ id: 'it', selector: 'body', fields }]).matches);
    });
    expect(text).toBe('{"it":[{"fields":{"__proto__":[{"value":"x"}]}}]}');
  });
});

describe('field values', () => {
  test.each<[string, ExtractField, unknown]>([
    ['<p>a<span hidden>b</span></p>', { selector: 'p' }, 'a'],
    ['<p>a<span hidden>b</span></p>', { selector: 'p', property: 'textContent' }, 'ab'],
    ['<input value=a>', { selector: 'input', property: 'value' }, 'a'],
    ['<select><option value=1>One</select>', { selector: 'select', property: 'value' }, 'One'],
    ['<input type=checkbox checked>', { selector: 'input', property: 'checked' }, true],
    ['<div role=switch aria-checked=false>', { selector: 'div', property: 'checked' }, false],
    ['<b aria-label=Close>x</b>', { selector: 'b', property: 'ariaLabel' }, 'Close'],
    ['<b>x</b>', { selector: 'b', property: 'tagName' }, 'B'],
    ['<a href=/x>x</a>', { selector: 'a', attribute: 'href' }, '/x'],
    ['<a onclick="steal()">x</a>', { selector: 'a', attribute: 'onclick' }, null],
    ['<p>a<p>b', { xpath: './/p[2]' }, 'b'],
    ['<i>x</i>', { selector: ['.new', 'i'] }, 'x'],
  ])('[MAN-187] %s %j → %j', async (html, field, value) =>
    expect(await read(html, field)).toEqual({ field: value }),
  );

  test('[MAN-234] reads entries that an XPath finds, with fields by path and by selector', async () => {
    const page = await show('<main><h2>Lamps</h2><ul><li><b>Arc</b> 40<li><b>Desk</b> 20</ul></main>');
    const fields = { name: { selector: 'b' }, heading: { xpath: 'ancestor::main/h2' } };
    const entries = [
      { id: 'lamps', xpath: '//li[b]', many: true, fields },
      { id: 'title', xpath: '//h2' },
    ];
    expect((await page.call('extract', entries)).matches).toMatchObject({
      lamps: [
        { fields: { name: [{ value: 'Arc' }], heading: [{ value: 'Lamps' }] } },
        { fields: { name: [{ value: 'Desk' }], heading: [{ value: 'Lamps' }] } },
      ],
      title: [{ value: 'Lamps' }],
    });
  });

  test('[MAN-187] returns a box as plain numbers', async () => {
    const html = '<p style="position:absolute;left:5px;top:6px;width:7px;height:8px;margin:0">';
    expect(await read(html, { selector: 'p', property: 'boundingClientRect' })).toEqual({
      field: { x: 5, y: 6, width: 7, height: 8, left: 5, top: 6, right: 12, bottom: 14 },
    });
  });

  test('[MAN-187] looks up with `closest` before it looks down', async () => {
    const html = '<section title=Home><p>a</p><b>B</b></section>';
    const fields = {
      section: { closest: 'section', attribute: 'title' },
      bold: { closest: 'section', selector: 'b' },
    };
    const { records } = await extracted(html, { id: 'p', selector: 'p', fields });
    expect(records).toEqual({ p: { section: 'Home', bold: 'B' } });
  });

  test('[MAN-187] reads shadow roots', async () => {
    const html = `<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>in</p>'</script>`;
    expect(await read(html, { selector: 'p' })).toEqual({ field: 'in' });
  });
});

describe('secrets', () => {
  const SECRET = 'Tr0ub4dor-canary';
  test.each<[string, string, ExtractField]>([
    ['a password', `<input type=password value=${SECRET}>`, { selector: 'input', property: 'value' }],
    ['its attribute', `<input type=password value=${SECRET}>`, { selector: 'input', attribute: 'value' }],
    ['its copy', `<input type=password data-v=${SECRET}>`, { selector: 'input', attribute: 'data-v' }],
    [
      'a one-time code',
      `<input autocomplete=one-time-code value=${SECRET}>`,
      { selector: 'input', property: 'value' },
    ],
    ['a card', `<input autocomplete=cc-number value=${SECRET}>`, { selector: 'input', property: 'value' }],
    [
      'a text area',
      `<textarea aria-label="Recovery code">${SECRET}</textarea>`,
      { selector: 'textarea', property: 'textContent' },
    ],
    ['an editable', `<p contenteditable aria-label=PIN>${SECRET}</p>`, { selector: 'p' }],
    [
      'around it',
      `<div><p contenteditable aria-label=PIN>${SECRET}</p></div>`,
      { selector: 'div', property: 'textContent' },
    ],
    ['an echo', `<input type=password value=${SECRET}><i>You typed ${SECRET}</i>`, { selector: 'i' }],
    [
      'a label',
      `<input type=password value=${SECRET}><i aria-label=${SECRET}></i>`,
      { selector: 'i', property: 'ariaLabel' },
    ],
    ['a script', `<script id=s>token="${SECRET}"</script>`, { selector: '#s', property: 'textContent' }],
  ])('[MAN-202] %s is not extracted', async (_, html, field) => {
    expect(JSON.stringify(await read(html, field))).not.toContain('canary');
  });

  test.each(["//input[starts-with(@value,'T')]", '//input[@*="x"]', '//input[attribute::value="x"]'])(
    '[MAN-202] the path %s is refused',
    async (xpath) => {
      const page = await show('<input type=password value=x>');
      await expect(
        page.call('extract', [{ id: 'it', selector: 'body', fields: { it: { xpath } } }]),
      ).rejects.toThrow('invalid_input');
    },
  );
});
