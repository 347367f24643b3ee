import type { RuntimeView } from '@drawbridge/bridge';
import { expect, test } from 'vitest';
import { currentView, routeTo, tabLines } from './lent-tabs.ts';

const view = (runtime_id: string, url: string, runtime_key?: string): RuntimeView => ({
  runtime_id,
  ready: { type: 'runtime_ready', runtime_id, url, ...(runtime_key !== undefined && { runtime_key }) },
  liveness: 'awake',
});

test("routes by a tab's key, which survives a navigation", () => {
  const before = view('r1', 'https://shop.example/', 'k1');
  const route = routeTo('shop', [before, view('r2', 'https://bank.example/')]);
  expect(route.selectors).toEqual({ target: { runtime_key: 'k1' } });
  const after = view('r7', 'https://pay.example/', 'k1');
  expect(currentView(route, [view('r2', 'https://bank.example/'), after])).toBe(after);
});

test('routes by id without a key', () => {
  const only = view('r1', 'https://shop.example/');
  expect(routeTo(undefined, [only]).selectors).toEqual({ target_runtime_id: 'r1' });
  expect(currentView(routeTo(undefined, [only]), [])).toBe(only);
});

test('means the only tab with a page where none is named', () => {
  const empty = view('r2', 'about:blank');
  expect(routeTo(undefined, [empty, view('r1', 'https://shop.example/')]).view?.runtime_id).toBe('r1');
  expect(routeTo(undefined, [empty, view('r3', 'about:blank')]).view).toBeUndefined();
});

test('does not look for an id in urls', () => {
  const views = [view('shop', 'https://a.example/'), view('r2', 'https://shop.example/')];
  expect(routeTo('shop', views).view?.runtime_id).toBe('shop');
});

test('uses the latest url', () => {
  const moved: RuntimeView = {
    ...view('r1', 'https://shop.example/'),
    status: { type: 'runtime_status', runtime_id: 'r1', url: 'https://pay.example/' },
  };
  expect(routeTo('pay', [moved]).view).toBe(moved);
  expect(routeTo('shop', [moved]).view).toBeUndefined();
});

test('accepts the beginning of a long id while it is unique', () => {
  const one = view('runtime-df2db431-90b1-44c5-bf83-d94a33504f4f', 'https://shop.example/');
  const two = view('runtime-c7b8dd11-c491-472a-a926-97febb7d0f88', 'https://bank.example/');
  expect(tabLines([one, two])).toBe('df2d https://shop.example/\nc7b8 https://bank.example/');
  expect(routeTo('c7b8', [one, two]).view).toBe(two);
  const twin = view('runtime-df2d0000-90b1-44c5-bf83-d94a33504f4f', 'https://bank.example/');
  expect(tabLines([one, twin])).toContain(`${one.runtime_id} `);
  expect(routeTo('df2d', [one, twin]).view).toBeUndefined();
});
