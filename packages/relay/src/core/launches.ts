import { type Audit, auditWrite, type LaunchRecord, LedgerError } from '@drawbridge/ledger';
import { DEVICE_LIMITS } from '@drawbridge/protocol';
import type { Announcements } from './announcements.ts';
import type { CoreContext } from './core-context.ts';
import {
  type FrameOf,
  frameText,
  labelText,
  type OwnFrame,
  timeText,
  trustJson,
  trustStored,
} from './frames.ts';
import { launchedSession, pickProxy } from './launch-choice.ts';
import type { Peer, Refused } from './peer.ts';
import { isFor, type Requester, requesterOf } from './peers.ts';
import { NOT_STORED, PENDING_ALREADY } from './refusals.ts';

type Launch = FrameOf<'launch_session'>;
type LaunchOutcome = FrameOf<'session_launch_ack' | 'session_launch_failed'>;
type OwnOutcome = Extract<OwnFrame, { type: LaunchOutcome['type'] }>;

/** Agents that a person starts on a proxy's machine (CHT-180 to CHT-194). */
export interface Launches {
  readonly launch: (peer: Peer, frame: Launch, text: string) => void;
  readonly acked: (peer: Peer, frame: FrameOf<'session_launch_ack'>) => Promise<void>;
  readonly failed: (peer: Peer, frame: FrameOf<'session_launch_failed'>) => void;
  readonly pendingFor: (peer: Peer) => FrameOf<'connection_ack'>['pending_launches'] & object;
  /** CHT-190: sends outcomes that came while the client was disconnected. */
  readonly sendPending: (peer: Peer) => Promise<void>;
  readonly restore: () => Promise<void>;
  /** Called for each agent that started, before anybody learns of it. */
  readonly onLaunched: (listener: (session_id: string, launch: Launch) => void) => () => void;
}

interface Pending {
  readonly frame: Launch;
  readonly requester: Requester;
  readonly proxy_device_id: string;
  readonly launched_at: number;
  readonly timeout_at: number;
  outcome: OwnOutcome | undefined;
  /** True until the outcome is stored: a restarted relay would decide another one. */
  pending: boolean;
  /** CHT-190: the outcome waits for a browser that reconnects. */
  held: boolean;
}

/** Launches remembered at a time. */
const REMEMBERED = 1_000;
const MAX_PENDING = DEVICE_LIMITS.pending_launches.value;

/** CHT-181 */
export function refuseLaunch(
  peer: Peer,
  { request_id = '', agent_type }: Pick<Launch, 'agent_type'> & Refused,
): void {
  const reason = 'Only a paired device of a person may launch an agent.';
  peer.answer({ type: 'session_launch_failed', request_id, agent_type, error_code: 'unauthorized', reason });
}

export function createLaunches(context: CoreContext, announcements: Announcements): Launches {
  const { ledger, peers } = context;
  const startedAt = context.now();
  /** Pending launches and the latest settled ones, so that a late retry starts no second launch. */
  const launches = new Map<string, Pending>();

  const listeners = new Set<(session_id: string, launch: Launch) => void>();
  /** By device: launches that are not stored yet. */
  const beginning = new Map<string, number>();

  const pendingOf = (device_id: string): number => {
    let count = beginning.get(device_id) ?? 0;
    for (const { requester, pending } of launches.values()) {
      if (pending && requester.device_id === device_id) count += 1;
    }
    return count;
  };

  const keep = (launch: Pending): void => {
    const { request_id } = launch.frame;
    launches.delete(request_id);
    launches.set(request_id, launch);
    for (const [oldest, { pending }] of launches) {
      if (launches.size <= REMEMBERED) break;
      if (!pending) launches.delete(oldest);
    }
  };

  const watch = (launch: Pending, ms: number): void => {
    context.after(ms, () => {
      launch.held = launch.outcome === undefined;
      if (!launch.held) return;
      const { request_id } = launch.frame;
      const reason = 'The agent did not start in time. Look at the machine, or try again.';
      context.run(
        settle(launch, { type: 'session_launch_failed', request_id, error_code: 'launch_timeout', reason }),
      );
      watch(launch, context.times.launch_ms);
    });
  };

  const settle = async (launch: Pending, frame: OwnOutcome): Promise<void> => {
    if (launch.outcome !== undefined) return;
    const { request_id, agent_type } = launch.frame;
    const { device_id } = launch.requester;
    const outcome = { agent_type, ...frame };
    launch.outcome = outcome;
    const state = frame.type === 'session_launch_ack' ? 'launched' : 'failed';
    await context.retryUntilStored(async () => {
      const at = context.now();
      const done = await ledger.commit([
        { do: 'settle_launch', request_id, state, outcome: trustJson(outcome), at },
        launchAudit(launch, outcome, at),
      ]);
      launch.pending = false;
      if (!done.committed) return;
      if (frame.type === 'session_launch_ack')
        for (const listener of listeners) listener(frame.session_id, launch.frame);
      peers.reach(launch.requester, frameText(outcome, at), () =>
        context.run(
          context.retryUntilStored(() => ledger.commit([{ do: 'tell_launch', device_id, request_id }])),
        ),
      );
    });
  };

  const fail = (peer: Peer, { request_id, agent_type }: Launch, error_code: string, reason: string): void =>
    peer.answer({
      type: 'session_launch_failed',
      request_id,
      agent_type,
      error_code,
      reason: labelText(reason),
    });

  const begin = async (peer: Peer, frame: Launch, text: string, proxy: Peer): Promise<void> => {
    const { request_id, agent_type } = frame;
    const { device_id, client_id } = peer;
    const at = context.now();
    const timeout_at = at + context.times.launch_ms;
    const proxy_device_id = proxy.device_id;
    const body = trustJson(frame);
    beginning.set(device_id, (beginning.get(device_id) ?? 0) + 1);
    try {
      const outcome = await ledger.commit([
        { do: 'open_launch', request_id, device_id, client_id, proxy_device_id, body, at, timeout_at },
      ]);
      if (!outcome.committed) {
        answerPending(peer, frame);
        return;
      }
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      context.onError(error);
      fail(peer, frame, 'send_rejected', NOT_STORED);
      return;
    } finally {
      const left = (beginning.get(device_id) ?? 1) - 1;
      if (left === 0) beginning.delete(device_id);
      else beginning.set(device_id, left);
    }
    const launch = {
      frame,
      requester: requesterOf(peer),
      proxy_device_id,
      launched_at: at,
      timeout_at,
      outcome: undefined,
      pending: true,
      held: true,
    };
    keep(launch);
    watch(launch, context.times.launch_ms);
    proxy.send(text, 'answer');
    peer.answer({ type: 'session_launching', request_id, agent_type });
  };

  /** CHT-193, CHT-194 */
  const answerPending = (peer: Peer, frame: Launch): void => {
    const { request_id } = frame;
    const launch = launches.get(request_id);
    const connection_id = launch?.requester.connection_id ?? null;
    const ended = connection_id === peer.connection_id || !peers.connected(connection_id);
    if (launch !== undefined && isFor(launch.requester, peer) && ended) {
      const { agent_type } = launch.frame;
      peer.answer({ type: 'session_launching', request_id, agent_type });
    } else {
      peer.refuse(frame, 'invalid_message', PENDING_ALREADY);
    }
  };

  const ofProxy = (peer: Peer, request_id: string): Pending | undefined => {
    const launch = launches.get(request_id);
    return launch?.proxy_device_id === peer.device_id ? launch : undefined;
  };

  return {
    onLaunched(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    launch: (peer, frame, text) => {
      const known = launches.get(frame.request_id);
      if (known?.pending) {
        answerPending(peer, frame);
        return;
      }
      if (known?.outcome !== undefined && isFor(known.requester, peer)) {
        // The outcome and the retry crossed; a new connection may not have received the outcome.
        if (known.requester.connection_id !== peer.connection_id) peer.answer(known.outcome);
        return;
      }
      if (peer.sessions !== undefined) {
        fail(peer, frame, 'unauthorized', 'This device sees only the sessions that it was given.');
        return;
      }
      if (pendingOf(peer.device_id) >= MAX_PENDING) {
        const reason = `${MAX_PENDING} launches of this device are pending (pending_launches). Try again when one has started or failed, in ${context.times.launch_ms / 1_000} s at most.`;
        fail(peer, frame, 'rate_limited', reason);
        return;
      }
      const choice = pickProxy(peers.proxies(), frame.machine_label);
      if ('proxy' in choice) context.run(begin(peer, frame, text, choice.proxy));
      else fail(peer, frame, choice.error_code, choice.reason);
    },
    acked: async (peer, frame) => {
      const launch = ofProxy(peer, frame.request_id);
      const { request_id, session_id } = frame;
      const agent_type = frame.agent_type ?? launch?.frame.agent_type;
      const session = await announcements.announce(peer, frame, launchedSession(session_id, agent_type));
      if (session === undefined || launch === undefined) return;
      context.run(
        settle(launch, {
          type: 'session_launch_ack',
          request_id,
          session_id,
          ...(agent_type && { agent_type }),
        }),
      );
    },
    failed: (peer, frame) => {
      const launch = ofProxy(peer, frame.request_id);
      if (launch === undefined) return;
      const { request_id, error_code, reason, agent_type = launch.frame.agent_type } = frame;
      context.run(
        settle(launch, { type: 'session_launch_failed', request_id, error_code, reason, agent_type }),
      );
    },
    pendingFor: (peer) =>
      [...launches.values()]
        .filter(({ requester, pending }) => pending && isFor(requester, peer))
        .map(({ frame: { request_id, agent_type }, launched_at, timeout_at }) => ({
          request_id,
          agent_type,
          launched_at: timeText(launched_at),
          timeout_at: timeText(timeout_at),
        })),
    sendPending: async (peer) => {
      const { device_id } = peer;
      const isHeld = ({ request_id, launched_at, timeout_at }: LaunchRecord): boolean =>
        launches.get(request_id)?.held || (launched_at <= startedAt && context.now() <= timeout_at);
      for (const record of await ledger.unreportedLaunches(device_id)) {
        const { request_id, client_id, outcome } = record;
        if (!isFor({ device_id, client_id }, peer)) continue;
        const frame = trustStored<OwnOutcome>(outcome ?? {});
        if (isHeld(record)) peer.answer(frame);
        await ledger.commit([{ do: 'tell_launch', device_id, request_id }]);
      }
    },
    restore: async () => {
      for (const record of await ledger.pendingLaunches()) {
        const { device_id, client_id, proxy_device_id, launched_at, timeout_at } = record;
        const requester = { device_id, client_id, connection_id: null };
        const frame = trustStored<Launch>(record.body);
        const whole = timeout_at - launched_at;
        const launch = {
          frame,
          requester,
          proxy_device_id,
          launched_at,
          timeout_at,
          outcome: undefined,
          pending: true,
          held: true,
        };
        keep(launch);
        watch(launch, Math.min(whole, Math.max(0, timeout_at - context.now())));
      }
    },
  };
}

function launchAudit({ frame, requester, proxy_device_id }: Pending, outcome: OwnOutcome, at: number): Audit {
  const { agent_type: agent, machine_label: machine, workspace_path: folder } = frame;
  const { device_id, label: by } = requester;
  const entry =
    outcome.type === 'session_launch_ack'
      ? { at, device_id, action: 'agent_launched' as const, subject: outcome.session_id }
      : { at, device_id, action: 'launch_failed' as const, subject: proxy_device_id };
  const problem = outcome.type === 'session_launch_failed' ? outcome.reason : undefined;
  return auditWrite(entry, { agent, machine, folder, by, proxy_device_id, problem });
}
