import { describe, expect, test } from 'vitest';
import { openWindow, PRODUCTS, sourceOf } from '../../test/projection/shop-window.ts';
import { postconditionCheck } from './postcondition.ts';
import type { StateSource } from './state-reading.ts';

const RUN = { input: { wanted: 2 }, steps: {}, output: { clicked: true } };
const TOOL = 'search.submit';

const check = (source: StateSource, own?: unknown, tool = TOOL) => postconditionCheck(source, tool)(own, RUN);

const declaring = (postcondition: unknown) => [
  { ...PRODUCTS, postconditions: { 'search.submit': postcondition } },
];

describe('a postcondition that a projection declares for a tool', () => {
  test('[MAN-179] holds when its expression is true after reading the state again', async () => {
    const [window, verify] = [
      openWindow([]),
      '{% $count(state.products) = input.wanted and output.clicked %}',
    ];
    const source = sourceOf(window, declaring({ verify, failure_message: 'Nothing was found.' }));
    await expect(check(source)).rejects.toMatchObject({
      code: 'state_postcondition_failed',
      message: 'Nothing was found.',
      evidence: { tool: 'search.submit', projection: 'shop.products', state_hash: expect.any(String) },
    });
    window.products = openWindow().products;
    await expect(check(source)).resolves.toBeUndefined();
  });

  test('[MAN-179] may state its language, and may read another projection', async () => {
    const other = { ...PRODUCTS, name: 'shop.other' };
    const verify = { language: 'jsonata', expression: "{% projection.name = 'shop.other' %}" };
    const source = sourceOf(openWindow(), [...declaring({ verify, projection: 'shop.other' }), other]);
    await expect(check(source)).resolves.toBeUndefined();
  });

  test('is not checked for another tool, or for an inherited property name', async () => {
    const source = sourceOf(openWindow(), declaring({ verify: '{% false %}' }));
    await expect(check(source, undefined, 'cart.add')).resolves.toBeUndefined();
    await expect(check(source, undefined, 'toString')).resolves.toBeUndefined();
  });

  test.each([
    [null],
    ['{% true %}'],
    [{ verify: 'true' }],
    [{ failure_message: 'x' }],
    [{ verify: '{% true %}', projection: 7 }],
  ])('that is %j is refused as such', async (postcondition) => {
    const source = sourceOf(openWindow(), declaring(postcondition));
    await expect(check(source)).rejects.toMatchObject({
      code: 'invalid_state_postcondition',
    });
  });
});

describe("a workflow's own postcondition", () => {
  test('[MAN-179] as an object, verifies its expression', async () => {
    const own = (verify: string) => ({ projection: 'shop.products', verify });
    const source = sourceOf(openWindow());
    await expect(check(source, own('{% state.products %}'))).resolves.toBeUndefined();
    await expect(check(source, own('{% state.sold %}'))).rejects.toMatchObject({
      code: 'state_postcondition_failed',
      message: expect.stringContaining('search.submit ran, but shop.products does not show'),
    });
  });

  test('[MAN-179] as a name, requires a readable projection and its postcondition for the tool', async () => {
    const own = 'shop.products';
    await expect(check(sourceOf(openWindow()), own)).resolves.toBeUndefined();
    const strict = { ...PRODUCTS, snapshot: { ...PRODUCTS.snapshot, output_schema: { type: 'array' } } };
    await expect(check(sourceOf(openWindow(), [strict]), own)).rejects.toMatchObject({
      code: 'state_schema_validation_failed',
    });
    const source = sourceOf(openWindow(), declaring({ verify: '{% false %}' }));
    await expect(check(source, own)).rejects.toMatchObject({
      code: 'state_postcondition_failed',
    });
  });

  test('is refused for an unknown projection or an unknown form', async () => {
    const source = sourceOf(openWindow());
    await expect(check(source, 'shop.gone')).rejects.toMatchObject({
      code: 'state_projection_not_found',
    });
    await expect(check(source, ['a'])).rejects.toMatchObject({
      code: 'invalid_state_postcondition',
    });
  });
});
