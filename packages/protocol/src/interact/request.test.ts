import { expect, test } from 'vitest';
import { REQUEST_SAMPLES } from '../../test/interact/samples.ts';
import {
  accepted,
  fieldsOf,
  fieldTakes,
  put,
  refusal,
  refusalOfText,
  requiredFields,
} from '../../test/wire/parse.ts';
import { flag, listOf, number, oneOf, text, textUpTo, wholeFrom } from '../../test/wire/values.ts';
import { isObject } from '../wire/json-text.ts';
import { interactRequest } from './protocol.ts';

const { interact_request: full } = REQUEST_SAMPLES;
const page = { interactiveTree: [], dom: '<p>' };
const plain = { url: 'https://shop.example/', query: 'Buy a mug', ...page };

/** Beside `url` and `query`, exactly these fields of the part are required. */
const requestRequires = (part: object, fields: readonly string[]) =>
  requiredFields(interactRequest, { ...plain, ...part }, ['url', 'query', ...fields]);

const takes = (path: string, values: Parameters<typeof fieldTakes>[3]) =>
  fieldTakes(interactRequest, full, path, values);

const refusedAt = (path: string) => ({ code: 'invalid_request', path });

test('[INT-01] a request is one JSON object with url and query', () => {
  requestRequires({}, []);
  for (const body of ['', 'url=x', '[]', 'null', '"https://shop.example/"'])
    expect(refusalOfText(interactRequest, body)).toMatchObject(refusedAt(''));
  takes('url', { good: [], bad: [7, null, ['https://shop.example/']] });
  takes('query', { good: ['Buy a mug'], bad: [7, null, ['Buy']] });
});

test.each(['url', 'previousUrl'])('[INT-02] %s is an absolute URL of any scheme', (path) => {
  takes(path, {
    good: [
      'https://shop.example/a?b#c',
      'chrome://settings',
      'about:blank',
      'file:///tmp/a',
      'data:text/html,x',
    ],
    bad: ['', '/cart', 'cart', './cart', '//shop.example/', '?q=1', ' https://shop.example/', '1https://x'],
  });
});

test('[INT-03] domMode is one of four', () => {
  takes('domMode', oneOf('semantic', 'skeleton', 'hybrid', 'full'));
  expect(accepted(interactRequest, plain)).not.toHaveProperty('domMode');
});

test('[INT-04] the optional strings and the tab number may be left out', () => {
  const { taskId, sessionId, tabId, domain, title, previousUrl, pageTitle } = full;
  const { scrollPosition, dom, skeletonDom, screenshotHash } = full;
  const strings = {
    taskId,
    sessionId,
    domain,
    title,
    previousUrl,
    pageTitle,
    scrollPosition,
    dom,
    skeletonDom,
  };
  requestRequires({ ...strings, screenshotHash, tabId }, []);
  for (const path of [...Object.keys(strings), 'screenshotHash'])
    takes(path, { good: [], bad: [7, true, null, ['text'], {}] });
  takes('tabId', { good: [1, 123_456], bad: ['1', true, null] });
});

test('[INT-05] skeletonDom and screenshotHash have limits', () => {
  takes('skeletonDom', textUpTo(100_000));
  takes('screenshotHash', textUpTo(256));
});

test('[INT-06] screenshot is bare base64 of at most 2,000,000 characters, or null', () => {
  requestRequires({ screenshot: 'AAAA' }, []);
  takes('screenshot', {
    good: [null, '', 'AAAA', '/9j/4A+Q', 'QUI=', 'QQ==', 'A'.repeat(2_000_000)],
    bad: ['A'.repeat(2_000_001), 'data:image/jpeg;base64,/9j/', 'AA AA', 'AA\nAA', 'A===', '<svg>', 7, {}],
  });
});

test.each(['taskId', 'sessionId'])('[INT-07] %s is any safe string', (path) => {
  takes(path, {
    good: ['e49abedb-f50c-45d2-bf81-62662b6a038e', 'abc-123', 'A.b_c:1', 'x'.repeat(200)],
    bad: ['', 'x'.repeat(201), 'a b', 'a/b', '../a', 'a\n', 'å', 7],
  });
});

test('[INT-08] the trees are lists of nodes, and an error has the index', () => {
  takes('interactiveTree', listOf({ i: '1', r: 'btn', n: 'Buy' }));
  takes('semanticNodes', listOf({ id: '1', role: 'button', name: 'Buy' }));
  const places = [
    ['interactiveTree[2]', 'r'],
    ['semanticNodes[0]', 'role'],
  ];
  for (const [node, field] of places)
    expect(refusal(interactRequest, put(full, `${node}.${field}`, 7))).toMatchObject(
      refusedAt(`${node}.${field}`),
    );
});

test('[INT-09] lastActionStatus is one of three', () => {
  requestRequires({ lastActionStatus: 'pending' }, []);
  takes('lastActionStatus', oneOf('success', 'failure', 'pending'));
});

test('[INT-10] lastActionError has message, code and action, and may name an element', () => {
  const { lastActionError } = full;
  requestRequires(
    { lastActionError },
    ['message', 'code', 'action'].map((field) => `lastActionError.${field}`),
  );
  for (const field of ['message', 'code', 'action'])
    takes(`lastActionError.${field}`, { good: ['words'], bad: [7, null, {}] });
  takes('lastActionError.elementId', { good: [98, '98', '2-98'], bad: [true, null, [98]] });
  takes('lastActionError', { good: [], bad: ['not found', null, []] });
});

test('[INT-11] lastActionResult has success, and may have actualState', () => {
  requestRequires({ lastActionResult: full.lastActionResult }, ['lastActionResult.success']);
  takes('lastActionResult.success', flag);
  takes('lastActionResult.actualState', text);
});

test('[INT-12] clientObservations are three optional booleans', () => {
  requestRequires({ clientObservations: full.clientObservations }, []);
  for (const field of ['didNetworkOccur', 'didDomMutate', 'didUrlChange'])
    takes(`clientObservations.${field}`, flag);
  takes('clientObservations', { good: [{}], bad: [true, null, []] });
});

test('[INT-13] clientVerification has elementFound, and may have three more', () => {
  requestRequires({ clientVerification: full.clientVerification }, ['clientVerification.elementFound']);
  takes('clientVerification.elementFound', flag);
  takes('clientVerification.urlChanged', flag);
  takes('clientVerification.selector', text);
  takes('clientVerification.timestamp', number);
});

test('[INT-14] viewport has width and height', () => {
  requestRequires({ viewport: full.viewport }, ['viewport.width', 'viewport.height']);
  for (const side of ['width', 'height'])
    takes(`viewport.${side}`, { good: [0, 1280, 799.5], bad: ['800', null] });
});

test('[INT-15] a scrollable container has id, depth and hasMore', () => {
  const { scrollableContainers } = full;
  requestRequires(
    { scrollableContainers },
    ['id', 'depth', 'hasMore'].map((field) => `scrollableContainers[0].${field}`),
  );
  takes('scrollableContainers', listOf({ id: 'cart', depth: '0%', hasMore: true }));
  takes('scrollableContainers[0].id', { good: ['cart'], bad: [7, null] });
  takes('scrollableContainers[0].depth', { good: ['100%'], bad: [100, null] });
  takes('scrollableContainers[0].hasMore', flag);
});

test('[INT-16] recentEvents are strings, and hasErrors and hasSuccess booleans', () => {
  const { recentEvents, hasErrors, hasSuccess } = full;
  requestRequires({ recentEvents, hasErrors, hasSuccess }, []);
  takes('recentEvents', listOf('Added: "Saved"'));
  takes('recentEvents[0]', { good: ['[3s ago] Added: "Saved"', 'Saved', ''], bad: [7, null, {}] });
  takes('hasErrors', flag);
  takes('hasSuccess', flag);
});

test('[INT-17] the verification fields are optional, each with its type', () => {
  const { verification_passed, verification_message, errors_detected, success_messages } = full;
  requestRequires({ verification_passed, verification_message, errors_detected, success_messages }, []);
  takes('verification_passed', flag);
  takes('verification_message', text);
  for (const path of ['errors_detected', 'success_messages']) {
    takes(path, listOf('Invalid ZIP code'));
    takes(`${path}[0]`, { good: ['Saved'], bad: [7, null] });
  }
});

test('[INT-18] the filter fields are optional, each with its type', () => {
  const { dom_filtered, filter_reason, original_node_count, token_reduction } = full;
  requestRequires({ dom_filtered, filter_reason, original_node_count, token_reduction }, []);
  takes('dom_filtered', flag);
  takes('filter_reason', text);
  for (const path of ['original_node_count', 'token_reduction'])
    takes(path, { good: [0, 50], bad: ['50', null] });
});

const absolute = (length: number) => `https://shop.example/${'x'.repeat(length - 21)}`;

test('[INT-19] text has limits', () => {
  takes('query', textUpTo(10_000, 1));
  takes('dom', textUpTo(1_000_000));
  for (const path of ['url', 'previousUrl']) takes(path, { good: [absolute(8_192)], bad: [absolute(8_193)] });
  for (const path of ['pageTitle', 'title', 'verification_message']) takes(path, textUpTo(500));
  takes('domain', textUpTo(255));
  takes('filter_reason', textUpTo(200));
  takes('scrollPosition', textUpTo(10));
});

test.each([
  ['recentEvents', 20],
  ['errors_detected', 10],
  ['success_messages', 10],
])('[INT-20] %s has at most %i entries of 200 characters', (path, most) => {
  takes(path, { good: [Array(most).fill('Saved')], bad: [Array(most + 1).fill('Saved')] });
  takes(`${path}[0]`, textUpTo(200));
});

test('[INT-21] numbers have limits', () => {
  takes('tabId', wholeFrom(1));
  takes('original_node_count', wholeFrom(0));
  takes('token_reduction', { good: [0, 99.9, 100], bad: [-0.1, 100.1] });
  for (const path of ['lastActionError.elementId', 'chainActionError.elementId'])
    takes(path, { good: [1, 42, 'x'], bad: [0, -1, 1.5, ''] });
});

test('[INT-22] a client that ran several actions may send its progress', () => {
  const { lastExecutedActionIndex, chainPartialState, chainActionError } = full;
  requestRequires({ lastExecutedActionIndex, chainPartialState, chainActionError }, [
    'chainPartialState.executedActions',
    'chainPartialState.totalActionsInChain',
    ...['action', 'message', 'code', 'failedIndex'].map((field) => `chainActionError.${field}`),
  ]);
  takes('lastExecutedActionIndex', wholeFrom(0));
  takes('chainPartialState.executedActions', listOf('click(1)'));
  takes('chainPartialState.totalActionsInChain', wholeFrom(0));
  takes('chainPartialState.domAfterLastSuccess', text);
  takes('chainActionError.failedIndex', wholeFrom(0));
  takes('chainError.failedIndex', wholeFrom(0));
});

test('[INT-23] features are strings', () => {
  requestRequires({ features: ['unchanged_page'] }, []);
  takes('features', listOf('unchanged_page'));
  takes('features[0]', { good: ['diff'], bad: [7, null] });
});

test('[INT-282] tools are actions of a map: a name and optional details', () => {
  requestRequires({ tools: full.tools }, ['tools[0].name']);
  takes('tools', {
    good: [[], Array(500).fill({ name: 'a' })],
    bad: [Array(501).fill({ name: 'a' }), {}, null],
  });
  takes('tools[0].name', { good: ['cart.add'], bad: ['', 7, null] });
  takes('tools[0].description', textUpTo(2_000));
  takes('tools[0].inputSchema', { good: [{}, { type: 'object' }], bad: ['object', [], null] });
  takes('tools[0].effect', oneOf('read', 'act', 'irreversible'));
});

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withUnknownFields(field)]);
  return { ...Object.fromEntries(fields), xNew: { deep: [null] }, URL: 7, tabID: 'no number', I: null };
}

test('[INT-24] unknown fields and other casings are ignored at every depth', () => {
  const request = withUnknownFields(full);
  expect(accepted(interactRequest, request)).toEqual(request);
  const { url, ...rest } = plain;
  expect(refusal(interactRequest, { ...rest, URL: url, Url: url })).toMatchObject(refusedAt('url'));
});

test.each(fieldsOf(full))('[INT-25] null in %s is refused, but for a screenshot', (path) => {
  const request = put(full, path, null);
  if (path === 'screenshot') expect(accepted(interactRequest, request)).toEqual(request);
  else expect(refusal(interactRequest, request)).toMatchObject(refusedAt(path));
});

test('[INT-26] a body over 4 MiB or 64 levels is refused before it is parsed, and no prototype changes', () => {
  const short = JSON.stringify({ ...plain, x: '' });
  const longest = short.replace('"x":""', `"x":"${'y'.repeat(4_194_304 - short.length)}"`);
  expect(longest).toHaveLength(4_194_304);
  expect(interactRequest.parse(longest)).toMatchObject(plain);
  expect(refusalOfText(interactRequest, `${longest} `)).toMatchObject(refusedAt(''));
  const deep = (levels: number) => short.replace('""', '['.repeat(levels - 1) + ']'.repeat(levels - 1));
  expect(interactRequest.parse(deep(64))).toMatchObject(plain);
  expect(refusalOfText(interactRequest, deep(65))).toMatchObject(refusedAt(''));
  expect(refusalOfText(interactRequest, '['.repeat(65)).message).toContain('deeper than 64 levels');
  const attack = short.replace('"x":""', '"x":{"__proto__":{"polluted":true}}');
  expect(refusalOfText(interactRequest, attack)).toMatchObject(refusedAt('x.__proto__'));
  expect({}).not.toHaveProperty('polluted');
});

const { url, query } = plain;
const tree = { interactiveTree: [{ i: '1', r: 'btn', n: 'Buy' }] };
const nodes = { semanticNodes: [{ id: '1', role: 'button', name: 'Buy' }] };
const dom = { dom: '<p>' };
const skeletonDom = { skeletonDom: '<button>' };
const screenshot = { screenshot: 'AAAA' };

/** For each mode: accepted forms of the page, refused ones, and the path of the error. */
const MODES = [
  {
    rule: '[INT-28] a request without domMode',
    mode: {},
    enough: [tree, nodes, dom, skeletonDom, { interactiveTree: [] }],
    tooLittle: [{}, screenshot, { screenshot: null }],
    path: 'interactiveTree',
  },
  {
    rule: '[INT-28] [INT-29] a semantic request',
    mode: { domMode: 'semantic' },
    enough: [tree, nodes, dom, { interactiveTree: [] }, { semanticNodes: [], ...dom }],
    tooLittle: [{}, screenshot, skeletonDom, { ...skeletonDom, ...screenshot }],
    path: 'interactiveTree',
  },
  {
    rule: '[INT-28] [INT-30] a full request',
    mode: { domMode: 'full' },
    enough: [dom, { ...dom, ...tree }],
    tooLittle: [{}, screenshot, { dom: '' }, tree, nodes, skeletonDom],
    path: 'dom',
  },
  ...['skeleton', 'hybrid'].map((domMode) => ({
    rule: `[INT-28] [INT-31] a ${domMode} request`,
    mode: { domMode },
    enough: [skeletonDom, dom, { ...skeletonDom, ...screenshot }, { ...skeletonDom, screenshot: null }],
    tooLittle: [{}, screenshot, tree, nodes],
    path: 'skeletonDom',
  })),
];

test.each(MODES)('$rule shows the page in its own form', ({ mode, enough, tooLittle, path }) => {
  for (const shown of enough) {
    const request = { url, query, ...mode, ...shown };
    expect(accepted(interactRequest, request)).toEqual(request);
  }
  for (const shown of tooLittle)
    expect(refusal(interactRequest, { url, query, ...mode, ...shown })).toMatchObject(refusedAt(path));
});
