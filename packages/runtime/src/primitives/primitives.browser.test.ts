import { describePrimitives } from './conformance.suite.ts';
import { drivenWorld } from './driven-host.suite.ts';
import { openTabs, worldInPage } from './world.suite.ts';

const { show } = openTabs();

/** The same primitives by page script alone and with trusted input. */
describePrimitives({
  host: 'direct',
  fidelity: 'synthetic',
  show,
  start: (tab) => worldInPage(tab, 'direct'),
});
describePrimitives({ host: 'cdp', fidelity: 'trusted', show, start: drivenWorld });
