import { currentStates, diagnose, type PageProbe, runtimeStatus } from '@drawbridge/manifest';
import { BridgeError, type BridgeFeature, type BridgeItem, type RuntimeReady } from '@drawbridge/protocol';
import type { Manifest } from '@drawbridge/protocol/manifest';
import { type HostKind, primitivesFor } from '@drawbridge/protocol/primitives';
import { effectOfTool } from '../grants/tool-effect.ts';
import type { SurfaceHost } from '../host.ts';
import { type MapChoice, trustOf } from '../maps/map-source.ts';
import type { Attachments } from './attachments.ts';

export interface AnnouncerOptions {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly probe: PageProbe;
  readonly now: () => number;
  readonly choice: () => MapChoice;
  readonly attachments: Pick<Attachments, 'status'>;
  readonly send: (item: BridgeItem) => void;
  readonly report: (error: BridgeError) => void;
  readonly authorizationId?: string | undefined;
  readonly asksOverLink: boolean;
}

/** Announces the runtime to the bridge: `runtime_ready` for a page and its map, `runtime_status` for its state. */
export interface Announcer {
  readonly announced: () => boolean;
  readonly announce: () => void;
  /** Sends only changes, unless `always`. */
  readonly sendStatus: (always?: boolean) => Promise<void>;
  /** Stops sending status until the next announcement. */
  readonly withdraw: () => void;
  /** The states that were sent last. */
  readonly states: () => ReadonlySet<string>;
}

/** Supported features beyond the six items. */
const FEATURES = [
  'agent_hello',
  'action_cancel',
  'action_progress',
  'runtime_probe',
  'grants',
  'grants_renewed',
] as const;

/** Hosts outside the page, whose calls survive the document and the connection. */
const OUTLIVES_ITS_DOCUMENT: readonly HostKind[] = ['cdp', 'extension'];

export function createAnnouncer(options: AnnouncerOptions): Announcer {
  const { runtimeId, host, probe, now, choice, attachments, send, report, authorizationId } = options;
  const features: BridgeFeature[] = [
    ...FEATURES,
    ...(OUTLIVES_ITS_DOCUMENT.includes(host.kind) ? (['resume'] as const) : []),
    ...(options.asksOverLink ? (['questions'] as const) : []),
  ];
  let announced = false;
  let lastStatus = '';
  let lastUrl: string | undefined;
  let states: ReadonlySet<string> = new Set();

  return {
    announced: () => announced,
    states: () => states,
    withdraw() {
      announced = false;
    },
    announce() {
      const { offer, address } = choice();
      const { url, title } = host.surface();
      const ready: RuntimeReady = {
        type: 'runtime_ready',
        runtime_id: runtimeId,
        runtime_key: host.runtimeKey,
        url,
        title,
        host: URL.canParse(url) ? new URL(url).host : '',
        capabilities: primitivesFor(host.kind).map(({ name }) => name),
        features,
        ...(authorizationId && { authorization_id: authorizationId }),
        ...(offer.ready && { manifest: asAnnounced(offer.map, choice()) }),
      };
      send(ready);
      announced = true;
      if (offer.ready) return;
      const evidence = { errors: offer.errors.slice(0, 5), ...(address && { map: address }) };
      report(new BridgeError('runtime_not_ready', INVALID_MAP, { evidence }));
    },
    async sendStatus(always = false) {
      if (!announced) return;
      const { offer } = choice();
      const { url } = host.surface();
      const { states: declared = [], attachments: attached = [] } = offer.ready ? offer.map : {};
      // Without states and attachments only the address can change.
      if (!always && declared.length + attached.length === 0 && url === lastUrl) return;
      const names = declared.map(({ name }) => name);
      const diagnoses = await diagnose(declared, names, probe);
      states = currentStates(diagnoses);
      const status = runtimeStatus(diagnoses, {
        runtimeId,
        url,
        now: now(),
        attachments: attachments.status(),
      });
      lastUrl = url;
      const said = JSON.stringify([status.url, status.states, status.attachments]);
      if (!always && said === lastStatus) return;
      lastStatus = said;
      send(status);
    },
  };
}

const INVALID_MAP =
  'The map of this page is not valid, so none of its tools can be called. Correct it: it is read again at once.';

/** As agents see it, with our effect classes in place of the map's. */
function asAnnounced(map: Manifest, choice: MapChoice): Manifest {
  const tools = map.tools.map((tool) => {
    const effect = effectOfTool(tool, trustOf(choice, tool.name));
    return { ...tool, x_actions: { ...tool.x_actions, effect } };
  });
  return { ...map, tools };
}
