import { isDeep } from '@drawbridge/testbed';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { describeHands } from '../../test/primitives/hands.contract.ts';
import { harnessInPage, openTabs } from '../../test/primitives/primitive-harness.ts';

const { show } = openTabs();

describeHands({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness });

// The extension host shows synthetic input in npm test.
if (isDeep) {
  describeHands({
    host: 'direct',
    fidelity: 'synthetic',
    show,
    start: (tab) => harnessInPage(tab, 'direct'),
  });
}
