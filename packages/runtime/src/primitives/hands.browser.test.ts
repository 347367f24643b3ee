import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { describeHands } from '../../test/primitives/hands.contract.ts';
import { harnessInPage, openTabs } from '../../test/primitives/primitive-harness.ts';

const { show } = openTabs();

describeHands({
  host: 'direct',
  fidelity: 'synthetic',
  show,
  start: (tab) => harnessInPage(tab, 'direct'),
});
describeHands({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness });
