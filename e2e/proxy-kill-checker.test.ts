import { expect, test } from 'vitest';
import { checkSends, type KillRun } from './proxy-kill.ts';

const RUN: KillRun = {
  texts: new Map([
    ['a', 'first'],
    ['b', 'second'],
    ['c', 'third'],
    ['d', 'fourth'],
  ]),
  outcomes: new Map([
    ['a', ['delivered']],
    ['b', ['delivered']],
    ['c', ['failed']],
    ['d', ['delivery_unknown']],
  ]),
  taken: ['first', 'second', 'fourth'],
};

test('the checker of the kill runs accepts a run without a fault', () => {
  expect(checkSends(RUN)).toEqual({ sends: 4, delivered: 2, failed: 1, delivery_unknown: 1, problems: [] });
});

test.each<[string, Partial<KillRun>, string]>([
  [
    'a lost send',
    { outcomes: new Map([...RUN.outcomes].filter(([id]) => id !== 'b')) },
    'lost: second has no outcome',
  ],
  [
    'a send that was injected twice',
    { taken: ['first', 'second', 'second', 'fourth'] },
    'doubled: the agent has second 2 times',
  ],
  [
    'a send with two outcomes',
    { outcomes: new Map(RUN.outcomes).set('b', ['delivered', 'failed']) },
    'doubled: second has the outcomes delivered, failed',
  ],
  ['two sends in another order', { taken: ['second', 'first', 'fourth'] }, 'reordered: first follows second'],
  [
    'a delivered send that was swallowed',
    { taken: ['first', 'fourth'] },
    'swallowed: the agent does not have second',
  ],
  [
    'a failed send that was injected',
    { taken: ['first', 'second', 'third', 'fourth'] },
    'failed: the agent has third',
  ],
  ['a text that nobody sent', { taken: ['first', 'second', 'fifth'] }, 'foreign: nobody sent fifth'],
])('the checker of the kill runs finds %s', (_fault, fault, problem) => {
  expect(checkSends({ ...RUN, ...fault }).problems).toEqual([problem]);
});
