import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakePage } from '../../test/state/fake-page.ts';
import { anything, randomMap } from '../../test/validate/random-map.ts';
import { SHOP } from '../../test/validate/sample-map.ts';
import { printMap } from '../source/print.ts';
import { gateCall } from '../state/call-gate.ts';
import { migrate } from './migrate.ts';

const run = (map: unknown) => {
  const { changes, text, validation } = migrate(printMap(map));
  return {
    map: JSON.parse(text),
    validation,
    told: changes.map(({ pointer, what }) => `${pointer} ${what}`),
  };
};

/** A draft like those in use. */
const DRAFT = {
  protocol: 'actions.json',
  version: '0.1.0-working',
  observed_at: '2026-05-01',
  prompt: 'Work in the open repository only.',
  skill: { path: 'SKILL.md' },
  notes: ['The header is sticky.'],
  surface: { site: 'git.example', surface: 'repo', url_patterns: ['https://git.example/*/*'] },
  requires: { signed_in: true, primitive_dictionary: { version: 1, required_primitives: ['pointer.click'] } },
  states: {
    repo_open: { description: 'A repository is open.', x_seen: 3 },
    issue_open: 'An issue is open.',
  },
  tools: [
    {
      name: 'repo.about',
      description: 'What this is.',
      input_schema: { type: 'object' },
      x_actions: { static_output: { site: 'git.example' } },
    },
    {
      name: 'issue.open',
      description: 'Open an issue.',
      requires: { required_primitives: ['pointer.click'], signed_in: true },
      workflow: {
        version: '1',
        expression_language: 'jsonata',
        x_state_machine: { start: 'repo_open' },
        steps: [
          {
            id: 'press',
            primitive: 'pointer.click',
            args: { x: 1, y: 2 },
            when: '$exists(steps)',
            notes: 'Slow.',
          },
        ],
      },
    },
  ],
};

test('a draft becomes a valid map', () => {
  const { map, validation } = run(DRAFT);
  expect(validation.errors).toEqual([]);
  expect(map).toEqual({
    protocol: 'actions.json',
    version: 1,
    x_version: '0.1.0-working',
    x_skill: { path: 'SKILL.md' },
    x_notes: ['The header is sticky.'],
    x_requires: DRAFT.requires,
    surface: {
      origin: 'https://git.example',
      surface_id: 'repo',
      x_url_patterns: ['https://git.example/*/*'],
    },
    states: [
      { name: 'repo_open', description: 'A repository is open.', x_seen: 3 },
      { name: 'issue_open', description: 'An issue is open.' },
      {
        name: 'on_mapped_page',
        description: 'The page is one of those that the map is for: https://git.example/*/*.',
        diagnostics: [{ name: 'url', target: { url_matches: '^(?:https://git\\.example/.*/.*)$' } }],
      },
    ],
    context: [{ id: 'prompt', title: 'Prompt', body: 'Work in the open repository only.' }],
    provenance: { observed_at: '2026-05-01' },
    tools: [
      {
        name: 'repo.about',
        description: 'What this is.',
        input_schema: { type: 'object' },
        workflow: { version: 1, expression_language: 'jsonata', steps: [], output: { site: 'git.example' } },
        target: { state: 'on_mapped_page' },
      },
      {
        name: 'issue.open',
        description: 'Open an issue.',
        x_requires: { required_primitives: ['pointer.click'], signed_in: true },
        requires: ['pointer.click'],
        target: { state: 'on_mapped_page' },
        x_state_machine: { start: 'repo_open' },
        x_step_notes: { press: { notes: 'Slow.' } },
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        workflow: {
          version: 1,
          expression_language: 'jsonata',
          steps: [
            { id: 'press', primitive: 'pointer.click', args: { x: 1, y: 2 }, when: '{% $exists(steps) %}' },
          ],
        },
      },
    ],
  });
});

test('every change is reported with its position and a reason', () => {
  const { changes } = migrate(printMap(DRAFT));
  expect(changes.map(({ pointer }) => pointer)).toEqual([
    '/version',
    '/states',
    '/tools/0/x_actions/static_output',
    '/tools/1/requires',
    '/tools/1/workflow/version',
    '/tools/1/workflow/steps/0/when',
    '/tools/1/workflow/x_state_machine',
    '/tools/1/workflow/steps/0/notes',
    '/tools/1/input_schema',
    '/states',
    '/tools/0/target/state',
    '/tools/1/target/state',
    '/surface/site',
    '/surface/surface',
    '/surface/url_patterns',
    '/prompt',
    '/observed_at',
    '/skill',
    '/notes',
    '/requires',
  ]);
  for (const { what, why } of changes) expect([what, why].every((words) => words.length > 5)).toBe(true);
});

describe('small upgrades', () => {
  test.each<[string, object, object]>([
    ['a missing protocol', { version: 1, tools: [] }, { protocol: 'actions.json', version: 1, tools: [] }],
    [
      'missing tools',
      { protocol: 'actions.json', version: 1 },
      { protocol: 'actions.json', version: 1, tools: [] },
    ],
    ['a surface that is a name', { surface: 'Shop' }, { surface: { name: 'Shop' } }],
    [
      'a surface with a site that is an origin',
      { surface: { site: 'http://a.example:81' } },
      { surface: { origin: 'http://a.example:81' } },
    ],
    ['a site that is no host', { surface: { site: 'the shop' } }, { surface: { x_site: 'the shop' } }],
    ['a surface name for people', { surface: { surface: 'The board' } }, { surface: { name: 'The board' } }],
    [
      'a prompt that is an object',
      { prompt: { system: 'x' } },
      { x_prompt: { system: 'x' }, context: [{ id: 'prompt', title: 'Prompt', body: 'system: x' }] },
    ],
    ['a prompt without text', { prompt: { system: 1 } }, { x_prompt: { system: 1 } }],
    ['a name that is taken', { skill: 1, x_skill: 2 }, { x_skill_2: 1, x_skill: 2 }],
    [
      'checks as an object',
      { checks: { there: { severity: 'info' } } },
      { checks: [{ id: 'there', severity: 'info' }] },
    ],
  ])('%s', (_, before, after) => {
    expect(run({ protocol: 'actions.json', version: 1, tools: [], ...before }).map).toMatchObject(after);
  });

  const tool = { name: 'a', description: 'A tool.', input_schema: {}, x_actions: { handler: 'a' } };

  test.each<[string, object, object]>([
    [
      'inputSchema',
      { ...tool, input_schema: undefined, inputSchema: { type: 'object' } },
      { input_schema: { type: 'object' } },
    ],
    ['summary', { ...tool, description: undefined, summary: 'Does.' }, { description: 'Does.' }],
    ['a target that is a selector', { ...tool, target: '#a' }, { target: { selector: '#a' } }],
  ])('of a tool: %s', (_, before, after) => {
    const { map, validation } = run({ protocol: 'actions.json', version: 1, tools: [before] });
    expect(map.tools[0]).toMatchObject(after);
    expect(validation.errors).toEqual([]);
  });
});

describe('[MAN-232] a map that is for some pages only', () => {
  const click = {
    name: 'book.next',
    description: 'Turn the page.',
    input_schema: {},
    target: '#next',
    workflow: {
      version: 1,
      expression_language: 'jsonata',
      steps: [{ id: 'press', primitive: 'pointer.click', args: { x: 1, y: 2 } }],
    },
  };

  test.each<[string, object]>([
    ['scope.url_matches', { scope: { url_matches: 'https://a.example/book/*' } }],
    ['url_patterns', { url_patterns: ['https://a.example/book/*', 'https://b.example/'] }],
    ['surface.url_patterns', { surface: { site: 'a.example', url_patterns: ['https://a.example/book/*'] } }],
    ['a path', { url_patterns: ['/book/*'] }],
    ['a host and a path', { surface: { url_patterns: ['a.example/book/*'] } }],
  ])('by %s runs there and is refused elsewhere', async (_, part) => {
    const { validation } = migrate(
      printMap({ protocol: 'actions.json', version: '0.1.0', tools: [click], ...part }),
    );
    expect(validation.errors).toEqual([]);
    if (!validation.ok) throw new Error('The map is valid.');
    const { tools, states = [] } = validation.map;
    const [tool] = tools;
    if (tool === undefined) throw new Error('There is a tool.');
    const model = { states, transitions: [] };
    const callAt = (url: string) =>
      gateCall(model, { tool, ledger: new Map(), now: 0, timeoutMs: 1_000 }, fakePage(url, {}));
    expect(await callAt('https://a.example/book/one')).toMatchObject({ kind: 'go' });
    for (const url of ['https://a.example/feed', 'https://a.example/feed?back=https://a.example/book/one'])
      expect(await callAt(url)).toMatchObject({ kind: 'refused', error: { code: 'state_mismatch' } });
  });

  const page = (path: string, elements: readonly string[]) =>
    fakePage(`https://a.example${path}`, Object.fromEntries(elements.map((selector) => [selector, 1])));

  test('a tool that requires a state requires it, its bound page and the mapped page', async () => {
    const bound = { target_url_contains: '/one' };
    const wild = {
      ...{ protocol: 'actions.json', version: 1, url_patterns: ['https://a.example/book/*'] },
      states: [{ name: 'open', diagnostics: [{ name: 'box', target: { selector: '#box' } }] }],
      tools: [
        { ...click, name: 'book.bound', target: { state: 'open' }, x_actions: { binding: bound } },
        { ...click, target: { state: 'open' } },
      ],
    };
    const { text, validation } = migrate(printMap(wild));
    if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
    expect(migrate(text).changes).toEqual([]);
    const { tools, states = [] } = validation.map;
    const kindAt = async (name: string, path: string, ...elements: readonly string[]) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(name);
      const request = { tool, ledger: new Map(), now: 0, timeoutMs: 1_000 };
      return (await gateCall({ states, transitions: [] }, request, page(path, elements))).kind;
    };
    expect(await kindAt('book.bound', '/book/one', '#box')).toBe('go');
    expect(await kindAt('book.bound', '/book/one')).toBe('refused');
    expect(await kindAt('book.bound', '/book/two', '#box')).toBe('refused');
    expect(await kindAt('book.bound', '/feed/one', '#box')).toBe('refused');
    expect(await kindAt('book.next', '/book/two', '#box')).toBe('go');
    expect(await kindAt('book.next', '/feed', '#box')).toBe('refused');
  });

  test.each<[string, unknown, string]>([
    ['that are too long', [`/${'a'.repeat(4_096)}`], 'longer than 4096 characters'],
    ['that do not compile', [`/${'a'.repeat(3_000)}`], 'do not compile'],
    ['that are no texts', [{ pattern: '/book/*' }], 'not every pattern is a text'],
  ])('patterns %s are reported, kept, and nothing runs', async (_, url_patterns, reason) => {
    const { changes, text, validation } = migrate(
      printMap({ protocol: 'actions.json', version: 1, tools: [click], url_patterns }),
    );
    expect(changes).toContainEqual(
      expect.objectContaining({ pointer: '/url_patterns', why: expect.stringContaining(reason) }),
    );
    if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
    expect(validation.map).toMatchObject({ x_url_patterns: url_patterns });
    expect(migrate(text).changes).toEqual([]);
    const { tools, states = [] } = validation.map;
    const [tool] = tools;
    if (tool === undefined) throw new Error('There is a tool.');
    const request = { tool, ledger: new Map(), now: 0, timeoutMs: 1_000 };
    const answer = await gateCall({ states, transitions: [] }, request, page('/book/one', []));
    expect(answer).toMatchObject({ kind: 'refused', error: { code: 'state_mismatch' } });
  });
});

describe('problems left to the author', () => {
  test.each<[string, object, string]>([
    ['another version', { version: 2 }, 'unsupported_version'],
    ['a version of another format', { version: '2.1' }, 'unsupported_version'],
    ['another protocol', { protocol: 'openapi' }, 'unsupported_protocol'],
    ['a state whose name is not safe', { states: { 'signed in': {} } }, 'unsafe_identifier'],
    [
      'a misspelt step field',
      {
        tools: [
          {
            name: 'a',
            description: 'A.',
            input_schema: {},
            workflow: {
              version: 1,
              expression_language: 'jsonata',
              steps: [{ id: 'b', primitive: 'c', settle_afer: {} }],
            },
          },
        ],
      },
      'unknown_field',
    ],
    [
      'a tool that reads input it does not declare',
      {
        tools: [
          {
            name: 'a',
            description: 'A.',
            workflow: { version: 1, expression_language: 'jsonata', steps: [], output: '{% input.b %}' },
          },
        ],
      },
      'missing_field',
    ],
    [
      'a static output with an expression',
      {
        tools: [{ name: 'a', description: 'A.', input_schema: {}, x_actions: { static_output: '{% 1 %}' } }],
      },
      'not_executable',
    ],
  ])('%s', (_, part, code) => {
    const { validation } = run({ protocol: 'actions.json', version: 1, tools: [], ...part });
    expect(validation.errors.map((error) => error.code)).toEqual([code]);
  });

  test('a duplicate key', () => {
    const text = '{"protocol":"actions.json","version":"0.1","tools":[],"tools":[]}';
    expect(migrate(text)).toMatchObject({ changes: [], text, validation: { ok: false } });
  });

  test.each(['', '{', '[]', 'null', '7'])('%j', (text) => {
    expect(migrate(text)).toMatchObject({ changes: [], text, validation: { ok: false } });
  });
});

test('a valid map stays the same text', () => {
  const text = JSON.stringify(SHOP);
  expect(migrate(text)).toMatchObject({ changes: [], text, validation: { ok: true } });
});

test('a second migration changes nothing', () => {
  const messy = fc.tuple(
    randomMap,
    fc.dictionary(
      fc.constantFrom('prompt', 'skill', 'states', 'surface', 'version', 'tools', 'requires', 'notes'),
      anything,
    ),
  );
  fc.assert(
    fc.property(messy, ([map, mess]) => {
      const once = migrate(printMap({ ...map, ...mess }));
      const twice = migrate(once.text);
      expect(twice.changes).toEqual([]);
      expect(twice.text).toBe(once.text);
    }),
    { numRuns: 200 },
  );
  expect(migrate(migrate(printMap(DRAFT)).text).changes).toEqual([]);
});
