import { type Clock, delay } from '@drawbridge/base';
import {
  type CheckResult,
  createStateSnapshots,
  type Evaluator,
  type HandlerRegistry,
} from '@drawbridge/manifest';
import type { AttachmentEvent } from '@drawbridge/page';
import { type Asker, BridgeError, type BridgeItem } from '@drawbridge/protocol';
import type { Manifest } from '@drawbridge/protocol/manifest';
import type { ControlPlane } from '../address/control-plane.ts';
import type { LocalNetwork } from '../address/local-network.ts';
import { originOf } from '../address/local-network.ts';
import { createAddressGate } from '../call/address-gate.ts';
import { errorItem } from '../call/answer-call.ts';
import { type CallContext, pinOrigin } from '../call/call-context.ts';
import { withDeadline } from '../call/deadline.ts';
import { type Actor, runOpened } from '../call/declared-call.ts';
import { createHeldForms } from '../call/held-forms.ts';
import { createInspectGate } from '../call/inspect-gate.ts';
import { createGatekeeper } from '../grants/gatekeeper.ts';
import type { GrantBook } from '../grants/grant-book.ts';
import { heldFor } from '../grants/held-grants.ts';
import { createLinkAsker } from '../grants/link-asker.ts';
import { createOfferedAddresses, type OfferedAddresses } from '../grants/offered-addresses.ts';
import type { HostEvent, SurfaceHost, SurfaceNotice } from '../host.ts';
import type { MapChoice, MapSource } from '../maps/map-source.ts';
import { createStores } from '../primitives/primitive-context.ts';
import { createActing } from './acting.ts';
import { createAnnouncer } from './announcer.ts';
import { createAskPerson } from './ask-person.ts';
import { createAttachmentNeeds } from './attachment-needs.ts';
import { createAttachments } from './attachments.ts';
import { type CheckEvidence, gatherEvidence } from './check-evidence.ts';
import { createChecks } from './checks.ts';
import { createDocuments } from './documents.ts';
import { createMapLoading } from './map-loading.ts';
import { createPageAgent } from './page-agent.ts';
import { extractorOf, probeOf } from './page-probe.ts';
import { createRunningCalls } from './running-calls.ts';
import { createSignals } from './signals.ts';
import { createWebTools } from './web-tools.ts';

export interface RuntimeOptions {
  readonly runtimeId: string;
  readonly host: SurfaceHost;
  readonly maps: MapSource;
  readonly grants: GrantBook;
  /** Without one, it asks over its connection (BRG-166). */
  readonly asker?: Asker;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly send: (item: BridgeItem) => void;
  /** The approval under which this tab was lent. */
  readonly authorizationId?: string;
  /** Known pages of the relay; its `agent_hello` names the rest (BRG-172). */
  readonly controlPlane?: ControlPlane;
  /** Open private addresses; without it, nobody is asked about one (BRG-175). */
  readonly localNetwork?: LocalNetwork;
  /** Shared by the lent tabs of one browser. */
  readonly offered?: OfferedAddresses;
  readonly handlers?: HandlerRegistry;
  /** Registers the map's tools with the page, for the page's own agent (WebMCP). Off by default. */
  readonly offerToPage?: boolean;
  /** Receives the evidence that a failed check declares. */
  readonly storeEvidence?: (evidence: CheckEvidence) => void | Promise<void>;
}

/** One lent surface on its connection: announces itself, answers calls, and reports events of the page. */
export interface Runtime {
  readonly runtimeId: string;
  readonly receive: (item: BridgeItem) => void;
  /** For a reconnect that starts over: announces everything again. */
  readonly announce: () => void;
  /** The applicable map and the reason for it. */
  readonly map: () => MapChoice;
  readonly signals: { readonly choose: (name: string, enabled: boolean) => void };
  readonly close: () => Promise<void>;
}

export const HEARTBEAT_MS = 10_000;

const OPENED_MS = 60_000;
const MOVES_APART_MS = 250;

export function createRuntime(options: RuntimeOptions): Runtime {
  const { runtimeId, host, maps, grants, evaluator, clock, newId, authorizationId, controlPlane } = options;
  const now = clock.now;
  const { offered = createOfferedAddresses(clock) } = options;
  const linkAsker = createLinkAsker({ clock, send: options.send });
  const { asker = linkAsker } = options;
  const probe = probeOf(host);
  const extractor = extractorOf(host);
  const documents = createDocuments(host);
  const gatekeeper = createGatekeeper({ grants, asker, now, newId });
  const acting = createActing(now);
  const webTools = createWebTools(host, options.handlers);
  const stopping = new AbortController();
  const { signal } = stopping;
  let closed = false;
  let closing: Promise<void> | undefined;
  /** Whether the bridge mirrors the grants (BRG-119). */
  let mirrored = false;

  /** An item that the connection cannot take is lost; the bridge ends the call at its own timeout. */
  const send = (item: BridgeItem): void => {
    if (closed) return;
    try {
      options.send(item);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
    }
  };
  const report = (error: unknown): void => send(errorItem(error, { runtime_id: runtimeId }));
  /** A document that leaves is not an error: the next one is checked again. */
  const onError = (error: unknown): void => {
    if (!closed && !documents.left(error)) report(error);
  };
  const refresh = (work: () => Promise<void>): void => void work().catch(onError);

  const askPerson = createAskPerson({ runtimeId, host, asker, newId, now, signal, onError: report });
  const checks = createChecks({
    probe,
    now,
    store: (result, names) => refresh(() => keepEvidence(result, names)),
    askPerson: (checkId, message) => void askPerson(checkId, message),
  });
  const signals = createSignals({
    runtimeId,
    newId,
    now,
    location: () => ({ url: host.surface().url, states: announcer.states() }),
    actingCall: acting.callId,
    send,
  });
  const attachments = createAttachments(
    host,
    acting,
    createAttachmentNeeds({
      signals,
      askPerson,
      actor: acting.actor,
      open: openFor,
      url: () => host.surface().url,
      report,
    }),
  );
  const announcer = createAnnouncer({
    runtimeId,
    host,
    probe,
    now,
    choice: () => loading.choice(),
    attachments,
    send,
    report,
    authorizationId,
    asksOverLink: asker === linkAsker,
  });
  const loading = createMapLoading({
    host,
    maps,
    webTools,
    announcer,
    isClosed: () => closed,
    prepare,
    afterAnnouncing: async (choice) => {
      if (options.offerToPage === true) await pageAgent.offer(choice);
    },
    onError,
  });
  const callContext: CallContext = {
    runtimeId,
    host,
    map: loading.choice,
    loaded: async () => {
      if (!documents.present()) await documents.next();
      await loading.done();
    },
    gatekeeper,
    addresses: createAddressGate({
      ...{ runtimeId, asker, now, newId, controlPlane },
      localNetwork: options.localNetwork,
    }),
    offered,
    inspectGate: createInspectGate({ runtimeId, runtimeKey: host.runtimeKey, grants, asker, now, newId }),
    heldForms: createHeldForms(host, clock),
    evaluator,
    clock,
    handlers: webTools.handlers,
    probe,
    extractor,
    snapshots: createStateSnapshots(),
    stores: createStores(now),
    check: async () => {
      const { offer } = loading.choice();
      return offer.ready ? checks.run(offer.map) : [];
    },
    memory: { transitions: new Map() },
    nextDocument: documents.next,
    reportProgress: (call_id, step) =>
      send({ type: 'action_progress', call_id, runtime_id: runtimeId, step }),
  };
  const pageAgent = createPageAgent({ host, callContext, clock, signal, acting });
  const calls = createRunningCalls({
    callContext,
    acting,
    send,
    afterActing: () => refresh(announcer.sendStatus),
  });

  async function keepEvidence(result: CheckResult, names: readonly string[]): Promise<void> {
    const { check_id, url, observed_at, evidence: findings } = result;
    const stored = await gatherEvidence(names, host);
    await options.storeEvidence?.({ check_id, url, observed_at, findings, stored });
  }

  async function openFor(tool: string, args: Readonly<Record<string, unknown>>, actor: Actor): Promise<void> {
    const pin = pinOrigin(host, tool);
    const work = () =>
      withDeadline(OPENED_MS, clock, signal, (turn) =>
        runOpened(tool, { ...args }, actor, callContext, { ...turn, pin }),
      );
    await acting.inTurn(work).catch(report);
  }

  async function prepare(map: Manifest): Promise<void> {
    const { signals: declared = [], attachments: wanted = [] } = map;
    signals.start(declared);
    await host.callPage('listenForSignals', [declared]);
    await attachments.start(wanted);
    await checks.run(map);
  }

  function receiveFromHost(event: HostEvent): void {
    if (event.kind === 'left' || event.kind === 'ready') {
      loading.forget();
      attachments.forget();
      if (event.kind === 'ready') {
        loading.reload();
        startInspection();
      }
    } else if (event.kind === 'moved') followMove();
    else if (event.kind === 'notice') refresh(() => receiveNotice(event.notice));
    else if (event.kind === 'closed') void close(event.error);
  }

  /** Bodies of the first requests are kept too, where a person allowed that beforehand. */
  function startInspection(): void {
    if (callContext.inspectGate.isOn(originOf(host.surface().url)))
      host.inspection?.start().catch(() => undefined);
  }

  /** Coalesced: a page may change its address or title any number of times. */
  const followMove = createCoalesced(async () => {
    if (!closed) refresh(loading.follow);
    await delay(clock, MOVES_APART_MS, signal);
  });

  async function receiveNotice(notice: SurfaceNotice): Promise<void> {
    if (notice.type === 'webtools') return loading.relist();
    if (notice.type === 'webtool_call')
      return options.offerToPage === true ? pageAgent.answer(notice) : undefined;
    if (notice.type === 'signal') signals.receive(notice);
    else if (isAboutAttachment(notice)) await attachments.receive(notice, announcer.states());
    else return;
    await announcer.sendStatus();
  }

  /** Connections pass items that they have validated. */
  function receive(read: BridgeItem): void {
    if (read.type === 'action_call') calls.take(read);
    else if (read.type === 'action_cancel') calls.cancel(read.call_id);
    else if (read.type === 'grant_answer') linkAsker.receive(read);
    else if (read.type === 'grants_revoked') revoke(read.grant_id);
    else if (read.type === 'grants_renewed') grants.renew(host.runtimeKey, read.by);
    else if (read.type === 'agent_hello') {
      controlPlane?.learn(read.relay_hosts ?? []);
      mirrored = read.features.includes('grants');
      sendGrants();
    } else if (read.type === 'runtime_probe') {
      send({ type: 'runtime_probe_result', runtime_id: runtimeId, probe_id: read.probe_id, state: 'awake' });
    }
  }

  /** BRG-170 */
  function revoke(grantId: string | undefined): void {
    if (grantId === undefined) grants.revokeAll();
    else grants.revoke(grantId);
  }

  function sendGrants(): void {
    if (!mirrored) return;
    const held = heldFor(host.runtimeKey, grants.list());
    send({ type: 'grants_held', runtime_id: runtimeId, grants: held });
  }

  async function sendHeartbeat(): Promise<void> {
    while (closing === undefined) {
      await delay(clock, HEARTBEAT_MS, signal);
      if (closing === undefined) refresh(() => announcer.sendStatus(true));
    }
  }

  /** Running calls are answered first. */
  function close(reason?: BridgeError): Promise<void> {
    closing ??= (async () => {
      stopping.abort();
      stopHearing();
      stopMaps();
      stopGrants();
      stopOffering();
      documents.close();
      await calls.end(reason);
      closed = true;
    })();
    return closing;
  }

  const stopHearing = host.onEvent(receiveFromHost);
  const stopMaps = maps.onChange(loading.reload);
  const stopGrants = grants.onChange(sendGrants);
  const stopOffering = offered.add(host);
  startInspection();
  if (documents.present()) loading.reload();
  void sendHeartbeat();
  return {
    runtimeId,
    receive,
    announce() {
      linkAsker.lost();
      if (!announcer.announced()) return;
      announcer.announce();
      refresh(() => announcer.sendStatus(true));
    },
    map: loading.choice,
    signals: { choose: signals.choose },
    close: () => close(),
  };
}

/** Other notices, such as a recorder's, go to their own listeners. */
function isAboutAttachment(notice: SurfaceNotice): notice is AttachmentEvent {
  return ['observed', 'installed', 'install_failed', 'removed', 'detached', 'activated'].includes(
    notice.type,
  );
}

/** Runs one at a time; requests during a run cause exactly one more. */
function createCoalesced(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}
