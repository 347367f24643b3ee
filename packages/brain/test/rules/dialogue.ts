import { type InteractRequest, interactRequest, interactResponse, type MapTool } from '@drawbridge/protocol';
import { parseLines } from '@drawbridge/protocol/semantic';
import type { StepAnswer, TaskMemory } from '../../src/brain.ts';
import { createRulePlanner } from '../../src/rules/rule-planner.ts';

/** The client's view: the tree in line form (`7 btn Add to cart`), and other request fields. */
interface Look extends Partial<Omit<InteractRequest, 'query' | 'interactiveTree'>> {
  readonly tree: string;
  readonly said?: readonly string[];
}

interface Dialogue {
  readonly see: (look: Look) => Promise<StepAnswer>;
}

interface DialogueOptions {
  readonly features?: readonly string[];
  readonly tools?: readonly MapTool[];
  readonly schema?: Readonly<Record<string, unknown>>;
}

/**
 * Runs the rule planner over a list of pages. Memory goes through JSON, and both sides through the contract.
 */
export function dialogue(
  query: string,
  { features = [], tools = [], schema }: DialogueOptions = {},
): Dialogue {
  const planner = createRulePlanner();
  let memory: TaskMemory | undefined;
  let now = 1_700_000_000_000;
  return {
    async see({ tree, said = [], ...look }) {
      const request = interactRequest.parse(
        JSON.stringify({
          url: 'http://127.0.0.1:7720/',
          domMode: 'semantic',
          query,
          features,
          tools,
          ...look,
          interactiveTree: parseLines(tree).nodes,
        }),
      );
      now += 1_000;
      const step = await planner.step({
        request,
        memory,
        said,
        now,
        ...(schema !== undefined && { schema }),
      });
      memory = JSON.parse(JSON.stringify(step.memory));
      interactResponse.parse(JSON.stringify({ success: true, data: step.answer }));
      return step.answer;
    },
  };
}

/** A client's report on a successful action. */
export const WORKED = { lastActionStatus: 'success', lastActionResult: { success: true } } as const;

export const failedWith = (code: string, message: string) => ({
  lastActionStatus: 'failure' as const,
  lastActionError: { code, message, action: 'click(1)' },
  lastActionResult: { success: false },
});

/** As declared by the demo shop's map. */
export const SHOP_TOOLS: readonly MapTool[] = [
  {
    name: 'search.open',
    description:
      'Search the shop from the field in the header. Works on every page but the search page itself.',
    inputSchema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
    effect: 'read',
  },
  {
    name: 'product.open',
    description: 'Open the page of a product that is listed on this page.',
    inputSchema: {
      type: 'object',
      required: ['product'],
      properties: {
        product: { type: 'string', pattern: '^[a-z0-9-]{1,60}$', description: 'The id of a product.' },
      },
    },
    effect: 'read',
  },
  {
    name: 'cart.add',
    description: 'Put the product of this page into the cart.',
    inputSchema: {
      type: 'object',
      properties: { quantity: { type: 'integer', minimum: 1, maximum: 20, default: 1 } },
    },
    effect: 'act',
  },
  {
    name: 'cart.open',
    description: 'Go to the cart.',
    inputSchema: { type: 'object', properties: {} },
    effect: 'read',
  },
  {
    name: 'checkout.deliver',
    description: 'Fill the delivery form and go on to the payment. Nothing is bought yet.',
    inputSchema: {
      type: 'object',
      required: ['email', 'name', 'street', 'postcode', 'city', 'country'],
      properties: {
        email: { type: 'string' },
        name: { type: 'string' },
        street: { type: 'string' },
        postcode: { type: 'string' },
        city: { type: 'string' },
        country: { type: 'string', enum: ['Austria', 'France', 'Germany'] },
        speed: { type: 'string', enum: ['standard', 'express'], default: 'standard' },
      },
    },
    effect: 'act',
  },
  {
    name: 'checkout.pay',
    description: 'Show the card form.',
    inputSchema: { type: 'object', properties: {} },
    effect: 'irreversible',
  },
];

/** Pages of the demo shop. */
export const START = `1 link Lantern & Oak
2 inp Search the shop
3 btn Search
4 link Log in
5 link Cart 0
6 link Lighting
7 link See everything
8 link Dusk table lamp
9 btn Add Dusk table lamp to cart
10 link Harbour floor lamp
11 btn Add Harbour floor lamp to cart
12 link Storm lantern
13 btn Add Storm lantern to cart`;

export const RESULTS = `31 link Lantern & Oak
34 link Log in
35 link Cart 0
36 link Lighting
41 inp Search the shop =lamps
42 sel Category =Everything
43 sel Sort ="As on the shelf"
44 link Dusk table lamp
45 btn Add Dusk table lamp to cart
46 link Harbour floor lamp
47 btn Add Harbour floor lamp to cart
48 link Awkward corners`;

export const LAMP = `51 link Lantern & Oak
52 inp Search the shop
53 btn Search
55 link Cart 0
56 link Lighting
57 inp Quantity =1
58 btn Add to cart
59 link Harbour floor lamp
60 btn Add Harbour floor lamp to cart`;

export const CHECKOUT = `71 link Cart 1
72 inp Email
73 inp Full name
74 inp Street and number
75 inp Postcode
76 inp Town or city
77 sel Country
78 radio Standard, 3 to 5 days €4.90 [checked]
79 radio Express, next working day €12.90
80 btn Continue to payment
81 link Change the cart`;
