import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { describeHandMatrix } from '../../test/primitives/hand-matrix.contract.ts';
import { openTabs } from '../../test/primitives/primitive-harness.ts';

const { show } = openTabs();

describeHandMatrix({ host: 'cdp', fidelity: 'trusted', show, start: drivenHarness }, 0);
