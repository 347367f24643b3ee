import { expect, test } from 'vitest';
import { TabState } from './tab-state.ts';

const URL = 'https://shop.example/';

test('[BRG-33] keeps a title that came before the answer in which the document was ready', () => {
  const state = new TabState<string>(() => true);
  state.began('1');
  state.moved({ title: 'New' });
  state.ready('world', { url: URL, title: 'Old' });
  expect(state.surface()).toEqual({ url: URL, title: 'New', active: true });
});

test('[BRG-33] takes the title of the next document from that document', () => {
  const state = new TabState<string>(() => true);
  state.began('1');
  state.ready('world', { url: URL, title: 'One' });
  state.moved({ title: 'One, changed' });
  state.began('2');
  state.ready('world', { url: URL, title: 'Two' });
  expect(state.surface().title).toBe('Two');
});
