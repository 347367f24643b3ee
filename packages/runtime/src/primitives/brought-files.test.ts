import { expect, test } from 'vitest';
import { createBroughtFiles } from './brought-files.ts';

const put = (attachment_id: string, part: number, text: string) => ({
  ...{ attachment_id, part, name: 'a.txt', type: 'text/plain' },
  base64: btoa(text),
});

test('[BRG-193] joins parts in order, and reads across them', async () => {
  const files = createBroughtFiles();
  expect([files.put(put('a', 0, 'abc')), files.put(put('a', 1, 'def'))]).toEqual([3, 6]);
  const file = files.open('a');
  expect(file).toMatchObject({ name: 'a.txt', type: 'text/plain', bytes: 6 });
  expect(new TextDecoder().decode(await file?.read(2, 3))).toBe('cde');
  files.put(put('a', 0, 'again'));
  expect(files.open('a')?.bytes).toBe(5);
  files.drop('a');
  expect(files.open('a')).toBeUndefined();
});

test('[BRG-193] refuses a part out of order, and what is no base64', () => {
  const files = createBroughtFiles();
  expect(() => files.put(put('a', 1, 'b'))).toThrow('Part 0 comes next');
  expect(() => files.put({ ...put('a', 0, ''), base64: '%' })).toThrow('not valid base64');
});

test('[BRG-193] drops the oldest file that waits for room, and refuses one that is too large', () => {
  const files = createBroughtFiles(10);
  files.put(put('left', 0, 'never'));
  files.put(put('other', 0, '12345'));
  expect(files.open('left')?.bytes).toBe(5);
  files.put(put('other', 1, '6'));
  expect(files.open('left')).toBeUndefined();
  expect(() => files.put(put('other', 2, '78901'))).toThrow('may have 10 bytes');
});
