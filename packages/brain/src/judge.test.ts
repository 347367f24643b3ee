import type { InteractRequest } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { onShop, SHOP, TREE } from '../test/brain-fixtures.ts';
import { judge, type LastAction, type Verdict } from './judge.ts';

const CLICK: LastAction = { action: 'click(7)', url: SHOP, nodes: TREE, partial: false };
const CART = 'https://shop.test/cart';
const MORE = [...TREE, { i: '20', r: 'link', n: 'Cart (1)' }];
const appears = { type: 'element_appears', element: { name: 'cart (1)' } } as const;

type Row = [string, Verdict['outcome'], Partial<InteractRequest>, Partial<LastAction>?];

const ROWS: readonly Row[] = [
  [
    '[INT-90] the client failed, though the page changed',
    'failed',
    { lastActionStatus: 'failure', interactiveTree: MORE },
  ],
  [
    '[INT-317] a step of a chain failed, by its newer name',
    'failed',
    { chainError: { action: 'click(8)', message: 'gone', code: 'not_found', failedIndex: 1 }, url: CART },
  ],
  ['[INT-90] a failed result', 'failed', { lastActionResult: { success: false }, url: CART }],
  ['[INT-92] its own check failed', 'failed', { verification_passed: false, url: CART }],
  [
    '[INT-92] it saw an error',
    'failed',
    { errors_detected: ['Out of stock'], verification_passed: true, interactiveTree: MORE },
  ],
  [
    '[INT-93] a toast said error and has gone',
    'failed',
    { recentEvents: ["[1s ago] Error: 'Out of stock'"], interactiveTree: MORE },
  ],
  ['[INT-93] hasErrors alone', 'failed', { hasErrors: true, url: CART }],
  [
    '[INT-93] a toast said success and nothing else shows it',
    'passed',
    { recentEvents: ["[2s ago] Success: 'Added'"] },
  ],
  [
    '[INT-93] an error beside what was expected',
    'unclear',
    { hasErrors: true, interactiveTree: MORE },
    { expected: appears },
  ],
  [
    '[INT-88] the expected element came, ahead of the tree',
    'passed',
    { clientVerification: { elementFound: true } },
  ],
  [
    '[INT-88] it did not come, though the tree changed',
    'failed',
    { clientVerification: { elementFound: false }, interactiveTree: MORE },
  ],
  ['[INT-86] the address differs from the stored one', 'passed', { url: CART }],
  ['[INT-86] or from previousUrl when none is stored', 'passed', { previousUrl: CART }, { url: '' }],
  ['[INT-85] the tree differs from the stored one', 'passed', { interactiveTree: MORE }],
  ['[INT-87] the client saw the network move', 'unclear', { clientObservations: { didNetworkOccur: true } }],
  ['[INT-87] the client saw the DOM change', 'unclear', { clientObservations: { didDomMutate: true } }],
  ['[INT-85] nothing changed', 'failed', { lastActionStatus: 'success' }],
  [
    'nothing but the place of things',
    'failed',
    { interactiveTree: TREE.map((node) => ({ ...node, xy: [1, 1] })) },
  ],
  ['waited in vain', 'unclear', {}, { action: 'wait()' }],
  ['still pending', 'unclear', { lastActionStatus: 'pending' }],
  [
    '[INT-252] a filtered tree proves no absence',
    'unclear',
    { dom_filtered: true, interactiveTree: TREE.slice(0, 1) },
  ],
  ['scrolled', 'passed', { scrollPosition: '40%' }, { action: 'scroll()', scrollPosition: '0%' }],
  ['the expected element appeared', 'passed', { interactiveTree: MORE }, { expected: appears }],
  [
    'something else appeared',
    'unclear',
    { interactiveTree: [...TREE, { i: '21', r: 'btn', n: 'Chat' }] },
    { expected: appears },
  ],
  ['expected, and nothing came', 'failed', {}, { expected: appears }],
  [
    'went where it was expected to',
    'passed',
    { url: CART },
    { expected: { type: 'navigation', to: '/cart' } },
  ],
  ['no change was expected', 'passed', {}, { expected: { type: 'no_change' } }],
  [
    'the field has the value',
    'passed',
    { interactiveTree: [{ i: '13', r: 'inp', n: 'Search', v: 'lamp' }] },
    { action: 'setValue(13, "lamp")' },
  ],
  [
    'the field has another value',
    'failed',
    { interactiveTree: [{ i: '13', r: 'inp', n: 'Search', v: 'la' }] },
    { action: 'setValue(13, "lamp")' },
  ],
  [
    'a secret is filled',
    'passed',
    { interactiveTree: [{ i: '13', r: 'inp', n: 'PIN', s: 'filled' }] },
    { action: 'setValue(13, "1234")' },
  ],
  ['the address is the one that was asked for', 'passed', { url: SHOP }, { action: `navigate("${SHOP}")` }],
];

test.each(ROWS)('%s: %s', (_name, outcome, request, last = {}) => {
  const verdict = judge({ ...CLICK, ...last }, onShop(request));
  expect(verdict.outcome, verdict.reasons.join('; ')).toBe(outcome);
  expect(verdict.reasons.length).toBeGreaterThan(0);
});
