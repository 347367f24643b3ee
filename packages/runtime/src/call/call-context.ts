import type {
  CheckResult,
  Clock,
  Evaluator,
  Extractor,
  HandlerRegistry,
  PageProbe,
  StateSnapshots,
  TransitionLedger,
} from '@drawbridge/manifest';
import type { Gatekeeper } from '../grants/gatekeeper.ts';
import type { SurfaceHost } from '../host.ts';
import type { MapChoice } from '../maps/map-source.ts';
import type { PrimitiveStores } from '../primitives/primitive-context.ts';
import type { AddressGate } from './address-gate.ts';
import type { HeldForms } from './held-forms.ts';

/** The call context: everything that a call of this surface is answered with. */
export interface CallContext {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly map: () => MapChoice;
  /** Resolves when the map of the current or the loading document is known. */
  readonly loaded: () => Promise<void>;
  readonly gatekeeper: Gatekeeper;
  readonly addresses: AddressGate;
  readonly heldForms: HeldForms;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  readonly handlers: HandlerRegistry;
  readonly probe: PageProbe;
  readonly extractor: Extractor;
  readonly snapshots: StateSnapshots;
  readonly stores: PrimitiveStores;
  /** Runs the map's checks again, and the reaction of each that fails. */
  readonly check: () => Promise<readonly CheckResult[]>;
  /** State that lasts from call to call. */
  readonly memory: { transitions: TransitionLedger };
  /** Resolves when the next document has page code; fails when the tab is gone. */
  readonly nextDocument: () => Promise<void>;
  readonly reportProgress: (callId: string, step: string) => void;
}
