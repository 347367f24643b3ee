import { randomUUID } from 'node:crypto';
import { asBridgeError, type Bridge, createBridge } from '@drawbridge/bridge';
import { ConnectionHub, type ItemLink, type Peer } from '@drawbridge/link';
import { acceptWebSocket, createPollingServer, type Endpoint } from '@drawbridge/link/node';
import type { ActionCallOutput, ActionError, Asker, BridgeError } from '@drawbridge/protocol';
import type { WebSocket } from 'ws';
import type { CoreClock, Identity } from '../../core/ports.ts';
import type { BrowserThreads } from '../../threads/browser-threads.ts';
import { bridgeRate, createDeviceRateLimits, frameCost } from '../chat/device-rate-limits.ts';
import { mayAct } from '../guard/permission.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import { type CallQuota, cancelledBeforeStart, type OwnAnswer } from '../quotas/call-quota.ts';
import type { InFlight } from '../quotas/in-flight.ts';
import { createQuestionQuota } from '../quotas/question-quota.ts';
import { createTokenBuckets } from '../quotas/token-buckets.ts';

export interface BridgePortsOptions {
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
  readonly metrics: Metrics;
  readonly inFlight: InFlight;
  readonly calls: CallQuota;
  readonly threads: Pick<BrowserThreads, 'maySee' | 'originsOf' | 'meet' | 'messagesFor' | 'joined' | 'left'>;
  readonly log: Log;
  /** The asker for a device's browsers. */
  readonly askerOf: (device: Identity) => Asker;
  readonly onError: (error: unknown) => void;
  /** Every `Host` under which this relay and its other nodes answer. */
  readonly relayHosts: () => readonly string[];
}

/** `/ws/{runtime,agent}` and `/bridge/{runtime,agent}/items`: all share one bridge. */
export interface BridgePorts {
  readonly bridge: Bridge;
  readonly admits: (identity: Identity, endpoint: Endpoint) => boolean;
  /** Accepts a socket of an authorized device. */
  readonly take: (socket: WebSocket, identity: Identity, endpoint: Endpoint) => void;
  readonly poll: (request: Request, identity: Identity, endpoint: Endpoint) => Promise<Response>;
  /** Ends the connections of a revoked device. */
  readonly dismiss: (device_id: string) => void;
  readonly close: () => void;
}

export function createBridgePorts(options: BridgePortsOptions): BridgePorts {
  const { clock, limits, metrics, inFlight, calls, threads, log, askerOf, onError, relayHosts } = options;
  const rateLimits = createDeviceRateLimits({ clock, limits, rateOf: bridgeRate });
  const delayed = metrics.counter('over_limit_total', { name: 'bridge_frames_per_second' });
  const { refusals_per_second } = limits;
  const refusals = createTokenBuckets({
    now: clock.now,
    perSecond: refusals_per_second,
    burst: refusals_per_second,
  });
  const unanswered = metrics.counter('over_limit_total', { name: 'refusals_per_second' });
  const questions = createQuestionQuota({ clock, limits, metrics });
  const links = new Map<ItemLink, string>();
  const askers = new Map<string, Asker>();
  const bridge = createBridge({
    ...{ clock, onError, relayHosts },
    ids: (kind) => `${kind}_${randomUUID()}`,
    maySee: (owner, { url }) => threads.maySee(owner, url),
    originsOf: threads.originsOf,
    limits: {
      maxRuntimesPerOwner: limits.runtimes,
      maxCharsPerOwner: limits.map_bytes,
      maxPendingPerOwner: limits.pending_calls,
      maxQuestionsPerOwner: limits.open_questions,
    },
  });

  const onConnection = (link: ItemLink, { credential_id, endpoint }: Peer): void => {
    let takesMessages = false;
    /** Calls without an answer. */
    const open = new Set<string>();
    /** Calls that are not ready yet; one that is cancelled leaves. */
    const waiting = new Set<string>();
    /** Not for errors that only repeat the `call_id` of a call (BRG-211). */
    const onAnswer = (item: ActionCallOutput | ActionError): void => {
      const { call_id } = item;
      if (call_id === undefined) return;
      const [output, error] = item.type === 'action_error' ? [undefined, item.error] : [item.output];
      // At the relay's end such an error may not arrive: messages wait for the next answer.
      if (takesMessages && error?.code !== 'transport_failed')
        for (const text of threads.messagesFor(call_id)) link.send({ type: 'person_message', text });
      open.delete(call_id);
      calls.answered(credential_id, call_id, output, error);
    };
    const answer = (item: ActionCallOutput | ActionError): void => {
      onAnswer(item);
      link.send(item);
    };
    const refuse = (call_id: string, error: BridgeError): void =>
      answer({ type: 'action_error', call_id, error: error.toJSON() });
    const peer = { send: link.send, close: link.close, owner: credential_id };
    const asker = askers.get(credential_id);
    const connection =
      endpoint === 'runtime'
        ? bridge.connectRuntime({ ...peer, ...(asker && { asker }) })
        : bridge.connectAgent({ ...peer, onAnswer });
    const connections = metrics.counter('connections', { port: 'bridge', role: endpoint });
    links.set(link, credential_id);
    connections();
    const facts = { endpoint, device_id: credential_id };
    log('bridge_opened', facts);
    link.onItem((item) => {
      if (item.type === 'agent_hello') takesMessages = item.features.includes('person_message');
      if (item.type === 'action_cancel' && waiting.delete(item.call_id)) return;
      if (item.type !== 'action_call') return connection.receive(item);
      const { call_id } = item;
      const problem = calls.problem(credential_id, item);
      threads.joined(credential_id, item.client, link);
      if (problem !== undefined) return link.send({ type: 'action_error', call_id, error: problem.toJSON() });
      open.add(call_id);
      const ready = calls.ready(credential_id, item);
      if (ready === undefined) return connection.receive(item);
      waiting.add(call_id);
      const begin = (own: OwnAnswer | undefined): void => {
        if (!waiting.delete(call_id)) refuse(call_id, cancelledBeforeStart());
        else if (own === undefined) connection.receive(item);
        else answer({ type: 'action_call_output', call_id, runtime_id: RELAY, output: own.output });
      };
      const fail = (error: unknown): void => {
        waiting.delete(call_id);
        refuse(call_id, asBridgeError(error));
      };
      // An agent that left was answered, and nothing can be sent to it.
      const ifThere =
        <Value>(act: (value: Value) => void) =>
        (value: Value): void =>
          links.has(link) ? act(value) : undefined;
      ready.then(ifThere(begin), ifThere(fail)).catch(onError);
    });
    // BRG-72: the bridge answers an item that does not parse. A flood of them is not answered in full.
    link.onProblem((problem) => {
      if (problem.kind !== 'refused') return;
      if (refusals.take(credential_id) === 0) connection.receive(problem.frame);
      else unanswered();
    });
    link.onState((state) => {
      if (state.kind !== 'closed' || !links.delete(link)) return;
      connections(-1);
      log('bridge_closed', facts);
      connection.close(state.error.message);
      for (const call_id of open) calls.answered(credential_id, call_id, undefined, LEFT);
      open.clear();
      threads.left(link);
    });
  };

  const hub = new ConnectionHub({ onConnection, clock, maxConnections: limits.bridge_sockets });
  const poll = createPollingServer({ hub });
  metrics.gauge('limit_used', rateLimits.mostUsed, { name: 'bridge_burst' });
  const peerOf = (identity: Identity, endpoint: Endpoint): Peer => {
    const { device_id } = identity;
    if (endpoint === 'agent') threads.meet(identity);
    // Set on each connection: the label may have changed.
    if (endpoint === 'runtime') askers.set(device_id, questions.limited(device_id, askerOf(identity)));
    return { credential_id: device_id, endpoint };
  };

  return {
    bridge,
    admits: (identity, endpoint) =>
      endpoint === 'runtime' ? identity.roles.includes('runtime') : mayAct(identity),
    take(socket, identity, endpoint) {
      const limiter = rateLimits.open(identity, (waiting) => {
        if (waiting) delayed();
        // A paused socket would never read the peer's close.
        if (waiting && socket.readyState === socket.OPEN) socket.pause();
        else socket.resume();
      });
      // RFC 6455, 5.5.3: a ping may go unanswered while an earlier answer still waits.
      socket.on('ping', (data) => limiter.take(() => socket.bufferedAmount === 0 && socket.pong(data)));
      const bytes = inFlight.open(identity.device_id, () => socket.bufferedAmount);
      socket.on('close', () => {
        limiter.close();
        bytes.close();
      });
      acceptWebSocket(socket, {
        hub,
        peer: peerOf(identity, endpoint),
        isOver: bytes.isOver,
        rateLimit(act, chars) {
          if (!bytes.received(chars)) return socket.terminate();
          limiter.take(
            () => {
              bytes.handled(chars);
              act();
            },
            frameCost(chars, limits),
          );
        },
      });
    },
    poll(request, identity, endpoint) {
      const limiter = rateLimits.open(identity, () => {});
      const turn = (items: number, chars: number): Promise<void> =>
        new Promise((resolve) => limiter.take(resolve, Math.max(items, frameCost(chars, limits))));
      return poll(request, peerOf(identity, endpoint), turn).finally(limiter.close);
    },
    dismiss(device_id) {
      askers.delete(device_id);
      for (const [link, owner] of [...links]) if (owner === device_id) link.close();
    },
    close() {
      hub.close();
      bridge.close();
      rateLimits.close();
    },
  };
}

/** In place of a runtime, where the relay answers by itself. */
const RELAY = 'relay';
/** The bridge has cancelled the call, and there is nobody to answer. */
const LEFT = { code: 'transport_failed', message: 'The agent left before the result was known.' };
