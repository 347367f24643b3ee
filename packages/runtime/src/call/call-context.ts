import type { Clock } from '@drawbridge/base';
import type {
  CheckResult,
  Evaluator,
  Extractor,
  HandlerRegistry,
  PageProbe,
  StateSnapshots,
  TransitionLedger,
} from '@drawbridge/manifest';
import type { ActionCall } from '@drawbridge/protocol';
import { originOf, requireOrigin } from '../address/local-network.ts';
import type { Gatekeeper, PermissionRequest } from '../grants/gatekeeper.ts';
import type { OfferedAddresses } from '../grants/offered-addresses.ts';
import type { SurfaceHost } from '../host.ts';
import type { MapChoice } from '../maps/map-source.ts';
import type { PrimitiveStores } from '../primitives/primitive-context.ts';
import type { AddressGate } from './address-gate.ts';
import type { Deadline } from './deadline.ts';
import type { HeldForms } from './held-forms.ts';
import type { InspectGate } from './inspect-gate.ts';

/** The call context: everything that a call of this surface is answered with. */
export interface CallContext {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly map: () => MapChoice;
  /** Resolves when the map of the current or the loading document is known. */
  readonly loaded: () => Promise<void>;
  readonly gatekeeper: Gatekeeper;
  readonly addresses: AddressGate;
  readonly offered: OfferedAddresses;
  readonly inspectGate: InspectGate;
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

/** Binds a call to one origin: when the tab has moved to another, the grant does not apply. */
export type OriginPin = ReturnType<typeof pinOrigin>;

/** A deadline together with the origin at which its call was made. */
export interface PinnedDeadline extends Deadline {
  readonly pin: OriginPin;
}

export function pinOrigin(host: SurfaceHost, name: string) {
  const origin = originOf(host.surface().url);
  return { origin, check: (): void => requireOrigin(name, origin, host.surface().url) };
}

/** The gatekeeper gets the whole call, so that an answer counts for this call and no other. */
export function entryOf(
  call: ActionCall,
  classified: Pick<PermissionRequest, 'effect' | 'elementContext' | 'form' | 'changed'>,
  { runtimeId, host }: CallContext,
  { pin, remainingMs }: PinnedDeadline,
): PermissionRequest {
  const { effect, elementContext, form, changed } = classified;
  return {
    runtime_id: runtimeId,
    runtime_key: host.runtimeKey,
    call_id: call.call_id,
    // A frame of another site is asked about, and granted, under its own origin.
    origin: elementContext?.origin ?? pin.origin,
    page: { title: host.surface().title, origin: pin.origin },
    path: URL.parse(host.surface().url)?.pathname ?? '',
    name: call.name,
    arguments: call.arguments,
    remainingMs: remainingMs(),
    effect,
    ...(elementContext && { elementContext }),
    ...(form !== undefined && { form }),
    ...(changed && { changed }),
  };
}
