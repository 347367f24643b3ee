import { describe, expect, test } from 'vitest';
import { verifyPostconditions } from './postcondition.ts';
import { openWindow, PRODUCTS, sourceOf } from './shop-window.suite.ts';

const RUN = { input: { wanted: 2 }, output: { clicked: true } };
const TOOL = { name: 'search.submit' };

const withWorkflow = (postcondition: unknown) => ({
  ...TOOL,
  workflow: { version: 1 as const, expression_language: 'jsonata' as const, steps: [], postcondition },
});

const declaring = (postcondition: unknown) => [
  { ...PRODUCTS, postconditions: { 'search.submit': postcondition } },
];

describe('a postcondition that a projection declares for a tool', () => {
  test('[MAN-179] holds when its expression is true of the state read anew', async () => {
    const [window, verify] = [
      openWindow([]),
      '{% $count(state.products) = input.wanted and output.clicked %}',
    ];
    const source = sourceOf(window, declaring({ verify, failure_message: 'Nothing was found.' }));
    await expect(verifyPostconditions(source, TOOL, RUN)).rejects.toMatchObject({
      code: 'state_postcondition_failed',
      message: 'Nothing was found.',
      evidence: { tool: 'search.submit', projection: 'shop.products', state_hash: expect.any(String) },
    });
    window.products = openWindow().products;
    await expect(verifyPostconditions(source, TOOL, RUN)).resolves.toBeUndefined();
  });

  test('[MAN-179] may be written with its language, and may read another projection', async () => {
    const other = { ...PRODUCTS, name: 'shop.other' };
    const verify = { language: 'jsonata', expression: "{% projection.name = 'shop.other' %}" };
    const source = sourceOf(openWindow(), [...declaring({ verify, projection: 'shop.other' }), other]);
    await expect(verifyPostconditions(source, TOOL, RUN)).resolves.toBeUndefined();
  });

  test('of another tool, or of a name that every object has, is not asked', async () => {
    const source = sourceOf(openWindow(), declaring({ verify: '{% false %}' }));
    await expect(verifyPostconditions(source, { name: 'cart.add' }, RUN)).resolves.toBeUndefined();
    await expect(verifyPostconditions(source, { name: 'toString' }, RUN)).resolves.toBeUndefined();
  });

  test.each([
    [null],
    ['{% true %}'],
    [{ verify: 'true' }],
    [{ failure_message: 'x' }],
    [{ verify: '{% true %}', projection: 7 }],
  ])('that is %j is refused as such', async (postcondition) => {
    const source = sourceOf(openWindow(), declaring(postcondition));
    await expect(verifyPostconditions(source, TOOL, RUN)).rejects.toMatchObject({
      code: 'invalid_state_postcondition',
    });
  });
});

describe("a workflow's own postcondition", () => {
  test('[MAN-179] as an object, verifies what it says', async () => {
    const tool = (verify: string) => withWorkflow({ projection: 'shop.products', verify });
    const source = sourceOf(openWindow());
    await expect(verifyPostconditions(source, tool('{% state.products %}'), RUN)).resolves.toBeUndefined();
    await expect(verifyPostconditions(source, tool('{% state.sold %}'), RUN)).rejects.toMatchObject({
      code: 'state_postcondition_failed',
      message: expect.stringContaining('search.submit ran, but shop.products does not show'),
    });
  });

  test('[MAN-179] as a name, asks that the projection reads, with what it declares for the tool', async () => {
    const tool = withWorkflow('shop.products');
    await expect(verifyPostconditions(sourceOf(openWindow()), tool, RUN)).resolves.toBeUndefined();
    const strict = { ...PRODUCTS, snapshot: { ...PRODUCTS.snapshot, output_schema: { type: 'array' } } };
    await expect(verifyPostconditions(sourceOf(openWindow(), [strict]), tool, RUN)).rejects.toMatchObject({
      code: 'state_schema_validation_failed',
    });
    const source = sourceOf(openWindow(), declaring({ verify: '{% false %}' }));
    await expect(verifyPostconditions(source, tool, RUN)).rejects.toMatchObject({
      code: 'state_postcondition_failed',
    });
  });

  test('of an unknown projection, or of no known form, is refused', async () => {
    const source = sourceOf(openWindow());
    await expect(verifyPostconditions(source, withWorkflow('shop.gone'), RUN)).rejects.toMatchObject({
      code: 'state_projection_not_found',
    });
    await expect(verifyPostconditions(source, withWorkflow(['a']), RUN)).rejects.toMatchObject({
      code: 'invalid_state_postcondition',
    });
  });
});
