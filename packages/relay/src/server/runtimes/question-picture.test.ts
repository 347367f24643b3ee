import type { RuntimeView } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { expect, test } from 'vitest';
import { pictureForQuestion } from './question-picture.ts';

const TAB: RuntimeView = {
  ...{ runtime_id: 'tab', liveness: 'awake' },
  ready: { type: 'runtime_ready', runtime_id: 'tab', url: 'https://shop.example/', title: 'Shop' },
};

test('a tab that answers with something else than a picture has none', async () => {
  const call = () => ({ call_id: 'c', output: Promise.resolve({ image: '<svg>' }), cancel() {} });
  const options = { bridge: { call }, clock: systemClock };
  expect(await pictureForQuestion(options, TAB, undefined)).toBeUndefined();
});
