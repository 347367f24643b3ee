import { isDeep } from '@drawbridge/testbed';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { harnessInPage, openTabs } from '../../test/primitives/primitive-harness.ts';
import { describePrimitives } from '../../test/primitives/primitives.contract.ts';

const { show } = openTabs();

// The extension shows synthetic input in npm test.
if (isDeep) {
  describePrimitives({
    host: 'direct',
    fidelity: 'synthetic',
    show,
    start: (tab) => harnessInPage(tab, 'direct'),
  });
}
describePrimitives({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness });
