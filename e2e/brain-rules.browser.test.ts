import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runShopTask } from './brain-tasks.ts';
import { type Person, startTaskHarness, type TaskBody, type TaskHarness } from './task-harness.ts';

let harness: TaskHarness;
let person: Person;

beforeAll(async () => {
  // No key and no map: the rules see only roles and names.
  harness = await startTaskHarness({ withMap: false });
  person = await harness.person(() => 'once');
});
afterAll(async () => {
  person.close();
  await harness[Symbol.asyncDispose]();
});

const heading = () => harness.text('h1');

const DONE: readonly (readonly [
  prompt: string,
  path: string,
  came: (task: TaskBody) => unknown,
  wanted: unknown,
])[] = [
  ['search for lamps and open the first result', '/', heading, 'Dusk table lamp'],
  ['add two lamps to the cart', '/products/dusk-table-lamp', () => harness.cart(), { 'dusk-table-lamp': 2 }],
  ['add 2 storm lanterns to the cart', '/', () => harness.cart(), { 'storm-lantern': 2 }],
  [
    'search for mugs, open the last result and add it to the cart',
    '/',
    () => harness.cart(),
    { 'stoneware-mug-slate': 1 },
  ],
  [
    'set the quantity to 3, click Add to cart, open the cart and remove the Oak board',
    '/products/oak-board',
    () => harness.cart(),
    {},
  ],
  [
    'choose Cheapest first as Sort and open the first result',
    '/search?q=light',
    heading,
    'Pebble night light',
  ],
  [
    'log in with email demo@example.com and password lantern-42',
    '/',
    () => harness.text('main'),
    expect.stringContaining('demo@example.com'),
  ],
  [
    'fill the form with first name Ada, last name Lovelace, street Mill Lane 3, postcode 75001, town Paris and submit',
    '/corners/address',
    () => harness.text('[data-testid="saved-address"]'),
    expect.stringMatching(/Ada.*Lovelace.*Mill Lane 3.*75001.*Paris/s),
  ],
  [
    'type "Do you ship to Spain?" into Your question and press Ask',
    '/corners/strict',
    () => harness.text('output'),
    expect.stringMatching(/\S/),
  ],
  ['how many things are in the cart?', '/', (task) => task.message, expect.stringContaining('0')],
];

test.each(sampled(DONE, 4))('without a model: %s', async (prompt, path, came, wanted) => {
  const { task } = await runShopTask(harness, { prompt, path }, person);
  expect(task, task.message).toMatchObject({ state: 'completed' });
  expect(await came(task)).toEqual(wanted);
});

const DECLINED: readonly (readonly [prompt: string, what: RegExp, instead: RegExp])[] = [
  ['solve the captcha', /cannot solve a captcha/, /solve it yourself, then ask me/],
  ['click the blue button', /cannot see colours/, /name it by its text, or set a model key/],
  [
    'compare the prices of both lamps',
    /compare the prices of both lamps” takes judgement/,
    /set a model key, or say which/,
  ],
  ['open the Wishlist', /nothing called “Wishlist”/, /set a model key, or say which/],
  ['add 50 storm lanterns to the cart', /not 50/, /1 to 20/],
];

test.each(DECLINED)('without a model, declined: %s', async (prompt, what, instead) => {
  const { task } = await runShopTask(harness, { prompt, path: '/' }, person);
  expect(task).toMatchObject({ state: 'failed' });
  expect(task.message).toMatch(what);
  expect(task.message).toMatch(instead);
  expect(await harness.cart()).toEqual({});
});
