import { expect } from 'vitest';
import { type ValidateOptions, validate } from '../../src/validate/validate.ts';

/** A map with every part and without findings. Tests change one thing at a time. */
export const SHOP = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin: 'https://shop.example', name: 'Shop' },
  imports: [
    {
      id: 'public-pay',
      kind: 'public',
      uri: 'https://maps.example/pay.json',
      namespace: 'pay',
      trust: 'public',
    },
  ],
  composition: { default_conflict_policy: 'namespace', namespace_required: true },
  context: [
    {
      id: 'search.context',
      title: 'Search',
      body: 'Collect the results first.',
      load_when: { states: ['results_visible'], targets: ['cart.add'], url_contains: '/search' },
      available_tools: ['cart.add'],
      next_states: ['cart_open'],
      source: { files: ['docs/search.md'] },
    },
  ],
  states: [
    {
      name: 'results_visible',
      description: 'Results are listed.',
      diagnostics: [{ name: 'count', target: { selector: '[data-result]' } }],
      observables: ['result_count'],
    },
    { name: 'cart_open', diagnostics: [{ name: 'drawer', target: { selector: '#cart' } }] },
  ],
  transitions: [
    {
      name: 'open_cart',
      from: 'results_visible',
      to: 'cart_open',
      tool: 'cart.add',
      signal: 'cart.changed',
      method: 'tool_call',
      preconditions: [{ state: 'results_visible' }],
    },
  ],
  tools: [
    {
      name: 'cart.add',
      description: 'Put a product into the cart.',
      input_schema: {
        type: 'object',
        properties: {
          sku: { type: 'string', pattern: '^[a-z0-9-]+$' },
          count: { type: 'integer', minimum: 1 },
        },
        required: ['sku'],
        additionalProperties: false,
      },
      target: { selector: '[data-add]', state: 'results_visible', url_matches: '^https://shop\\.example/' },
      requires: ['pointer.click'],
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [
          {
            id: 'find',
            primitive: 'locator.element_info',
            args: { locator: { selector: '{% "[data-sku=" & input.sku & "]" %}' } },
            retry_until: '{% steps.find.output.clickable %}',
            max_attempts: 3,
            after_each: { primitive: 'viewport.scroll', args: { delta_y: 400 } },
          },
          {
            id: 'press',
            primitive: 'pointer.click',
            args: {
              x: '{% steps.find.output.clickable_center.x %}',
              y: '{% steps.find.output.clickable_center.y %}',
            },
            when: '{% $exists(steps.find.output) %}',
            settle_after: { locator: { selector: '#cart' }, state: 'visible', timeout_ms: 2000 },
            on_error: 'stop',
          },
          {
            id: 'read',
            primitive: 'locator.text_content',
            for_each: '{% [1..2] %}',
            max_items: 2,
            settle_after: { delay_ms: 100 },
          },
        ],
        output: { added: '{% input.sku %}' },
        postcondition: { projection: 'shop.cart', verify: '{% $exists(state.items) %}' },
      },
      x_actions: { effect: 'act', result_schema: { type: 'object' } },
    },
    {
      name: 'search.submit',
      description: 'Search the shop.',
      input_schema: { type: 'object' },
      x_actions: {
        direction: 'bidirectional',
        handler: 'shop.search',
        scope: 'persistent',
        source: { files: ['src/search.ts'] },
        execution: {
          mode: 'steps_first',
          steps: [{ id: 'type', type: 'type', target: { selector: 'input' }, value_from: 'query' }],
        },
      },
    },
  ],
  state_projections: [
    {
      name: 'shop.cart',
      description: 'What is in the cart.',
      snapshot: {
        version: 1,
        source: 'dom',
        extract: [
          {
            id: 'items',
            selector: '#cart li',
            many: true,
            fields: {
              name: { selector: '.name', property: 'innerText', trim: true, required: true },
              sku: { attribute: 'data-sku', default: '', closest: 'li' },
              options: { selector: '.option', many: true, fields: { label: { property: 'textContent' } } },
            },
          },
        ],
        projection: { language: 'jsonata', expression: "{% {'items': $append([], records.items)} %}" },
        output_schema: { type: 'object', required: ['items'] },
      },
      summaries: [
        { name: 'agent_context', expression: "{% {'count': $count(state.items)} %}", max_bytes: 2000 },
      ],
      postconditions: {
        'cart.add': { verify: '{% $count(state.items) > 0 %}', failure_message: 'The cart is empty.' },
      },
    },
  ],
  attachments: [
    {
      id: 'cart-badge',
      kind: 'status_badge',
      target: { selector: '#cart' },
      affordance: {
        label: 'Cart',
        placement: 'afterend',
        max_instances: 1,
        opens: { tool: 'cart.add', arguments: { sku: 'mug' } },
      },
      lifecycle: {
        install: 'when_target_matches',
        remove: 'when_context_mismatch',
        reattach: 'on_url_or_dom_change',
      },
      signals: ['cart.changed'],
    },
  ],
  signals: [
    {
      name: 'cart.changed',
      direction: 'html_to_agent',
      event: 'shop:cart-changed',
      ingestion: 'enabled',
      payload: { type: 'object', properties: { count: { type: 'integer' } } },
    },
  ],
  checks: [
    {
      id: 'cart_there',
      severity: 'critical',
      assertions: [
        { target: { selector: '#cart', state: 'cart_open' }, visible: true },
        { target: 'cart.add', visible: true },
        { tool: 'cart.add', state: 'results_visible', attachment: 'cart-badge' },
      ],
      on_fail: { store_evidence: ['url'], contingency: 'handoff_to_user' },
    },
  ],
  provenance: { created_by: 'the shop', revision: '7' },
} as const;

type Key = string | number;

/** Copies the map with another value at a path such as `tools.0.name`; `undefined` removes the field. */
export function put(path: string, value: unknown, map: unknown = SHOP): unknown {
  return replaced(map, path.split('.'), value);
}

function replaced(holder: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(holder))
    return holder.toSpliced(Number(key), 1, ...inList(holder[Number(key)], rest, value));
  const object = typeof holder === 'object' && holder !== null ? holder : {};
  const inner = rest.length === 0 ? value : replaced(Reflect.get(object, key), rest, value);
  return { ...object, [key]: inner };
}

const inList = (item: unknown, rest: readonly Key[], value: unknown): unknown[] => {
  if (rest.length === 0) return value === undefined ? [] : [value];
  return [replaced(item, rest.map(String), value)];
};

const brief = ({ code, pointer }: { readonly code: string; readonly pointer: string }) =>
  `${code} ${pointer}`;

/** "code pointer" of each error, in text order. */
export const errorsOf = (map: unknown, options?: ValidateOptions): string[] =>
  validate(map, options).errors.map(brief);

export const warningsOf = (map: unknown, options?: ValidateOptions): string[] =>
  validate(map, options).warnings.map(brief);

/** Each value is valid at the path. */
export function accepts(path: string, values: readonly unknown[], options?: ValidateOptions): void {
  for (const value of values)
    expect({ value, errors: errorsOf(put(path, value), options) }).toEqual({ value, errors: [] });
}

/** Each value gives exactly this error, at the path or at the pointer in the error. */
export function refuses(
  path: string,
  values: readonly unknown[],
  error: string,
  options?: ValidateOptions,
): void {
  const expected = error.includes(' ') ? error : `${error} /${path.replaceAll('.', '/')}`;
  for (const value of values)
    expect({ value, errors: errorsOf(put(path, value), options) }).toEqual({ value, errors: [expected] });
}
