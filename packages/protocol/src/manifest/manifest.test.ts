import { describe, expect, test } from 'vitest';
import { MANIFEST_SAMPLES } from '../../test/manifest/samples.ts';
import {
  accepted,
  fieldsOf,
  fieldTakes,
  put,
  refusal,
  requiredFields,
  without,
} from '../../test/wire/parse.ts';
import { flag, listOf, object, oneOf, text, type Values, wholeFrom } from '../../test/wire/values.ts';
import { manifest } from './protocol.ts';

const { manifest: MAP } = MANIFEST_SAMPLES;

const X_ACTIONS = 'tools[0].x_actions';
const WORKFLOW = 'tools[0].workflow';
const PROJECTION = 'state_projections[0]';

const OBJECTS = ['surface', 'composition', 'provenance'];
const LISTS = 'imports context states transitions attachments signals checks state_projections'.split(' ');

const word: Values = { good: ['text', 'two words'], bad: text.bad };
const words = listOf('text');
const any: Values = { good: ['text', 7, ['a'], { a: 1 }], bad: [] };
const safeId: Values = {
  good: ['a', 'Z9', 'search.submit', 'a-b_c.D-e_f', 'results-launcher'],
  bad: ['', 'a b', 'é', 'a\n', ...'9a _a -a a. .a a..b a.9b a/b a[0] a()'.split(' '), ...text.bad],
};

/** Each field of an otherwise complete map accepts its good values and refuses its bad ones. */
function takes(part: string, fields: Readonly<Record<string, Values>>): void {
  for (const [field, values] of Object.entries(fields))
    fieldTakes(manifest, MAP, part === '' ? field : `${part}.${field}`, values);
}

/** The map without one of these fields is refused, and the error names the field. */
function requires(part: string, ...fields: readonly string[]): void {
  for (const field of fields) {
    const path = part === '' ? field : `${part}.${field}`;
    expect(refusal(manifest, without(MAP, path))).toMatchObject({ code: 'invalid_input', path });
  }
}

/** The map is accepted with this value for a part. */
function mayBe(part: string, value: unknown): void {
  const map = put(MAP, part, value);
  expect(accepted(manifest, map)).toEqual(map);
}

describe('the root', () => {
  test('[MAN-01] protocol, version and an empty tools array, and nothing else, is a map', () => {
    const smallest = { protocol: 'actions.json', version: 1, tools: [] };
    expect(accepted(manifest, smallest)).toEqual(smallest);
  });

  test('[MAN-02] protocol is required and exactly "actions.json"', () => {
    requires('', 'protocol');
    takes('', {
      protocol: {
        good: ['actions.json'],
        bad: ['actions', 'Actions.json', 'actions.json.storage', '', 1, null],
      },
    });
  });

  test('[MAN-03] version is required and the number 1', () => {
    requires('', 'version');
    takes('', { version: { good: [1], bad: ['1', '0.1.0-working', 0, 2, 1.5, true, null, [1]] } });
  });

  test('[MAN-04] tools is required and an array', () => {
    requires('', 'tools');
    takes('', { tools: { good: [[], MAP.tools], bad: [{ tool: MAP.tools[0] }, 'tools', 7, null] } });
  });

  test('[MAN-05] the other sections are accepted, and none is required', () => {
    expect(accepted(manifest, MAP)).toEqual(MAP);
    const { protocol, version, tools, ...sections } = MAP;
    const names = [...OBJECTS, ...LISTS];
    expect(Object.keys(sections).sort()).toEqual(names.sort());
    for (const name of names) expect(accepted(manifest, without(MAP, name))).not.toHaveProperty(name);
  });

  test('[MAN-06] surface, composition and provenance are objects, the other sections arrays of objects', () => {
    for (const name of OBJECTS) takes('', { [name]: object });
    for (const name of LISTS)
      takes('', {
        [name]: { good: [[]], bad: ['text', 7, null, {}] },
        [`${name}[0]`]: { good: [], bad: object.bad },
      });
  });

  test('[MAN-07] unknown fields are kept at the root and in every part that is not closed', () => {
    const parts = new Set(fieldsOf(MAP).map((path) => path.slice(0, path.lastIndexOf('.') + 1)));
    const isClosed = (part: string) =>
      part.startsWith(WORKFLOW) && /(workflow|steps\[\d\]|after_each|settle_after)\.$/.test(part);
    const open = [...parts].filter((part) => !isClosed(part));
    expect(open).toEqual(
      expect.arrayContaining(['', 'surface.', 'tools[0].target.', `${X_ACTIONS}.execution.steps[0].`]),
    );
    for (const part of open) mayBe(`${part}x_unknown`, { a: 1 });
  });

  test('[MAN-08] only fields that a rule calls required are required', () => {
    const all = (part: string, ...fields: readonly string[]) => fields.map((field) => `${part}.${field}`);
    requiredFields(manifest, MAP, [
      ...['protocol', 'version', 'tools'],
      ...all('tools[0]', 'name', 'description', 'input_schema'),
      ...all(WORKFLOW, 'version', 'expression_language', 'steps'),
      ...all(`${WORKFLOW}.steps[0]`, 'id', 'primitive', 'after_each.primitive'),
      ...all(`${WORKFLOW}.steps[1]`, 'id', 'primitive'),
      ...all('imports[0]', 'id', 'kind', 'uri'),
      ...['context[0].id', 'states[0].name', 'transitions[0].name', 'signals[0].name', 'checks[0].id'],
      ...all(PROJECTION, 'name', 'snapshot', 'summaries[0].name', 'summaries[0].expression'),
      ...all(`${PROJECTION}.snapshot`, 'version', 'source', 'extract', 'projection'),
      ...all(`${PROJECTION}.snapshot.projection`, 'language', 'expression'),
      ...all('attachments[0]', 'id', 'kind', 'target', 'lifecycle', 'affordance.opens.tool'),
    ]);
  });
});

describe('surface, imports and composition', () => {
  test('[MAN-10] the fields of surface are strings', () =>
    takes('surface', { origin: word, name: word, kind: word, description: word, surface_id: word }));

  test('[MAN-11] an import requires id, kind and uri', () => {
    requires('imports[0]', 'id', 'kind', 'uri');
    takes('imports[0]', { id: safeId, uri: word });
    mayBe('imports[0]', { id: 'a', kind: 'local', uri: 'shop/actions.json' });
  });

  test('[MAN-12] kind and trust of an import have fixed words', () => {
    const kinds = oneOf('website', 'local', 'storage', 'shared', 'public', 'package');
    const trusts = oneOf('website', 'private', 'shared', 'public', 'local', 'unknown');
    takes('imports[0]', { kind: { good: kinds.good, bad: [...kinds.bad, 'private', 'unknown'] } });
    takes('imports[0]', { trust: { good: trusts.good, bad: [...trusts.bad, 'storage', 'package'] } });
  });

  test('[MAN-15] default_conflict_policy is one of four', () =>
    takes('composition', {
      default_conflict_policy: oneOf('prefer_local', 'prefer_import', 'error', 'namespace'),
    }));
});

describe('tools', () => {
  test('[MAN-19] a tool requires a safe name and a description', () => {
    requires('tools[0]', 'name', 'description');
    takes('tools[0]', { name: safeId, description: text });
  });

  test('[MAN-20] a tool requires input_schema, a JSON object', () => {
    requires('tools[0]', 'input_schema');
    takes('tools[0]', {
      input_schema: { good: [{}, { type: 'object' }], bad: [true, false, '{}', [], [{}], 7, null] },
    });
  });

  test('[MAN-21] a tool may carry a target, x_actions and a workflow, and names of what it requires', () => {
    mayBe('tools[0]', { name: 'a', description: 'A tool.', input_schema: {} });
    takes('tools[0]', { target: object, x_actions: object, requires: words, 'requires[0]': word });
    takes('tools[0]', { workflow: { good: [MAP.tools[0]?.workflow], bad: object.bad } });
  });

  test('[MAN-24] handler is optional and a safe dotted name, never source text', () => {
    const source = ['() => 1', 'alert(1)', 'window["a"]', 'a[0]', 'function f() {}', 'a b', 'a;b'];
    takes(X_ACTIONS, { handler: { good: safeId.good, bad: [...safeId.bad, ...source] } });
    expect(accepted(manifest, without(MAP, `${X_ACTIONS}.handler`))).toBeDefined();
  });

  test('[MAN-25] scope is active_surface or persistent', () =>
    takes(X_ACTIONS, { scope: oneOf('active_surface', 'persistent') }));

  test('[MAN-30] result_schema is a JSON object', () => takes(X_ACTIONS, { result_schema: object }));

  test('[MAN-31] effect is read, act or irreversible', () =>
    takes(X_ACTIONS, { effect: oneOf('read', 'act', 'irreversible') }));
});

describe('targets', () => {
  test('[MAN-32] each of the selector fields is a string or an array of strings', () => {
    const selectors: Values = { good: ['button', [], ['button', 'a']], bad: [7, true, null, {}] };
    takes('tools[0].target', { selector: selectors, selectors, fallback_selectors: selectors });
    for (const field of ['selector', 'selectors', 'fallback_selectors']) {
      const list = put(MAP, `tools[0].target.${field}`, ['button', 'a']);
      fieldTakes(manifest, list, `tools[0].target.${field}[1]`, {
        good: ['p'],
        bad: [7, null, {}, ['button']],
      });
    }
  });

  test('[MAN-33] the other fields of a target are strings', () =>
    takes('tools[0].target', {
      role: word,
      name: word,
      text_equals: word,
      text_contains: word,
      url_contains: word,
      url_matches: word,
      state: word,
      notes: word,
    }));

  test('[MAN-34] confidence is observed, inferred, generated or unknown', () =>
    takes('tools[0].target', { confidence: oneOf('observed', 'inferred', 'generated', 'unknown') }));
});

describe('states and transitions', () => {
  test('[MAN-37] a state has a name that is a safe identifier', () => {
    requires('states[0]', 'name');
    takes('states[0]', { name: safeId });
  });

  test('[MAN-38] a state may carry description, diagnostics and observables', () => {
    mayBe('states[0]', { name: 'results_visible' });
    takes('states[0]', { description: word, observables: words, 'observables[0]': word });
    takes('states[0]', { diagnostics: listOf({ name: 'count', target: {} }), 'diagnostics[0]': object });
    takes('states[0].diagnostics[0]', { name: { good: ['count'], bad: text.bad }, target: object });
  });

  test('[MAN-39] a transition has a safe name, and may name states, a tool and a signal', () => {
    requires('transitions[0]', 'name');
    takes('transitions[0]', { name: safeId, from: word, to: word, tool: word, signal: word });
    mayBe('transitions[0]', { name: 'show_more' });
  });

  test('[MAN-40] method is any string', () => {
    const known = [
      'tool_call',
      'signal',
      'navigation',
      'click',
      'type',
      'scroll',
      'handler_call',
      'attachment_install',
    ];
    takes('transitions[0]', { method: { good: [...known, 'drag and drop'], bad: text.bad } });
  });

  test('[MAN-41] a transition may carry a rate limit, convergence and three fields of any form', () => {
    takes('transitions[0]', {
      rate_limit_ms: { good: [0, 0.5, 1000], bad: [-1, '1000', null] },
      convergence: object,
    });
    takes('transitions[0].convergence', { complete_when: word });
    takes('transitions[0].convergence', { max_attempts: { good: [1, 5], bad: [0, -1, 1.5, '5', null] } });
    takes('transitions[0]', { preconditions: any, reveals: any, do_not_use: any });
  });
});

describe('workflow', () => {
  test('[MAN-42] a workflow requires version 1, expression_language "jsonata" and steps, and may have output', () => {
    requires(WORKFLOW, 'version', 'expression_language', 'steps');
    mayBe(WORKFLOW, { version: 1, expression_language: 'jsonata', steps: [] });
    takes(WORKFLOW, {
      version: { good: [1], bad: ['1', 2, 0, null] },
      expression_language: { good: ['jsonata'], bad: ['JSONata', 'javascript', '', 1, null] },
      steps: { good: [[]], bad: ['text', {}, null] },
      output: any,
    });
  });

  test('[MAN-44] any other key of a workflow is refused by name, also one with the prefix x_', () => {
    const no: Values = { good: [], bad: ['text', {}, null] };
    takes(WORKFLOW, { outputs: no, x_state_machine: no, description: no });
  });

  test('[MAN-45] any other field of a step is refused, and the error names the step and the field', () => {
    const no: Values = { good: [], bad: ['text', {}, null] };
    takes(`${WORKFLOW}.steps[1]`, { arg: no, on_fail: no, x_note: no, settleAfter: no });
    const known = 'id primitive args when for_each max_items retry_until max_attempts after_each'.split(' ');
    const used = MAP.tools[0]?.workflow?.steps.flatMap((step) => Object.keys(step));
    expect([...new Set(used)].sort()).toEqual([...known, 'settle_after', 'on_error'].sort());
  });

  test('[MAN-47] a step id is a letter followed by letters, digits, _ or -, with no dots', () =>
    takes(`${WORKFLOW}.steps[0]`, {
      id: {
        good: ['a', 'findButton', 'step-2', 'a_9'],
        bad: ['', '9a', '_a', '-a', 'a.b', 'a b', 'é', 7, null],
      },
    }));
});

describe('state projections', () => {
  test('[MAN-62] a projection has a safe name and a snapshot, and may carry description and summaries', () => {
    requires(PROJECTION, 'name', 'snapshot');
    requires(`${PROJECTION}.snapshot`, 'version', 'source', 'extract', 'projection');
    takes(PROJECTION, {
      name: safeId,
      description: word,
      summaries: { good: [[]], bad: ['text', {}, null] },
    });
    takes(PROJECTION, { snapshot: { good: [], bad: object.bad } });
    mayBe(PROJECTION, { name: 'search.results', snapshot: MAP.state_projections?.[0]?.snapshot });
  });

  test('[MAN-63] snapshot.version is 1 and snapshot.source is "dom"', () =>
    takes(`${PROJECTION}.snapshot`, {
      version: { good: [1], bad: ['1', 2, null] },
      source: { good: ['dom'], bad: ['DOM', 'html', '', 1, null] },
    }));
});

describe('attachments', () => {
  test('[MAN-70] an attachment has a safe id and a kind that is any string', () => {
    requires('attachments[0]', 'id', 'kind');
    const known = ['overlay_launcher', 'annotation', 'shortcut', 'status_badge'];
    takes('attachments[0]', { id: safeId, kind: { good: [...known, 'a kind of our own'], bad: text.bad } });
  });

  test('[MAN-71] an attachment without a target is refused', () => {
    requires('attachments[0]', 'target');
    takes('attachments[0]', { target: object });
  });

  test('[MAN-72] an attachment without a lifecycle object is refused, and its policies are kept', () => {
    requires('attachments[0]', 'lifecycle');
    takes('attachments[0]', { lifecycle: object });
    for (const policy of ['install', 'remove', 'reattach', 'drift'])
      expect(accepted(manifest, MAP)).toHaveProperty(`attachments[0].lifecycle.${policy}`);
  });

  test('[MAN-73] an attachment may carry an affordance, and signals by name', () => {
    const affordance = 'attachments[0].affordance';
    takes('attachments[0]', {
      affordance: object,
      signals: { good: [...words.good, { added: 'cart.added' }], bad: ['x', 1, null] },
      'signals[0]': word,
    });
    takes(affordance, { label: word, placement: word, max_instances: { good: [1, 3], bad: ['1', null] } });
    takes(affordance, {
      opens: { good: [{ tool: 'a' }, { tool: 'a', arguments: {} }], bad: object.bad },
    });
    takes(`${affordance}.opens`, { tool: word, arguments: object });
    requires(`${affordance}.opens`, 'tool');
  });
});

describe('signals, checks and provenance', () => {
  test('[MAN-74] a signal has a name that is a safe dotted identifier', () => {
    requires('signals[0]', 'name');
    takes('signals[0]', { name: safeId });
  });

  test('[MAN-75] direction of a signal is one of the three directions', () =>
    takes('signals[0]', { direction: oneOf('agent_to_html', 'html_to_agent', 'bidirectional') }));

  test('[MAN-76] ingestion is enabled or disabled_by_default', () =>
    takes('signals[0]', { ingestion: oneOf('enabled', 'disabled_by_default') }));

  test('[MAN-79] payload is a JSON object', () => takes('signals[0]', { payload: object }));

  test('[MAN-80] a signal may carry description, target, protocol and source', () =>
    takes('signals[0]', { description: word, target: object, protocol: any, source: any }));

  test('[MAN-81] a check has a safe id, and may carry description, assertions and on_fail', () => {
    requires('checks[0]', 'id');
    takes('checks[0]', {
      id: safeId,
      description: word,
      on_fail: object,
      assertions: listOf({ visible: true }),
    });
    mayBe('checks[0]', { id: 'search_visible' });
  });

  test('[MAN-82] severity of a check is info, minor, major or critical', () =>
    takes('checks[0]', { severity: oneOf('info', 'minor', 'major', 'critical') }));

  test('[MAN-85] provenance may have who and when, source and revision', () => {
    const fields = ['created_by', 'created_at', 'updated_by', 'updated_at', 'reviewed_by', 'reviewed_at'];
    for (const field of [...fields, 'source', 'revision'])
      expect(accepted(manifest, MAP)).toHaveProperty(`provenance.${field}`);
  });
});

/** Fields whose rules go beyond a shape; the map engine's tests show the rest. */
describe('fields of rules that go beyond a shape', () => {
  const expression: Values = { good: ['{% true %}'], bad: ['', ...text.bad] };

  test('imports, composition and context', () => {
    takes('imports[0]', { namespace: safeId, enabled: flag, provenance: object });
    takes('composition', { namespace_required: flag });
    takes('context[0]', {
      title: word,
      body: word,
      load_when: object,
      available_tools: words,
      next_states: words,
    });
    takes('context[0]', { 'available_tools[0]': word, 'next_states[0]': word });
  });

  test('x_actions, signals and checks', () => {
    takes(X_ACTIONS, {
      direction: oneOf('agent_to_html', 'html_to_agent', 'bidirectional'),
      execution: object,
    });
    takes(`${X_ACTIONS}.execution`, { mode: word, steps: listOf({ id: 'a', type: 'click' }) });
    takes('attachments[0]', { description: word });
    takes('signals[0]', { event: word });
    takes('checks[0]', {
      'assertions[0]': object,
      'on_fail.store_evidence': words,
      'on_fail.contingency': word,
    });
  });

  test('workflow steps', () => {
    const [first, second] = [`${WORKFLOW}.steps[0]`, `${WORKFLOW}.steps[1]`];
    takes(first, { primitive: word, args: object, retry_until: expression, max_attempts: wholeFrom(1) });
    takes(first, {
      on_error: oneOf('stop', 'continue'),
      after_each: { good: [], bad: object.bad },
      settle_after: { good: [], bad: object.bad },
    });
    takes(`${first}.after_each`, { primitive: word, args: object, extra: { good: [], bad: [1] } });
    takes(`${first}.settle_after`, {
      locator: object,
      state: oneOf('attached', 'visible'),
      timeout_ms: wholeFrom(0),
    });
    takes(second, { when: expression, for_each: expression, max_items: wholeFrom(1) });
    takes(`${second}.settle_after`, { delay_ms: wholeFrom(0), extra: { good: [], bad: [1] } });
  });

  test('state projections', () => {
    takes(PROJECTION, { postconditions: object, 'summaries[0].max_bytes': wholeFrom(1) });
    takes(`${PROJECTION}.summaries[0]`, { name: safeId, expression });
    takes(`${PROJECTION}.snapshot`, { extract: listOf({ id: 'a', selector: 'li' }), output_schema: object });
    takes(`${PROJECTION}.snapshot.projection`, {
      expression,
      language: { good: ['jsonata'], bad: ['js', '', 1, null] },
    });
  });
});

describe('safe identifiers', () => {
  test('[MAN-87] a safe identifier is ASCII segments, joined by dots, that each begin with a letter', () =>
    takes('tools[0]', { name: safeId }));

  test('[MAN-88] names and ids of every kind of part are safe identifiers', () => {
    for (const part of ['tools', 'signals', 'states', 'transitions', 'state_projections'])
      takes(`${part}[0]`, { name: safeId });
    for (const part of ['context', 'attachments', 'checks', 'imports']) takes(`${part}[0]`, { id: safeId });
  });
});
