import { BridgeError } from '@drawbridge/protocol';
import type { StateProjection } from '@drawbridge/protocol/manifest';
import jsonata from 'jsonata';
import { byteLength } from '../../src/expression/byte-length.ts';
import type { Evaluator } from '../../src/host.ts';
import { type RawMatch, shapeRecords } from '../../src/projection/records.ts';
import type { StateSource } from '../../src/projection/state-reading.ts';

/** A fake page with a product list and a projection of it. */

/** In process and without isolation: only for expressions that a test wrote. */
const directEvaluator: Pick<Evaluator, 'evaluate'> = {
  async evaluate(expression, input, { maxOutputBytes = Number.POSITIVE_INFINITY } = {}) {
    const result: unknown = await jsonata(expression).evaluate(input);
    const text = JSON.stringify(result);
    if (text === undefined) return undefined;
    const bytes = byteLength(text);
    if (bytes > maxOutputBytes) {
      throw new BridgeError('expression_output_too_large', 'Too much.', { evidence: { bytes } });
    }
    return JSON.parse(text);
  },
};

export interface Product {
  readonly id: string;
  readonly name: string | null;
  readonly price: string;
}

export const LAMP: Product = { id: 'lamp', name: '  Lamp ', price: '49 €' };
export const MUG: Product = { id: 'mug', name: 'Mug\n', price: '14.50 €' };
export const VASE: Product = { id: 'vase', name: 'Vase', price: '34 €' };

export interface Window {
  url: string;
  heading: string;
  products: readonly Product[];
}

export const openWindow = (products: readonly Product[] = [LAMP, MUG]): Window => ({
  url: 'https://shop.example/search?q=all',
  heading: ' Everything ',
  products,
});

export const PRODUCTS = {
  name: 'shop.products',
  description: 'What the page offers.',
  snapshot: {
    version: 1,
    source: 'dom',
    extract: [
      { id: 'heading', selector: 'h1', property: 'innerText', trim: true },
      {
        id: 'cards',
        selector: '.card',
        many: true,
        fields: {
          id: { attribute: 'data-id' },
          name: { selector: 'h2', property: 'innerText', trim: true, required: true, default: 'nameless' },
          price: { selector: '.price', property: 'textContent' },
        },
      },
    ],
    projection: {
      language: 'jsonata',
      expression: "{% {'heading': records.heading, 'products': $append([], records.cards)} %}",
    },
    output_schema: {
      type: 'object',
      required: ['heading', 'products'],
      properties: { heading: { type: 'string' }, products: { type: 'array', maxItems: 1000 } },
    },
  },
  summaries: [
    { name: 'agent_context', expression: "{% {'count': $count(state.products), 'at': url} %}" },
    { name: 'names', expression: '{% $append([], state.products.name) %}', max_bytes: 40 },
  ],
} as const satisfies StateProjection;

/** A page that returns the products as they are at that moment. */
export function sourceOf(
  window: Window,
  projections: readonly { readonly name: string }[] = [PRODUCTS],
  limits: StateSource['limits'] = {},
): StateSource {
  return {
    projections,
    evaluator: directEvaluator,
    clock: { now: () => Date.UTC(2026, 5, 1, 12) },
    limits,
    extractor: {
      extract: async (entries) =>
        shapeRecords(entries, {
          url: window.url,
          title: 'Shop',
          matches: { heading: [{ value: window.heading }], cards: window.products.map(cardOf) },
        }),
    },
  };
}

const cardOf = ({ id, name, price }: Product): RawMatch => ({
  fields: { id: [{ value: id }], name: name === null ? [] : [{ value: name }], price: [{ value: price }] },
});
