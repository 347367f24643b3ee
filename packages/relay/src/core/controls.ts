import { auditWrite } from '@drawbridge/ledger';
import type { ChatFrame } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { agentOf } from './decision-audit.ts';
import { type FrameOf, frameText, labelText, type OwnFrame, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { type Requester, requesterOf } from './peers.ts';
import { PENDING_ALREADY } from './refusals.ts';
import type { LiveSession } from './sessions.ts';

const CONTROLS = [
  'permission_response',
  'agent_interrupt',
  'agent_goal_control',
  'agent_set_model',
  'agent_set_mode',
  'agent_config_request',
  'agent_answer',
] as const;
export type ControlFrame = FrameOf<(typeof CONTROLS)[number]>;

export const isControl = (frame: ChatFrame): frame is ControlFrame =>
  CONTROLS.some((type) => type === frame.type);

export type Result = FrameOf<'agent_control_result'>;

/** Ids that a proxy's answer repeats. */
type Named = Pick<PendingControl, 'request_id' | 'session_id'>;

/** A command that was sent to its proxy and is not answered yet. */
export interface PendingControl {
  readonly request_id: string;
  readonly session_id: string;
  readonly command: ControlFrame['type'];
  readonly requester: Requester;
  /** The proxy has done the command, and may still answer. */
  done?: boolean;
  /** Runs before the answer is sent to the requester. */
  readonly onResult?: (result: Result) => Promise<Result | undefined>;
}

export interface Route {
  readonly session: LiveSession;
  readonly proxy: Peer;
  readonly request_id: string;
  /** Forwarded to the proxy (CHT-237). */
  readonly text: string;
}

/** Commands from browsers to a session's proxy, and their answers (CHT-234 to CHT-239). */
export interface Controls {
  /** The proxy of a command; otherwise answers it with a failure. */
  readonly route: (peer: Peer, frame: ControlFrame, text: string, to?: Peer) => Route | undefined;
  readonly forward: (peer: Peer, frame: ControlFrame, text: string) => void;
  readonly await: (pending: PendingControl) => void;
  readonly forget: (control: Named) => void;
  readonly result: (peer: Peer, frame: Result) => void;
  /** Sends a result to the requester. */
  readonly reply: (control: PendingControl, result: Result) => void;
  readonly fail: (control: Omit<PendingControl, 'onResult' | 'done'>, code: string, message: string) => void;
  /** An `agent_config` answers every request for it. */
  readonly configured: (session_id: string) => void;
  readonly gone: (peer: Peer) => void;
}

/** Bounds memory when a proxy never answers. */
const MAX_PENDING = 10_000;

export function createControls(context: CoreContext): Controls {
  const { peers, sessions } = context;
  /**
   * Key: proxy and request_id. Two requests of one id are the same to a proxy, and other proxies see neither.
   */
  const pending = new Map<string, PendingControl>();
  const keyOf = ({ session_id, request_id }: Named): string =>
    JSON.stringify([sessions.get(session_id)?.proxy_device_id, request_id]);

  /** True when the same client reconnected and asks again. */
  const isRetry = ({ device_id, client_id, connection_id }: Requester, peer: Peer): boolean =>
    device_id === peer.device_id && client_id === peer.client_id && !peers.connected(connection_id);

  const answer = (requester: Requester, frame: OwnFrame): void =>
    peers.reach(requester, frameText(frame, context.now()));

  const fail: Controls['fail'] = ({ requester, request_id, session_id, command }, code, message) =>
    answer(requester, {
      type: 'agent_control_result',
      request_id,
      session_id,
      command,
      result: 'failed',
      error: { code, message: labelText(message) },
      error_code: code,
    });

  const route: Controls['route'] = (peer, frame, text, to) => {
    const { session_id, type: command } = frame;
    const request_id = frame.request_id ?? context.id('req');
    const control = { request_id, session_id, command, requester: requesterOf(peer) };
    const session = sessions.get(session_id);
    if (!context.sessions.isSeenBy(peer, session) || session.closed) {
      fail(control, 'session_unknown', 'There is no such session.');
      return undefined;
    }
    const earlier = pending.get(keyOf(control));
    if (earlier !== undefined && !earlier.done && !isRetry(earlier.requester, peer)) {
      peer.refuse(frame, 'invalid_message', PENDING_ALREADY);
      return undefined;
    }
    const proxy = to ?? session.proxy;
    if (proxy === undefined) {
      fail(control, 'no_proxy_connected', "The session's proxy is away. Try again when it is back.");
      return undefined;
    }
    // CHT-258
    if (command === 'agent_answer' && !proxy.features.has('questions')) {
      fail(control, 'control_not_supported', 'This proxy asks no questions, and takes no answers.');
      return undefined;
    }
    // CHT-359
    const goals: unknown = Reflect.get(Object(session.config?.['capabilities']), 'goal_pause_resume');
    if (command === 'agent_goal_control' && goals !== true) {
      fail(control, 'control_not_supported', 'The goal of this agent cannot be paused or resumed.');
      return undefined;
    }
    // CHT-284
    if (command === 'agent_set_mode' && !proxy.features.has('modes')) {
      fail(control, 'control_not_supported', 'This proxy cannot change the mode of an agent.');
      return undefined;
    }
    // CHT-348: the credential names who answered, not the browser.
    const named = command === 'agent_answer' ? { answered_by: labelText(peer.label) } : undefined;
    const unchanged = frame.request_id !== undefined && named === undefined;
    const forwarded = unchanged ? text : JSON.stringify({ ...frame, request_id, ...named });
    return { session, proxy, request_id, text: forwarded };
  };

  const awaitResult = (control: PendingControl): void => {
    const [oldest] = pending.keys();
    if (pending.size >= MAX_PENDING && oldest !== undefined) pending.delete(oldest);
    pending.set(keyOf(control), control);
  };

  /** An idle agent was not stopped (CHT-241). */
  const auditStop = (
    { requester, session_id }: PendingControl,
    { code, message }: { readonly code?: string | undefined; readonly message?: string | undefined },
    result: string,
  ): void => {
    if (result !== 'ok' && code === 'agent_not_active') return;
    const { device_id, label: by } = requester;
    const entry = { at: context.now(), device_id, action: 'agent_stopped' as const, subject: session_id };
    const problem = result === 'ok' ? undefined : (message ?? code ?? 'failed');
    const audit = auditWrite(entry, { agent: agentOf(sessions.get(session_id)), by, problem });
    context.run(context.ledger.commit([audit]));
  };

  const reply: Controls['reply'] = (control, { result, error, error_code, ...receipt }) => {
    const { requester, request_id, session_id, command } = control;
    const { native_acknowledged, details, replayed } = receipt;
    if (command === 'agent_interrupt' && !replayed) auditStop(control, error ?? { code: error_code }, result);
    const more = {
      ...(native_acknowledged !== undefined && { native_acknowledged }),
      ...(details && { details }),
      ...(replayed && { replayed }),
    };
    const own = { type: 'agent_control_result', request_id, session_id, command } as const;
    if (result === 'ok') {
      answer(requester, { ...own, result, ...more });
      return;
    }
    // CHT-239: proxies use either field.
    const code = error?.code ?? error_code ?? 'send_injection_failed';
    const message = labelText(error?.message ?? 'The proxy could not do it, and did not say why.');
    answer(requester, { ...own, result, error: { code, message }, error_code: code, ...more });
  };

  const pass = async (control: PendingControl, result: Result): Promise<void> => {
    reply(control, (await control.onResult?.(result)) ?? result);
  };

  return {
    route,
    forward: (peer, frame, text) => {
      const config = frame.type === 'agent_config_request' && sessions.get(frame.session_id);
      if (config && config.config !== null && context.sessions.isSeenBy(peer, config)) {
        const { session_id, request_id } = frame;
        const cached = trustStored<Omit<FrameOf<'agent_config'>, 'type' | 'session_id'>>(config.config);
        peer.answer({ ...cached, type: 'agent_config', session_id, ...(request_id && { request_id }) });
      }
      const routed = route(peer, frame, text);
      if (routed === undefined) return;
      const { request_id, proxy } = routed;
      awaitResult({
        request_id,
        session_id: frame.session_id,
        command: frame.type,
        requester: requesterOf(peer),
      });
      proxy.send(routed.text, 'answer');
    },
    await: awaitResult,
    forget: (control) => {
      pending.delete(keyOf(control));
    },
    result: (peer, frame) => {
      if (context.sessions.ofFrame(peer, frame) === undefined) return;
      const control = pending.get(keyOf(frame));
      if (control === undefined || control.session_id !== frame.session_id) return;
      pending.delete(keyOf(frame));
      context.run(pass(control, frame));
    },
    reply,
    fail,
    configured: (session_id) => {
      for (const control of pending.values()) {
        if (control.session_id === session_id && control.command === 'agent_config_request')
          control.done = true;
      }
    },
    gone: (peer) => {
      for (const [key, control] of pending) {
        // A prompt's answer has its own deadline (CHT-222): the proxy may come back with the
        // outcome.
        if (control.onResult !== undefined || sessions.get(control.session_id)?.proxy !== peer) continue;
        pending.delete(key);
        if (control.done) continue;
        fail(control, 'delivery_unknown', 'The proxy went away before it answered. Look at the agent.');
      }
    },
  };
}
