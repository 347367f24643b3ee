import { expect, test } from 'vitest';
import { reportOf } from './effect-lines.ts';

const report = (effect: object, id = '1') => reportOf('click', { id }, { ok: true, effect });

test('a step that changed a count in the name of its element may be repeated', () => {
  const effect = { happened: true, changed: [{ i: '1', n: 'Like 4' }], recounted: ['1'] };
  expect(report(effect).renamed).toEqual([]);
  expect(report(effect, '2').renamed).toEqual(['1']);
  expect(report({ ...effect, recounted: [] }).renamed).toEqual(['1']);
});

test('leaves out a message around a listed change', () => {
  const seen = ['text: 3 claps → 4 claps'];
  const messages = ['Post A 4 claps', 'Saved'];
  expect(report({ happened: true, changed: [], seen, messages }).lines).toEqual([...seen, 'says: Saved']);
});
