import { expect, test } from 'vitest';
import type { PanelMessage } from './panel-view.ts';
import { TranscriptFold } from './transcript-fold.ts';

function createFold() {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `m${ids}`;
  };
  return new TranscriptFold({ now: () => 0, newId });
}

const user = (text: string): PanelMessage => ({ role: 'user', text });
const agent = (text: string): PanelMessage => ({ role: 'assistant', text });
const idsIn = (delivered: ReturnType<TranscriptFold['take']>) =>
  delivered.map(({ message_id, content }) => [message_id, content]);

test('keeps the id of a growing answer, and sends only changes', () => {
  const fold = createFold();
  expect(idsIn(fold.take([user('hi'), agent('He')]))).toEqual([
    ['m1', 'hi'],
    ['m2', 'He'],
  ]);
  expect(idsIn(fold.take([user('hi'), agent('Hello')]))).toEqual([['m2', 'Hello']]);
  expect(fold.take([user('hi'), agent('Hello')])).toEqual([]);
});

test('continues a list that shows only its end', () => {
  const fold = createFold();
  fold.take([user('a'), agent('1'), user('b'), agent('2')]);
  expect(idsIn(fold.take([user('b'), agent('2'), user('c')]))).toEqual([['m5', 'c']]);
  expect(fold.take([agent('2'), user('c')])).toEqual([]);
});

test("prefers the panel's own keys", () => {
  const fold = createFold();
  fold.take([{ ...agent('draft'), key: 't1:1' }]);
  expect(idsIn(fold.take([{ ...agent('written anew'), key: 't1:1' }]))).toEqual([['m1', 'written anew']]);
});

test('starts over for another conversation', () => {
  const fold = createFold();
  fold.take([user('a'), agent('1')]);
  expect(fold.take([])).toEqual([]);
  expect(idsIn(fold.take([user('a')]))).toEqual([['m3', 'a']]);
});

test('[CHT-165] drops the echo of a remote send once, however it is rendered', () => {
  const fold = createFold();
  fold.expect('two\nlines');
  expect(fold.take([user('two lines')])).toEqual([]);
  expect(idsIn(fold.take([user('two lines'), agent('x'), user('two lines')]))).toEqual([
    ['m2', 'x'],
    ['m3', 'two lines'],
  ]);
});

test('a failed send leaves no expected echo', () => {
  const fold = createFold();
  fold.expect('again')();
  expect(idsIn(fold.take([user('again')]))).toEqual([['m1', 'again']]);
});

test('skips known messages, and sends those after them', () => {
  const fold = createFold();
  expect(fold.take([user('before'), agent('then')], true)).toEqual([]);
  expect(idsIn(fold.take([user('before'), agent('then'), user('now')]))).toEqual([['m3', 'now']]);
});

test('thoughts and tools keep their structure', () => {
  const delivered = createFold().take([
    { ...agent('hm'), kind: 'thought' },
    { ...agent('Edit notes.txt'), kind: 'tool_call', result: 'done' },
  ]);
  expect(delivered).toMatchObject([
    { content: 'hm', details: { kind: 'thought' } },
    {
      content: 'Edit notes.txt\ndone',
      details: { kind: 'tool_call', title: 'Edit notes.txt', status: 'completed', output: 'done' },
    },
  ]);
});
