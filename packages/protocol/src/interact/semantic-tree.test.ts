import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { accepted, fieldTakes, put, refusal, requiredFields, without } from '../../test/wire/parse.ts';
import { flag, id, listOf, number, text, wholeFrom } from '../../test/wire/values.ts';
import { findMismatch } from '../wire/mismatch.ts';
import { interactRequest } from './protocol.ts';
import { SemanticPage } from './semantic-tree.ts';

const v3 = {
  i: '5',
  r: 'inp',
  n: 'Full name',
  v: 'Ada',
  s: 'focused',
  xy: [200, 150],
  box: [100, 140, 200, 30],
  scr: { depth: '10%', h: true },
  occ: false,
  f: 2,
};

const v2 = {
  id: '5',
  role: 'textbox',
  name: 'Full name',
  value: 'Ada',
  state: 'focused',
  type: 'text',
  placeholder: 'Your name',
  href: '/name',
  isInShadow: false,
  frameId: 0,
  bounds: { x: -1.5, y: 140, width: 200, height: 30 },
};

const request = { url: 'about:blank', query: 'Type', dom: '', interactiveTree: [v3], semanticNodes: [v2] };

const takes = (path: string, values: Parameters<typeof fieldTakes>[3]) =>
  fieldTakes(interactRequest, request, path, values);

const inV3 = (field: string) => `interactiveTree[0].${field}`;
const inV2 = (field: string) => `semanticNodes[0].${field}`;

test('[INT-32] [INT-35] [INT-36] [INT-37] exactly these fields of a node are required', () => {
  requiredFields(interactRequest, request, [
    'url',
    'query',
    ...['i', 'r', 'n', 'scr.depth', 'scr.h'].map(inV3),
    ...['id', 'role', 'name', 'bounds.x', 'bounds.y', 'bounds.width', 'bounds.height'].map(inV2),
  ]);
});

test('[INT-32] a V3 node has an id, a role and a name, which may be empty', () => {
  takes(inV3('i'), id);
  takes(inV3('r'), { good: ['btn', 'progressbar'], bad: [7, null] });
  takes(inV3('n'), text);
});

test('[INT-33] a V3 node may have a value, a state, a frame, and be covered', () => {
  takes(inV3('v'), text);
  takes(inV3('s'), text);
  takes(inV3('occ'), flag);
  takes(inV3('f'), wholeFrom(0));
});

test('[INT-34] xy is two numbers and box is four', () => {
  takes(inV3('xy'), {
    good: [
      [0, 0],
      [-1.5, 1e4],
    ],
    bad: [[], [1], [1, 2, 3], '1,2', { x: 1, y: 2 }, null],
  });
  takes(inV3('box'), { good: [[0, 0, 0, 0]], bad: [[1, 2], [1, 2, 3], [1, 2, 3, 4, 5], null] });
  takes(inV3('xy[1]'), number);
  takes(inV3('box[3]'), number);
});

test('[INT-35] scr has depth and h', () => {
  takes(inV3('scr.depth'), { good: ['0%', '100%'], bad: [10, null] });
  takes(inV3('scr.h'), flag);
  takes(inV3('scr'), { good: [], bad: ['10%', null, []] });
});

test('[INT-36] a V2 node has an id, a role and a name', () => {
  takes(inV2('id'), id);
  takes(inV2('role'), { good: ['button'], bad: [7, null] });
  takes(inV2('name'), text);
});

test('[INT-37] a V2 node may have its details and its position', () => {
  for (const field of ['value', 'state', 'type', 'placeholder', 'href']) takes(inV2(field), text);
  takes(inV2('isInShadow'), flag);
  takes(inV2('frameId'), wholeFrom(0));
  for (const side of ['x', 'y', 'width', 'height']) takes(inV2(`bounds.${side}`), number);
});

const snapshot = {
  mode: 'semantic',
  url: 'https://shop.example/',
  title: 'Shop',
  interactive_tree: [v3],
  viewport: { width: 1280, height: 800 },
  scrollPosition: '25%',
  scrollableContainers: [{ id: 'cart', depth: '0%', hasMore: true }],
  recentEvents: ['Added: "Saved"'],
  hasErrors: false,
  hasSuccess: true,
};

test('[INT-38] a page snapshot has mode, url, title and interactive_tree', () => {
  expect(Check(SemanticPage, snapshot)).toBe(true);
  const required = ['mode', 'url', 'title', 'interactive_tree'];
  for (const field of Object.keys(snapshot)) {
    const rest = without(snapshot, field);
    expect(Check(SemanticPage, rest), field).toBe(!required.includes(field));
    if (required.includes(field)) expect(findMismatch(SemanticPage, rest).path).toBe(field);
  }
  const wrong = {
    mode: 'full',
    'interactive_tree[0].r': 7,
    'viewport.width': '1280',
    scrollPosition: 25,
    'scrollableContainers[0].hasMore': 'yes',
    'recentEvents[0]': 7,
    hasErrors: 'no',
    hasSuccess: 1,
  };
  for (const [path, value] of Object.entries(wrong)) {
    const page = put(snapshot, path, value);
    expect(Check(SemanticPage, page), path).toBe(false);
    expect(findMismatch(SemanticPage, page).path).toBe(path);
  }
});

test('[INT-38] in a request, the names of a snapshot are unknown fields', () => {
  const asked = { ...snapshot, query: 'Type' };
  expect(refusal(interactRequest, asked)).toMatchObject({ code: 'invalid_request', path: 'interactiveTree' });
  const both = { ...asked, mode: 7, interactive_tree: 'none', interactiveTree: [v3] };
  expect(accepted(interactRequest, both)).toEqual(both);
  fieldTakes(interactRequest, both, 'interactiveTree', listOf(v3));
});
