import type { MANIFESTS, Tool } from '../../src/manifest/manifest.ts';
import type { Target } from '../../src/manifest/target.ts';
import type { Workflow } from '../../src/manifest/workflow.ts';
import type { SamplesOf } from '../wire/samples-of.ts';

const target: Target = {
  selector: "button[type='submit']",
  selectors: ['button', "[role='button']"],
  fallback_selectors: ['form button'],
  role: 'button',
  name: 'Search',
  text_equals: 'Search',
  text_contains: 'Sea',
  url_contains: '/search',
  url_matches: '^https://shop\\.example/',
  state: 'results_visible',
  confidence: 'observed',
  notes: 'The header has a second one.',
};

const workflow: Workflow = {
  version: 1,
  expression_language: 'jsonata',
  steps: [
    {
      id: 'find',
      primitive: 'locator.element_info',
      args: { locator: { selector: 'button' } },
      retry_until: '{% steps.find.output %}',
      max_attempts: 3,
      after_each: { primitive: 'viewport.scroll', args: { y: 100 } },
      settle_after: { locator: { selector: 'ul' }, state: 'visible', timeout_ms: 8000 },
      on_error: 'stop',
    },
    {
      id: 'click',
      primitive: 'pointer.click',
      when: '{% $exists(input.rows) %}',
      for_each: '{% input.rows %}',
      max_items: 5,
      settle_after: { delay_ms: 100 },
    },
  ],
  output: '{% steps.find.output %}',
  postcondition: 'search.results',
};

const tool: Tool = {
  name: 'search.submit',
  description: 'Submit a query.',
  input_schema: { type: 'object' },
  target,
  requires: ['pointer.click'],
  workflow,
  x_actions: {
    direction: 'agent_to_html',
    handler: 'shop.search.submit',
    scope: 'active_surface',
    source: { files: ['src/search.ts'] },
    execution: {
      mode: 'steps_first',
      steps: [{ id: 'type', type: 'type', target: { selector: 'input' }, value_from: 'query' }],
    },
    result_schema: { type: 'object' },
    effect: 'act',
  },
};

/** A map with every part and every field. */
export const MANIFEST_SAMPLES: SamplesOf<typeof MANIFESTS> = {
  manifest: {
    protocol: 'actions.json',
    version: 1,
    tools: [tool],
    surface: {
      origin: 'https://shop.example',
      name: 'Shop',
      kind: 'store',
      description: 'A shop.',
      surface_id: 'shop',
    },
    imports: [
      {
        id: 'public-shop',
        kind: 'public',
        uri: 'https://maps.example/shop/actions.json',
        namespace: 'shop',
        trust: 'public',
        enabled: true,
        provenance: { revision: '7' },
      },
    ],
    composition: { default_conflict_policy: 'prefer_local', namespace_required: true },
    context: [
      {
        id: 'search.context',
        title: 'Search',
        body: 'Collect the results first.',
        load_when: { states: ['results_visible'], url_contains: '/search' },
        available_tools: ['search.submit'],
        next_states: ['results_visible'],
        source: { files: ['docs/search.md'] },
      },
    ],
    states: [
      {
        name: 'results_visible',
        description: 'Results are visible.',
        diagnostics: [{ name: 'count', target }],
        observables: ['result_count'],
      },
    ],
    transitions: [
      {
        name: 'show_more',
        from: 'results_visible',
        to: 'results_visible',
        tool: 'search.submit',
        signal: 'results.changed',
        method: 'tool_call',
        rate_limit_ms: 1000,
        preconditions: ['results_visible'],
        reveals: 'more results',
        convergence: { complete_when: 'no_new_results', max_attempts: 5 },
        do_not_use: ['scrolling'],
      },
    ],
    state_projections: [
      {
        name: 'search.results',
        description: 'The results.',
        snapshot: {
          version: 1,
          source: 'dom',
          extract: [{ id: 'rows', selector: 'li', many: true, fields: { name: { property: 'innerText' } } }],
          projection: { language: 'jsonata', expression: '{% records %}' },
          output_schema: { type: 'object' },
        },
        summaries: [{ name: 'agent_context', expression: '{% $count(state.rows) %}', max_bytes: 12_000 }],
        postconditions: { submit: { verify: '{% true %}', failure_message: 'Nothing was found.' } },
      },
    ],
    attachments: [
      {
        id: 'results-launcher',
        kind: 'overlay_launcher',
        target,
        lifecycle: {
          install: 'when_target_matches',
          remove: 'when_context_mismatch',
          reattach: 'on_url_or_dom_change',
          drift: 'report',
        },
        description: 'Opens the categories.',
        affordance: {
          label: 'Categories',
          placement: 'afterend',
          max_instances: 1,
          opens: { tool: 'search.submit', arguments: { query: 'tea' } },
        },
        signals: ['results.changed'],
      },
    ],
    signals: [
      {
        name: 'results.changed',
        description: 'The results changed.',
        direction: 'html_to_agent',
        event: 'shop:results-changed',
        ingestion: 'enabled',
        target,
        payload: { type: 'object' },
        protocol: { adapter: 'custom-event' },
        source: { files: ['src/results.ts'] },
      },
    ],
    checks: [
      {
        id: 'search_visible',
        description: 'The search form is there.',
        severity: 'major',
        assertions: [{ target: { selector: 'form' }, visible: true }],
        on_fail: { store_evidence: ['url'], contingency: 'handoff_to_user' },
      },
    ],
    provenance: {
      created_by: 'the shop',
      created_at: '2026-06-01',
      updated_by: 'the shop',
      updated_at: '2026-06-02',
      reviewed_by: 'the shop',
      reviewed_at: '2026-06-03',
      source: 'by hand',
      revision: '7',
    },
  },
};
