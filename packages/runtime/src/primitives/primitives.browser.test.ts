import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { harnessInPage, openTabs } from '../../test/primitives/primitive-harness.ts';
import { describePrimitives } from '../../test/primitives/primitives.contract.ts';

const { show } = openTabs();

/** The same primitives by page script alone and with trusted input. */
describePrimitives({
  host: 'direct',
  fidelity: 'synthetic',
  show,
  start: (tab) => harnessInPage(tab, 'direct'),
});
describePrimitives({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness });
