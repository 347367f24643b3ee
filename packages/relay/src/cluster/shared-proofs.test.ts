import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalBus } from '../../test/core/local-bus.ts';
import { newSigner } from '../../test/devices/paired-browser.ts';
import { keyObjectOf } from '../devices/browser-key.ts';
import { createProofs, parseProof } from '../devices/proof.ts';
import { shareProofs } from './shared-proofs.ts';

test('a proof that one node has accepted is refused by every other', () => {
  const clock = createFakeClock();
  const bus = createLocalBus();
  const { key, proof } = newSigner(clock.now);
  const nodes = ['a', 'b', 'c'].map((node_id) => {
    const shared = shareProofs({ bus, node_id });
    onTestFinished(shared.close);
    return createProofs(clock, shared);
  });
  const asked = { method: 'GET', path: '/ws/chat' };
  for (const first of nodes) {
    const shown = parseProof(proof(asked.method, asked.path, { name: 'dbn_x' }));
    if (shown === undefined) throw new Error('no proof');
    const verdicts = [first, ...nodes].map((node) => node.check(shown, asked, 'phone', keyObjectOf(key)));
    expect(verdicts).toEqual(['good', 'bad', 'bad', 'bad']);
  }
});
