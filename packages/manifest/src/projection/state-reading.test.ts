import { BridgeError } from '@drawbridge/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAMP, MUG, openWindow, PRODUCTS, sourceOf, VASE } from '../../test/projection/shop-window.ts';
import { readState } from './state-reading.ts';
import { readSummary } from './state-summary.ts';

const query = { projection_name: 'shop.products' };
const withSnapshot = (change: object) => [{ ...PRODUCTS, snapshot: { ...PRODUCTS.snapshot, ...change } }];
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...LAMP, id: `lamp-${at}` }));

describe('state_read', () => {
  test("[MAN-187] [MAN-191] the full state is the expression's result for the extracted records", async () => {
    expect(await readState(sourceOf(openWindow()), query)).toEqual({
      ok: true,
      projection: 'shop.products',
      state_hash: expect.stringMatching(/^djb2:[0-9a-f]{8}$/),
      observed_at: '2026-06-01T12:00:00.000Z',
      state: {
        heading: 'Everything',
        products: [
          { id: 'lamp', name: 'Lamp', price: '49 €' },
          { id: 'mug', name: 'Mug', price: '14.50 €' },
        ],
      },
      diagnostics: {
        selector_counts: { heading: 1, cards: 2 },
        missing_required_fields: [],
        schema_valid: true,
        truncated: false,
      },
    });
  });

  test("[MAN-187] the expression can read the records, the url, the title and its projection's name", async () => {
    const projections = withSnapshot({
      projection: { language: 'jsonata', expression: '{% [url, title, projection.name, $keys(records)] %}' },
      output_schema: {},
    });
    const { state } = await readState(sourceOf(openWindow(), projections), query);
    expect(state).toEqual(['https://shop.example/search?q=all', 'Shop', 'shop.products', 'heading', 'cards']);
  });

  test('an expression without a result gives null', async () => {
    const projections = withSnapshot({
      projection: { language: 'jsonata', expression: '{% records.nowhere %}' },
      output_schema: {},
    });
    expect((await readState(sourceOf(openWindow(), projections), query)).state).toBeNull();
  });

  test('[MAN-189] a required field that is missing is listed once, and its default is used', async () => {
    const products = [LAMP, { ...MUG, name: null }, { ...VASE, name: null }];
    const { state, diagnostics } = await readState(sourceOf(openWindow(products)), query);
    expect(diagnostics.missing_required_fields).toEqual(['cards.name']);
    expect(state).toMatchObject({ products: [{ name: 'Lamp' }, { name: 'nameless' }, { name: 'nameless' }] });
  });

  test('[MAN-197] the answer has the number of matches for each entry', async () => {
    const { diagnostics } = await readState(sourceOf(openWindow(many(7))), query);
    expect(diagnostics.selector_counts).toEqual({ heading: 1, cards: 7 });
  });

  test('[MAN-190] a state that does not match its schema is not returned', async () => {
    const projections = withSnapshot({
      output_schema: { type: 'object', properties: { products: { type: 'array', maxItems: 1 } } },
    });
    const source = sourceOf(openWindow(), projections);
    await expect(readState(source, query)).rejects.toMatchObject({
      code: 'state_schema_validation_failed',
      message: expect.stringContaining('products'),
      evidence: { path: 'products', diagnostics: { schema_valid: false, selector_counts: { cards: 2 } } },
    });
    await expect(readSummary(source, query)).rejects.toMatchObject({
      code: 'state_schema_validation_failed',
    });
  });

  test('[MAN-198] an expression over its byte budget gives state_payload_too_large', async () => {
    const source = sourceOf(openWindow(many(50)), [PRODUCTS], { maxExpressionBytes: 500 });
    await expect(readState(source, query)).rejects.toMatchObject({
      code: 'state_payload_too_large',
      evidence: { limit: 500, available_summaries: ['agent_context', 'names'] },
    });
  });

  test('[MAN-199] a state over its byte budget names the available summaries', async () => {
    const source = sourceOf(openWindow(many(50)), [PRODUCTS], { maxStateBytes: 500 });
    await expect(readState(source, query)).rejects.toMatchObject({
      code: 'state_payload_too_large',
      message: expect.stringContaining('Ask for a summary: agent_context, names.'),
      evidence: { bytes: expect.any(Number), limit: 500, available_summaries: ['agent_context', 'names'] },
    });
    expect(await readSummary(source, query)).toMatchObject({ summary: { count: 50 } });
  });

  test('[MAN-199] a caller may ask for less than the budget, and not for more', async () => {
    const source = sourceOf(openWindow(), [PRODUCTS], { maxStateBytes: 100 });
    const refusal = { code: 'state_payload_too_large' };
    await expect(readState(source, { ...query, max_bytes: 1e6 })).rejects.toMatchObject(refusal);
    const roomy = sourceOf(openWindow());
    await expect(readState(roomy, { ...query, max_bytes: 10 })).rejects.toMatchObject(refusal);
    await expect(readState(roomy, { ...query, max_bytes: 4000 })).resolves.toMatchObject({ ok: true });
  });

  test('[MAN-199] the budget counts bytes, not characters', async () => {
    const source = sourceOf(openWindow([]), [PRODUCTS], { maxStateBytes: 60 });
    const window = { ...openWindow([]), heading: '€'.repeat(20) };
    expect(JSON.stringify({ heading: window.heading, products: [] })).toHaveLength(48);
    await expect(
      readState({ ...source, ...sourceOf(window, [PRODUCTS], { maxStateBytes: 60 }) }, query),
    ).rejects.toMatchObject({
      code: 'state_payload_too_large',
      evidence: { bytes: 88 },
    });
  });

  test('[MAN-198] a state deeper than the message limit is too large', async () => {
    const projections = withSnapshot({
      projection: {
        language: 'jsonata',
        expression: '{% ($nest := function($n) { $n = 0 ? [] : [[$nest($n - 1)]] }; {"deep": $nest(100)}) %}',
      },
      output_schema: {},
    });
    await expect(readState(sourceOf(openWindow(), projections), query)).rejects.toMatchObject({
      code: 'state_payload_too_large',
      message: expect.stringContaining('levels of nesting'),
    });
  });

  test('[MAN-201] an unknown projection is refused with the available ones', async () => {
    await expect(readState(sourceOf(openWindow()), { projection_name: 'shop.cart' })).rejects.toMatchObject({
      code: 'state_projection_not_found',
      evidence: { available_projections: ['shop.products'] },
    });
  });
});

describe('state_summary', () => {
  test('[MAN-192] gives the requested summary of the state', async () => {
    const answer = await readSummary(sourceOf(openWindow()), { ...query, summary_name: 'names' });
    expect(answer).toMatchObject({ summary_name: 'names', summary: ['Lamp', 'Mug'] });
    expect(answer).not.toHaveProperty('state');
    expect(answer.state_hash).toBe((await readState(sourceOf(openWindow()), query)).state_hash);
  });

  test('[MAN-192] gives agent_context by default', async () => {
    expect((await readSummary(sourceOf(openWindow()), query)).summary).toEqual({
      count: 2,
      at: 'https://shop.example/search?q=all',
    });
  });

  test('[MAN-200] a summary over its max_bytes is refused', async () => {
    const source = sourceOf(openWindow([LAMP, MUG, VASE, ...many(3)]));
    await expect(readSummary(source, { ...query, summary_name: 'names' })).rejects.toMatchObject({
      code: 'state_payload_too_large',
      evidence: { limit: 40 },
    });
  });

  test('[MAN-200] the smallest of three budgets applies', async () => {
    const source = sourceOf(openWindow(), [PRODUCTS], { maxSummaryBytes: 12 });
    await expect(readSummary(source, { ...query, summary_name: 'names' })).rejects.toMatchObject({
      evidence: { limit: 12 },
    });
    await expect(
      readSummary(source, { ...query, summary_name: 'names', max_bytes: 5 }),
    ).rejects.toMatchObject({ evidence: { limit: 5 } });
  });

  test('[MAN-201] an unknown summary is refused with the available ones', async () => {
    await expect(
      readSummary(sourceOf(openWindow()), { ...query, summary_name: 'prices' }),
    ).rejects.toMatchObject({
      code: 'state_summary_not_found',
      evidence: { available_summaries: ['agent_context', 'names'] },
    });
  });
});

describe('scope of a projection', () => {
  test.each([
    ['https://shop.example/*', true],
    ['*/search?q=*', true],
    ['https://shop.example/search?q=all', true],
    [['https://other.example/*', '*shop.example*all'], true],
    ['https://shop.example/', false],
    ['*/cart', false],
    ['https://shop.example/search?q=all*all', false],
    ['.*', false],
  ])('[MAN-231] url_matches %j: %s', async (pattern, isRead) => {
    const projections = [{ ...PRODUCTS, scope: { url_matches: pattern } }];
    const answer = readState(sourceOf(openWindow(), projections), query);
    if (isRead) await expect(answer).resolves.toMatchObject({ ok: true });
    else await expect(answer).rejects.toMatchObject({ code: 'state_document_unavailable' });
  });
});

describe('an invalid projection', () => {
  test.each<[string, object, string]>([
    ['[MAN-63] another version', { version: 2 }, '/snapshot/version'],
    ['[MAN-63] another source', { source: 'network' }, '/snapshot/source'],
    ['[MAN-64] an entry without a selector', { extract: [{ id: 'a' }] }, '/snapshot/extract/0/selector'],
    ['[MAN-64] an entry without an id', { extract: [{ selector: 'a' }] }, '/snapshot/extract/0/id'],
    [
      '[MAN-65] property and attribute together, deep inside',
      {
        extract: [
          { id: 'a', selector: 'a', fields: { b: { fields: { c: { property: 'value', attribute: 'd' } } } } },
        ],
      },
      '/snapshot/extract/0/fields/b/fields/c',
    ],
    [
      '[MAN-66] a property that is not one of the six',
      { extract: [{ id: 'a', selector: 'a', property: 'innerHTML' }] },
      '/snapshot/extract/0/property',
    ],
    [
      '[MAN-67] an expression that is no whole slot',
      { projection: { language: 'jsonata', expression: 'records' } },
      '/snapshot/projection/expression',
    ],
  ])('%s', async (_, change, pointer) => {
    await expect(readState(sourceOf(openWindow(), withSnapshot(change)), query)).rejects.toMatchObject({
      code: 'invalid_state_projection',
      message: expect.stringContaining(pointer),
    });
  });

  test('all problems are reported at once', async () => {
    const projections = withSnapshot({ version: 2, source: 'network' });
    await expect(readState(sourceOf(openWindow(), projections), query)).rejects.toMatchObject({
      evidence: { problems: [expect.stringContaining('/version'), expect.stringContaining('/source')] },
    });
  });

  test('a scope that is no text', async () => {
    const projections = [{ ...PRODUCTS, scope: { url_matches: [7] } }];
    await expect(readState(sourceOf(openWindow(), projections), query)).rejects.toMatchObject({
      code: 'invalid_state_projection',
      message: expect.stringContaining('/scope/url_matches'),
    });
  });

  test('any value gives a state or a coded error', async () => {
    const part = fc.constantFrom(
      'name',
      'snapshot',
      'extract',
      'fields',
      'selector',
      'scope',
      'summaries',
      'id',
    );
    const anything = fc.jsonValue({ maxDepth: 5 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(part, anything), fc.dictionary(part, anything), async (one, other) => {
        for (const broken of [
          { ...one, name: 'it' },
          { ...PRODUCTS, ...one, name: 'it' },
          { ...PRODUCTS, name: 'it', snapshot: { ...PRODUCTS.snapshot, ...other } },
        ]) {
          const answer = await readState(sourceOf(openWindow(), [broken]), { projection_name: 'it' }).catch(
            (error: unknown) => error,
          );
          if (answer instanceof Error) expect(answer).toBeInstanceOf(BridgeError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
