import { Readable } from 'node:stream';
import { createControlPlane } from '@drawbridge/runtime';
import type { KnownTab } from '@drawbridge/runtime/cdp';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../command.ts';
import { lendTabs } from './tab-choice.ts';

const TABS: readonly KnownTab[] = [
  { kind: 'page', target_id: 't1', url: 'https://shop.example/cart', title: 'Your cart', lent: false },
  { kind: 'page', target_id: 't2', url: 'https://bank.example/', title: 'Accounts', lent: false },
  { kind: 'page', target_id: 't3', url: 'https://shop.example/', title: 'Lamps', lent: false },
];

/** Lent tabs and output for this input. */
async function lent(texts: readonly string[] | undefined, typed?: string, tabs = TABS) {
  const chosen: string[] = [];
  const lines: string[] = [];
  const stdin = Object.assign(Readable.from(typed === undefined ? [] : [typed]), {
    isTTY: typed !== undefined,
  });
  const terminal: Terminal = {
    stdin,
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
  };
  const host = {
    knownTabs: () => tabs,
    lend: async (id: string) => chosen.push(id),
    controlPlane: createControlPlane(['127.0.0.1:7717']),
  };
  const failed = await lendTabs(host, texts, terminal).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { chosen, lines: lines.join('\n'), failed };
}

describe('[BRG-131] a running browser', () => {
  test('lends only tabs matched by address or title', async () => {
    expect((await lent(['SHOP.example'])).chosen).toEqual(['t1', 't3']);
    expect((await lent(['accounts', 'lamps'])).chosen).toEqual(['t2', 't3']);
  });

  test('lends nothing if a text matches no tab, and lists the tabs', async () => {
    const { chosen, failed } = await lent(['shop', 'nowhere']);
    expect(chosen).toEqual([]);
    expect(failed).toContain('"nowhere"');
    expect(failed).toContain('Your cart');
  });

  test('a person chooses by number', async () => {
    const { chosen, lines } = await lent(undefined, '3, 1\n');
    expect(chosen).toEqual(['t3', 't1']);
    expect(lines).toContain('2  Accounts');
  });

  test.each(['\n', 'no\n', '9\n', ''])('%j lends nothing', async (typed) => {
    const { chosen, failed } = await lent(undefined, typed);
    expect(chosen).toEqual([]);
    expect(failed).toContain('No tab was lent');
  });

  test('lends nothing without a terminal', async () => {
    const { chosen, failed } = await lent(undefined);
    expect(chosen).toEqual([]);
    expect(failed).toContain('--lend');
  });

  test('a title cannot start a line', async () => {
    const title = 'Shop\n1  Bank\u001b[2K';
    const [first] = TABS;
    if (first === undefined) throw new Error('There are tabs.');
    const { lines } = await lent(undefined, '\n', [{ ...first, title }]);
    expect(lines).toContain('1  Shop 1  Bank\\u{1b}[2K');
  });
});
