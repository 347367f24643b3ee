import type { State } from '@drawbridge/protocol/manifest';
import { describe, expect, test } from 'vitest';
import { fakePage } from '../../test/state/fake-page.ts';
import { currentStates, diagnose } from './diagnosis.ts';

const URL_HERE = 'https://shop.test/search?q=tea';
const state = (name: string, targets: readonly object[], observables: string[] = []): State => ({
  name,
  diagnostics: targets.map((target, index) => ({ name: `d${index}`, target })),
  observables,
});

const currentOf = async (states: State[], elements: Record<string, number | Error>) => {
  const names = states.map(({ name }) => name);
  return [...currentStates(await diagnose(states, names, fakePage(URL_HERE, elements)))];
};

describe('current states', () => {
  test('[MAN-151] a state is current when all of its diagnostics hold', async () => {
    const states = [state('both', [{ selector: 'a' }, { selector: 'b' }])];
    expect(await currentOf(states, { a: 1, b: 2 })).toEqual(['both']);
    expect(await currentOf(states, { a: 1 })).toEqual([]);
    expect(await currentOf(states, {})).toEqual([]);
  });

  test('[MAN-151] a state without diagnostics is never current', async () => {
    expect(await currentOf([state('none', []), { name: 'absent' }], { a: 1 })).toEqual([]);
  });

  test('[MAN-151] a state with an empty or failing diagnostic is never current', async () => {
    expect(await currentOf([{ name: 'blank', diagnostics: [{ name: 'd' }] }], {})).toEqual([]);
    expect(await currentOf([state('empty', [{}])], {})).toEqual([]);
    expect(await currentOf([state('broken', [{ selector: 'a' }])], { a: new Error('gone') })).toEqual([]);
  });

  test('[MAN-133] url_contains and url_matches restrict a target to matching urls', async () => {
    const on = (target: object) => currentOf([state('s', [target])], { a: 1 });
    expect(await on({ selector: 'a', url_contains: '/search' })).toEqual(['s']);
    expect(await on({ selector: 'a', url_contains: '/cart' })).toEqual([]);
    expect(await on({ selector: 'a', url_matches: '/search\\?q=\\w+$' })).toEqual(['s']);
    expect(await on({ selector: 'a', url_matches: '^/search' })).toEqual([]);
    expect(await on({ selector: 'a', url_contains: '/search', url_matches: '/cart' })).toEqual([]);
  });

  test('[MAN-133] a target without an element needs only its url, and the page is not probed', async () => {
    const page = fakePage(URL_HERE);
    const states = [
      state('here', [{ url_contains: '/search' }]),
      state('there', [{ selector: 'a', url_contains: '/x' }]),
    ];
    expect([...currentStates(await diagnose(states, ['here', 'there'], page))]).toEqual(['here']);
    expect(page.asked).toEqual([]);
  });

  test('[MAN-35] a pattern that backtracks elsewhere is matched in linear time, or not at all', async () => {
    const url = `https://shop.test/${'a'.repeat(5_000)}!`;
    for (const url_matches of ['(a+)+$', '(a|a)*b$', '(?=a)a', '(']) {
      const states = [state('s', [{ url_matches }])];
      expect([...currentStates(await diagnose(states, ['s'], fakePage(url)))]).toEqual([]);
    }
  });

  test('[MAN-134] a target with a state matches only while that state is current', async () => {
    const states = [state('ready', [{ selector: 'a' }]), state('done', [{ selector: 'b', state: 'ready' }])];
    expect(await currentOf(states, { a: 1, b: 1 })).toEqual(['ready', 'done']);
    expect(await currentOf(states, { b: 1 })).toEqual([]);
    expect(await currentOf([state('s', [{ selector: 'a', state: 'unknown' }])], { a: 1 })).toEqual([]);
  });

  test('[MAN-134] states that require each other in a cycle are not current', async () => {
    const ring = [
      state('a', [{ selector: 'a', state: 'b' }]),
      state('b', [{ selector: 'a', state: 'c' }]),
      state('c', [{ selector: 'a', state: 'a' }]),
      state('outside', [{ selector: 'a', state: 'a' }]),
      state('free', [{ selector: 'a' }]),
    ];
    expect(await currentOf(ring, { a: 1 })).toEqual(['free']);
    expect(await currentOf(ring.toReversed(), { a: 1 })).toEqual(['free']);
  });

  test('only the requested states and the states that they require are probed', async () => {
    const page = fakePage(URL_HERE, { a: 1, b: 1, c: 1 });
    const states = [
      state('a', [{ selector: 'a' }]),
      state('b', [{ selector: 'b', state: 'a' }]),
      state('c', [{ selector: 'c' }]),
    ];
    expect([...(await diagnose(states, ['b', 'unheard-of'], page)).keys()]).toEqual(['a', 'b']);
    expect(page.asked).toEqual(['a', 'b']);
  });
});

describe('observables', () => {
  const observed = async (one: State, elements: Record<string, object>) =>
    (await diagnose([one], [one.name], fakePage(URL_HERE, elements))).get(one.name)?.observables;

  test('[MAN-152] diagnosing a state reports every observable that it declares', async () => {
    const one = state(
      'results',
      [{ selector: 'li' }],
      ['result_count', 'result_text', 'list_visible', 'url', 'mood'],
    );
    expect(await observed(one, { li: { count: 3, text: 'Tea' } })).toEqual({
      result_count: 3,
      result_text: 'Tea',
      list_visible: true,
      url: URL_HERE,
      mood: null,
    });
    expect(await observed(one, { li: { count: 0, visible: false } })).toMatchObject({
      result_count: 0,
      result_text: null,
      list_visible: false,
    });
  });

  test('[MAN-152] among several diagnostics only the named one is used', async () => {
    const one = state('two', [{ selector: 'a' }, { selector: 'b' }], ['d1_count', 'other_count']);
    expect(await observed(one, { a: { count: 1 }, b: { count: 7 } })).toEqual({
      d1_count: 7,
      other_count: null,
    });
  });

  test('[MAN-152] a state that declares none reports none', async () => {
    expect(await observed(state('s', [{ selector: 'a' }]), {})).toEqual({});
  });
});
