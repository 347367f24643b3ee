import { describePrimitives } from './conformance.suite.ts';
import { drivenHarness } from './driven-host.suite.ts';
import { harnessInPage, openTabs } from './primitive-harness.suite.ts';

const { show } = openTabs();

/** The same primitives by page script alone and with trusted input. */
describePrimitives({
  host: 'direct',
  fidelity: 'synthetic',
  show,
  start: (tab) => harnessInPage(tab, 'direct'),
});
describePrimitives({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness });
