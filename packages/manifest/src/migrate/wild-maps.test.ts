import { asDictionary, OTHER_NAMES, primitiveByName } from '@drawbridge/protocol/primitives';
import { describe, expect, test } from 'vitest';
import { BOOK, BOUND, REFERENCE, WILD_MAPS } from '../../test/migrate/wild-maps.ts';
import { fakePage } from '../../test/state/fake-page.ts';
import { printMap } from '../source/print.ts';
import { gateCall } from '../state/call-gate.ts';
import { validate } from '../validate/validate.ts';
import { migrate } from './migrate.ts';

const OPTIONS = { dictionary: asDictionary() };

const migrated = (map: unknown) => {
  const { changes, text, validation } = migrate(printMap(map), OPTIONS);
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  return { changes, text, map: validation.map };
};

test('[MAN-238] the reference of the format is valid as it is', () => {
  expect(validate(printMap(REFERENCE), OPTIONS).errors).toEqual([]);
  expect(migrate(printMap(REFERENCE), OPTIONS).changes).toEqual([]);
});

test.each(Object.entries(WILD_MAPS))('[MAN-238] %s is valid after one migration', (_, map) => {
  const { text } = migrated(map);
  expect(migrate(text, OPTIONS).changes).toEqual([]);
});

test('[MAN-238] a primitive named as a handler is called by a step, with its bound arguments', () => {
  const { map, changes } = migrated(BOUND);
  expect(map.tools).toMatchObject([
    {
      workflow: {
        steps: [{ primitive: 'dom.snapshot_text', args: { max_chars: 12_000 } }],
        output: '{% steps.call.output %}',
      },
      x_actions: { source: { component: 'Profile' } },
      x_binding: { target_url_contains: 'people.example/in/' },
    },
    { workflow: { steps: [{ primitive: 'browser.screenshot', args: { format: 'jpeg' } }] } },
  ]);
  expect(changes.map(({ what }) => what)).toContain(
    'becomes a workflow with one step, browser.screenshot, without max_kb',
  );
  expect(map.context).toEqual([
    { id: 'prompt', title: 'Profiles', body: 'instructions: Scroll the main element.' },
  ]);
});

test('[MAN-238] the DOM steps of the first draft become typed steps, and a described tool documentary ones', () => {
  const { map: first } = migrated(WILD_MAPS['FIRST_DRAFT']);
  expect(first.tools[0]?.x_actions?.execution?.steps).toEqual([
    { id: 'step_1', type: 'type', target: { selector: '#name' }, value_from: 'name' },
    { id: 'step_2', type: 'click', target: { selector: '#submit' } },
    { id: 'result', type: 'read', target: { selector: '#result' } },
  ]);
  const { map: described } = migrated(WILD_MAPS['DESCRIBED']);
  expect(described.tools.map(({ x_actions }) => x_actions?.execution?.mode)).toEqual([
    'documentary',
    'documentary',
  ]);
  expect(described.tools[0]?.x_actions?.result_schema).toEqual({
    type: 'object',
    properties: { url: { type: 'string' } },
  });
});

test.each([
  ['binding.target_url_contains', BOUND, 'https://people.example/in/me/', 'https://people.example/feed'],
  ['scope.url_matches', BOOK, 'https://book.example/book/one', 'https://book.example/feed'],
])('[MAN-238] a tool bound by %s is refused on another page', async (_, wild, there, elsewhere) => {
  const { map } = migrated(wild);
  const { states = [], tools } = map;
  for (const tool of tools) {
    const callAt = (url: string) =>
      gateCall(
        { states, transitions: [] },
        { tool, ledger: new Map(), now: 0, timeoutMs: 1_000 },
        fakePage(url, {}),
      );
    expect(await callAt(there)).toMatchObject({ kind: 'go' });
    expect(await callAt(elsewhere)).toMatchObject({ kind: 'refused', error: { code: 'state_mismatch' } });
  }
});

test('[MAN-238] a workflow with a refused primitive becomes documentary, and a misspelt primitive stays an error', () => {
  const map = (primitive: string) => ({
    protocol: 'actions.json',
    version: 1,
    tools: [
      {
        name: 'boxes.read',
        description: 'Read the boxes.',
        input_schema: {},
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [{ id: 'get', primitive, args: { item_selector: '.box' } }],
        },
      },
    ],
  });
  const { map: done, changes, text } = migrated(map('browser.extract_elements'));
  expect(changes).toMatchObject([{ why: 'browser.extract_elements is refused here: use page.extract' }]);
  expect(done.tools).toMatchObject([
    {
      x_workflow: { steps: [{ id: 'get' }] },
      x_actions: {
        execution: { mode: 'documentary', steps: [{ id: 'get', type: 'browser.extract_elements' }] },
      },
    },
  ]);
  expect(migrate(text, OPTIONS).changes).toEqual([]);
  expect(migrate(printMap(map('browser.extract_element')), OPTIONS)).toMatchObject({
    changes: [],
    validation: { ok: false },
  });
});

describe('[MAN-244] tools that fail in that project too', () => {
  const mapOf = (tool: object) => ({
    protocol: 'actions.json',
    version: 1,
    tools: [{ name: 'card.close', description: 'Call two tools.', input_schema: {}, ...tool }],
  });
  const stepsOf = (...steps: object[]) => ({
    workflow: { version: 1, expression_language: 'jsonata', steps },
  });

  test('a press of a locator and a tool of words become documentary', () => {
    const locator = { selector: '.close' };
    const press = migrated(mapOf(stepsOf({ id: 'press', primitive: 'pointer.click', args: { locator } })));
    expect(press.map.tools).toMatchObject([
      { x_workflow: { steps: [{ id: 'press' }] }, x_actions: { execution: { mode: 'documentary' } } },
    ]);
    expect(press.changes[0]?.why).toContain('locator.element_info');
    const words = migrated(mapOf({ x_actions: { source: { component: 'Recipe' } } }));
    expect(words.map.tools).toMatchObject([
      { x_actions: { execution: { mode: 'documentary', steps: [{ description: '"Call two tools."' }] } } },
    ]);
    for (const { text } of [press, words]) expect(migrate(text, OPTIONS).changes).toEqual([]);
    const misspelt = migrate(printMap(mapOf({ x_actions: {}, worklow: {} })), OPTIONS);
    expect(misspelt).toMatchObject({ changes: [], validation: { ok: false } });
  });

  test('the selector of a scroll is left out, also between two attempts', () => {
    const scroll = { primitive: 'viewport.scroll', args: { selector: 'main', delta_y: 200 } };
    const find = {
      id: 'find',
      primitive: 'dom.observe.visible',
      retry_until: '{% false %}',
      max_attempts: 2,
    };
    const { map, changes } = migrated(
      mapOf(stepsOf({ id: 'down', ...scroll }, { ...find, after_each: scroll })),
    );
    const scrolled = { primitive: 'viewport.scroll', args: { delta_y: 200 } };
    expect(map.tools[0]?.workflow?.steps).toEqual([
      { id: 'down', ...scrolled },
      { ...find, after_each: scrolled },
    ]);
    expect(changes.map(({ pointer }) => pointer)).toEqual([
      '/tools/0/workflow/steps/0/args/selector',
      '/tools/0/workflow/steps/1/after_each/args/selector',
    ]);
  });
});

describe('browser.extract_elements', () => {
  const FIELDS = [
    { name: 'text', selector: ':scope', attribute: 'text' },
    { name: 'href', selector: 'a', attribute: 'href' },
  ];
  const SCOPE = { selector: 'main', text_contains: 'Letters', root_strategy: 'scope' };
  const args = { scope: SCOPE, item_selector: '.card, .letter', fields: FIELDS };
  const entries = [
    {
      id: 'items',
      selector: ':is(main) :is(.card, .letter)',
      many: true,
      fields: {
        text: { property: 'textContent', trim: true, default: null },
        href: { selector: 'a', attribute: 'href', default: null },
      },
    },
  ];
  const mapOf = (tool: object) => ({
    protocol: 'actions.json',
    version: 1,
    tools: [{ name: 'letters.read', description: 'Read the letters.', input_schema: {}, ...tool }],
  });
  const handled = (more: object) =>
    mapOf({
      x_actions: {
        handler: 'browser.extract_elements',
        binding: { target_url_contains: 'mail.example/', arguments: { ...args, ...more } },
      },
    });
  const workflow = (output: string) => ({
    version: 1,
    expression_language: 'jsonata',
    steps: [{ id: 'get', primitive: 'browser.extract_elements', args }],
    output,
  });

  test('[MAN-241] as a handler it becomes a read of the same items on the bound page', () => {
    const { map, changes, text } = migrated(handled({}));
    expect(map.tools).toMatchObject([
      {
        x_binding: { target_url_contains: 'mail.example/' },
        workflow: {
          steps: [{ id: 'call', primitive: 'page.extract', args: { entries } }],
          output: "{% {'items': $append([], steps.call.output.records.items)} %}",
        },
        target: { state: 'on_bound_page' },
      },
    ]);
    expect(changes.map(({ what }) => what)).toContain(
      'becomes a workflow with one step, page.extract, without scope.text_contains',
    );
    expect(migrate(text, OPTIONS).changes).toEqual([]);
  });

  test('[MAN-241] the first attribute with a value counts', () => {
    const fields = [
      { name: 'title', selector: 'a', attributes: ['aria-label', 'text'] },
      { name: 'href', selector: ':scope', attribute: 'href' },
    ];
    const { map } = migrated(handled({ scope: { selectors: ['main', '.old'] }, fields }));
    expect(map.tools).toMatchObject([
      {
        workflow: {
          steps: [
            {
              args: {
                entries: [
                  {
                    selector: ':is(main, .old) :is(.card, .letter)',
                    fields: {
                      title: { selector: 'a', attribute: 'aria-label', default: null },
                      'title|text': { selector: 'a', property: 'textContent', trim: true, default: null },
                      href: { attribute: 'href', default: null },
                    },
                  },
                ],
              },
            },
          ],
          output:
            "{% {'items': $append([], $map(steps.call.output.records.items, function($item) { {" +
            '"title": ($item.`title` ? $item.`title` : $item.`title|text`), "href": $item.`href`} }))} %}',
        },
      },
    ]);
    const step = workflow('{% steps.get.output.items %}');
    const read = {
      ...step,
      steps: [{ id: 'get', primitive: 'browser.extract_elements', args: { ...args, fields } }],
    };
    expect(migrated(mapOf({ workflow: read })).map.tools).toMatchObject([
      { x_actions: { execution: { mode: 'documentary' } } },
    ]);
  });

  test.each([{ scope: { selector: 'main', root_strategy: 'parent' } }])(
    '[MAN-238] as a handler with %j, which has no equal, it becomes documentary',
    (more) => {
      const { map, text } = migrated(handled(more));
      expect(map.tools).toMatchObject([
        {
          x_actions: {
            x_handler: 'browser.extract_elements',
            execution: { mode: 'documentary', steps: [{ id: 'call', type: 'browser.extract_elements' }] },
          },
        },
      ]);
      expect(migrate(text, OPTIONS).changes).toEqual([]);
    },
  );

  test('[MAN-241] a step is replaced where its items alone are read', () => {
    const read = migrated(mapOf({ workflow: workflow('{% $count(steps.get.output.items) %}') }));
    expect(read.map.tools).toMatchObject([
      {
        workflow: {
          steps: [{ id: 'get', primitive: 'page.extract', args: { entries } }],
          output: '{% $count(steps.get.output.records.items) %}',
        },
      },
    ]);
    const whole = migrated(mapOf({ workflow: workflow('{% steps.get.output %}') }));
    expect(whole.map.tools).toMatchObject([{ x_actions: { execution: { mode: 'documentary' } } }]);
  });

  test('[MAN-241] transfer.write loses its redaction and stores JSON as text; another unknown argument stays', () => {
    const written = {
      label: 'a',
      format: 'application/json',
      value: '{% input.rows %}',
      redaction: {},
      label2: 1,
    };
    const steps = [{ id: 'put', primitive: 'transfer.write', args: written }];
    const { map, changes, text } = migrated(
      mapOf({ workflow: { version: 1, expression_language: 'jsonata', steps } }),
    );
    expect(map.tools?.[0]?.workflow?.steps[0]?.args).toEqual({
      label: 'a',
      format: 'application/json',
      value: '{% $string(input.rows) %}',
      label2: 1,
    });
    expect(changes.map(({ pointer }) => pointer)).toEqual([
      '/tools/0/workflow/steps/0/args/redaction',
      '/tools/0/workflow/steps/0/args/value',
    ]);
    expect(migrate(text, OPTIONS).changes).toEqual([]);
  });
});

test('[MAN-238] a file among the attachments and postconditions in prose are kept where version 1 allows them', () => {
  const { map, text } = migrated({
    protocol: 'actions.json',
    version: 1,
    tools: [],
    attachments: [{ id: 'guide', type: 'skill', path: 'GUIDE.md', description: 'How to read.' }],
    state_projections: [
      {
        name: 'letters',
        snapshot: {
          version: 1,
          source: 'dom',
          extract: [{ id: 'row', selector: 'li', fields: { kind: { property: 'className' } } }],
        },
        postconditions: 'The count is that of the list.',
      },
    ],
  });
  expect(map).toMatchObject({
    attachments: [],
    x_actions: { files: [{ id: 'guide', kind: 'skill', path: 'GUIDE.md' }] },
    state_projections: [
      {
        snapshot: { extract: [{ fields: { kind: { attribute: 'class' } } }] },
        x_postconditions: 'The count is that of the list.',
      },
    ],
  });
  expect(migrate(text, OPTIONS).changes).toEqual([]);
});

test('[MAN-240] a tag name is read, an effect of another word is kept, and a step that calls a tool is documentary', () => {
  const step = (primitive: string, args: object) => ({
    workflow: { version: 1, expression_language: 'jsonata', steps: [{ id: 'do', primitive, args }] },
    ...{ description: 'Do.', input_schema: {} },
  });
  const { map, text } = migrated({
    protocol: 'actions.json',
    version: 1,
    tools: [
      {
        name: 'slide.add',
        x_actions: { effect: 'durable_mutation' },
        ...step('keyboard.press', { key: 'Enter' }),
      },
      { name: 'slide.count', x_actions: { effect: 'read' }, ...step('page.info', {}) },
      { name: 'file.create', ...step('actions.site', { mode: 'call', action: 'slide.add' }) },
    ],
    state_projections: [
      {
        name: 'editor',
        snapshot: {
          version: 1,
          source: 'dom',
          extract: [{ id: 'body', selector: 'body', fields: { open: { property: 'tagName' } } }],
        },
      },
    ],
  });
  expect(map.tools).toMatchObject([
    { x_actions: { x_effect: 'durable_mutation' }, workflow: {} },
    { x_actions: { effect: 'read' } },
    { x_actions: { execution: { mode: 'documentary' } } },
  ]);
  expect(map.tools[0]?.x_actions).not.toHaveProperty('effect');
  expect(migrate(text, OPTIONS).changes).toEqual([]);
});

describe('[MAN-239] names of the actions.json project that mean nothing here', () => {
  test.each([...OTHER_NAMES])('%s is refused, and the finding says: %s', (name, advice) => {
    expect(primitiveByName(name)).toBeUndefined();
    const map = {
      protocol: 'actions.json',
      version: 1,
      tools: [
        {
          name: 'a',
          description: 'A.',
          input_schema: {},
          workflow: { version: 1, expression_language: 'jsonata', steps: [{ id: 'b', primitive: name }] },
        },
      ],
    };
    expect(validate(printMap(map), OPTIONS).errors).toMatchObject([
      { code: 'unknown_primitive', message: expect.stringContaining(advice) },
    ]);
  });
});
