import { isDeep } from '@drawbridge/testbed';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { describeHandMatrix } from '../../test/primitives/hand-matrix.contract.ts';
import {
  HOME,
  harnessInPage,
  openTabs,
  type PrimitiveHarness,
  type Tab,
} from '../../test/primitives/primitive-harness.ts';
import { fillByHand, handsOf } from '../call/fill-by-hand.ts';

const { show } = openTabs();

/** Fills as a call does. */
async function start(tab: Tab): Promise<PrimitiveHarness> {
  const driven = await drivenHarness(tab);
  const hands = handsOf(driven.host, new URL(HOME).origin, driven.runAny);
  const runAny: PrimitiveHarness['runAny'] = (name, args) =>
    name === 'element.fill' ? fillByHand(Object(args), hands) : driven.runAny(name, args);
  return { ...driven, runAny };
}

describeHandMatrix({ host: 'cdp', fidelity: 'trusted', show, start }, 0);
// The extension shows page script in npm test.
if (isDeep)
  describeHandMatrix(
    { ...{ host: 'direct', fidelity: 'synthetic', show }, start: (tab) => harnessInPage(tab, 'direct') },
    3,
  );
