/** Good and bad values of each common kind of field: the last argument of `fieldTakes`. */
export interface Values {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const NO_TEXT = [7, true, null, ['text'], { text: 'text' }];

export const text: Values = { good: ['', 'some words', 'Ærøskøbing 日本 🦀'], bad: NO_TEXT };

/** Text with a maximum length; with a minimum of 1 it may not be empty. */
export const textUpTo = (most: number, least: 0 | 1 = 0): Values => ({
  good: ['a', 'x'.repeat(most), ...(least === 0 ? [''] : [])],
  bad: [...NO_TEXT, 'x'.repeat(most + 1), ...(least === 0 ? [] : [''])],
});

export const id = textUpTo(256, 1);
export const label = textUpTo(4_096);

export const time: Values = {
  good: ['2026-03-19T10:15:30.000Z', '2026-12-31T23:59:59Z', '2026-03-19T10:15:30.123456+00:00'],
  bad: [
    1_773_915_330_000,
    null,
    '',
    'yesterday',
    '2026-03-19',
    '2026-03-19 10:15:30Z',
    '2026-03-19T10:15:30',
    '2026-03-19T10:15:30+02:00',
    '2026-13-19T10:15:30Z',
    '2026-03-19T24:15:30Z',
    'on 2026-03-19T10:15:30Z',
    '2026-03-19T10:15:30Z\n',
  ],
};

export const flag: Values = { good: [true, false], bad: ['true', 1, 0, null] };

export const number: Values = { good: [0, -1.5, 1e9], bad: ['1', true, null, [1]] };

export const wholeFrom = (least: number): Values => ({
  good: [least, least + 1, 2 ** 40],
  bad: [least - 1, least + 0.5, String(least), true, null],
});

const swapCase = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();

export const oneOf = (...words: readonly string[]): Values => ({
  good: words,
  bad: [
    '',
    'other',
    words.join(),
    ...words.map((word) => `${word}s`),
    words[0] && swapCase(words[0]),
    1,
    null,
  ],
});

/** Fixed words in a field that also reads words of newer peers, as one of the fixed ones. */
export const openWords = (...words: readonly string[]): Values => ({
  good: words,
  bad: ['', 1, null, [words[0]], 'x'.repeat(257)],
});

export const object: Values = { good: [{}, { any: ['thing'] }], bad: ['text', 7, null, [], true] };

export const listOf = (item: unknown): Values => ({
  good: [[], [item], [item, item]],
  bad: [item, 'text', null, { length: 0 }],
});
