import type { ChatFrame } from '@drawbridge/protocol';
import type { WantedSend } from '../../src/core/scheduled-sends.ts';
import type { Line, Side } from './line.ts';
import { createPeer, type FrameOf, type Peer, type PeerLog, V1 } from './peer.ts';
import { createScreen, type Watched } from './screen.ts';
import type { SimulationContext } from './simulation-context.ts';

export interface BrowserTraits {
  readonly name: string;
  readonly device_id: string;
  readonly client_id: string | undefined;
  readonly features: readonly string[];
}

export type LaunchView = 'asked' | 'launching' | 'launched' | 'failed' | 'lost';

/** A small model of our browser: stores unanswered sends, resumes by cursors, and folds received frames. */
export interface Browser {
  readonly traits: BrowserTraits;
  readonly log: PeerLog;
  readonly peer: Peer;
  readonly views: ReadonlyMap<string, Watched>;
  readonly outbox: ReadonlyMap<string, FrameOf<'send_message'>>;
  readonly launches: ReadonlyMap<string, LaunchView>;
  readonly start: () => void;
  /** Closes the page; its storage stays, and its views only with `keepsViews`. */
  readonly leave: (hears: readonly Side[], keepsViews: boolean) => void;
  /** Performs an action of a person; false when none of that kind is possible. */
  readonly act: (action: BrowserAction) => boolean;
}

export const BROWSER_ACTIONS = [
  'send',
  'send_now',
  'repeat',
  'conflict',
  'cancel',
  'edit',
  'answer',
  'answer_wrongly',
  'launch',
  'relaunch',
  'close',
  'history',
  'page',
  'delta',
  'control',
  'schedule',
] as const;
export type BrowserAction = (typeof BROWSER_ACTIONS)[number];

const TIMEOUT_MS = 6_000;

export function createBrowser(
  context: SimulationContext,
  traits: BrowserTraits,
  dial: () => Line | undefined,
  labels: readonly string[],
  schedule: (wanted: WantedSend) => void,
): Browser {
  const { random } = context;
  const outbox = new Map<string, FrameOf<'send_message'>>();
  const sentBefore: FrameOf<'send_message'>[] = [];
  const launches = new Map<string, LaunchView>();
  const launchFrames = new Map<string, FrameOf<'launch_session'>>();
  const screen = createScreen(
    (frame) => peer.send(frame),
    (client_message_id) => outbox.delete(client_message_id),
  );
  const { views } = screen;

  const onAck = (frame: FrameOf<'connection_ack'>): void => {
    const pending = new Set(frame.pending_launches?.map(({ request_id }) => request_id));
    for (const [request_id, state] of launches) {
      if (pending.has(request_id)) launches.set(request_id, 'launching');
      else if (state === 'asked' || state === 'launching') launches.set(request_id, 'lost');
    }
    for (const each of [...outbox.values()]) {
      put(each);
      if (random.chance(0.1)) peer.send(each);
    }
  };

  const onFrame = (frame: ChatFrame): void => {
    screen.receive(frame);
    switch (frame.type) {
      case 'connection_ack':
        onAck(frame);
        return;
      case 'connection_error':
        // A full disk may store it later; these errors are final.
        if (frame.code === 'session_unknown' || frame.code === 'unauthorized') {
          outbox.delete(frame.client_message_id ?? '');
        }
        return;
      case 'session_launching':
        if (launches.get(frame.request_id ?? '') === 'asked')
          launches.set(frame.request_id ?? '', 'launching');
        return;
      case 'session_launch_ack':
      case 'session_launch_failed':
        launches.set(frame.request_id ?? '', frame.type === 'session_launch_ack' ? 'launched' : 'failed');
    }
  };

  const peer = createPeer(context, {
    name: traits.name,
    dial,
    hello: () => ({
      type: 'connection_hello',
      ...V1,
      peer_role: 'browser',
      client_name: 'model',
      features: [...traits.features],
      ...(traits.client_id !== undefined && { client_id: traits.client_id }),
      resume: screen.resume(),
    }),
    onFrame,
    onDown: () => screen.disconnected(),
  });

  const put = (frame: FrameOf<'send_message'>): void => {
    const connection = peer.connection();
    if (!peer.send(frame)) return;
    context.after(TIMEOUT_MS, () => {
      if (connection === peer.connection() && outbox.has(frame.client_message_id)) put(frame);
    });
  };

  const liveIds = () => [...views].flatMap(([id, { view }]) => (view.session && !view.closed ? [id] : []));

  const send = (more: { readonly queue?: boolean }): boolean => {
    const ids = liveIds();
    if (ids.length === 0) return false;
    const client_message_id = context.id('msg');
    const session_id = random.pick(ids);
    const frame: FrameOf<'send_message'> = {
      type: 'send_message',
      ...V1,
      client_message_id,
      session_id,
      content: `says ${client_message_id}`,
      created_at: context.iso(),
      ...more,
    };
    outbox.set(client_message_id, frame);
    sentBefore.push(frame);
    put(frame);
    return true;
  };

  const answer = (wrong: boolean): boolean => {
    const open = [...views].flatMap(([session_id, { view }]) =>
      [...view.prompts].map((prompt_id) => ({ session_id, prompt_id })),
    );
    if (open.length === 0) return false;
    const of = random.pick(open);
    const prompt = screen.prompt(of.session_id, of.prompt_id);
    if (prompt === undefined) return false;
    return peer.send({
      type: 'permission_response',
      ...V1,
      request_id: context.id('req'),
      ...of,
      choice_id: wrong ? 'perhaps' : random.pick(prompt.choices).choice_id,
      ...(prompt.detected_at !== undefined && random.chance(0.5) && { detected_at: prompt.detected_at }),
    });
  };

  const launch = (): boolean => {
    const request_id = context.id('launch');
    const machine_label = random.pick(labels);
    const frame = { type: 'launch_session', ...V1, request_id, agent_type: 'codex', machine_label } as const;
    if (!peer.send(frame)) return false;
    launches.set(request_id, 'asked');
    launchFrames.set(request_id, frame);
    return true;
  };

  const relaunch = (): boolean => {
    const open = [...launches].filter(([, state]) => state === 'asked' || state === 'launching');
    const frame = open.length === 0 ? undefined : launchFrames.get(random.pick(open)[0]);
    return frame !== undefined && peer.send(frame);
  };

  const ofSession = (run: (session_id: string) => boolean): boolean => {
    const ids = [...views.keys()];
    return ids.length > 0 && run(random.pick(ids));
  };

  const ofSend = (run: (frame: FrameOf<'send_message'>) => boolean): boolean => {
    const recent = sentBefore.slice(-6);
    return recent.length > 0 && run(random.pick(recent));
  };

  const control = (session_id: string): boolean => {
    const of = { ...V1, session_id, request_id: context.id('req') };
    const model_id = `model-${random.int(1, 3)}`;
    return peer.send(
      random.pick<ChatFrame>([
        { type: 'agent_interrupt', ...of },
        { type: 'agent_config_request', ...of },
        { type: 'agent_set_model', ...of, model_id },
      ]),
    );
  };

  const scheduleIn = (session_id: string): boolean => {
    const content = `says later ${context.id('msg')}`;
    const deliver_at = new Date(context.wall() + random.int(1, 20_000)).toISOString();
    if (random.chance(0.3)) schedule({ session_id, content, trigger_kind: 'idle' });
    else schedule({ session_id, content, trigger_kind: 'at', deliver_at });
    return true;
  };

  const act = (action: BrowserAction): boolean => {
    const request_id = context.id('req');
    switch (action) {
      case 'send':
        return send({});
      case 'send_now':
        return send({ queue: false });
      case 'repeat':
        return ofSend((frame) => peer.send(frame));
      case 'conflict':
        return ofSend(
          (frame) => !outbox.has(frame.client_message_id) && peer.send({ ...frame, content: 'else' }),
        );
      case 'cancel':
        return ofSend(({ session_id, client_message_id }) =>
          peer.send({ type: 'cancel_message', ...V1, request_id, session_id, client_message_id }),
        );
      case 'edit':
        return ofSend(({ session_id, client_message_id }) => {
          const content = `says ${client_message_id}, edited`;
          return peer.send({
            type: 'edit_message',
            ...V1,
            request_id,
            session_id,
            client_message_id,
            content,
          });
        });
      case 'answer':
        return answer(false);
      case 'answer_wrongly':
        return answer(true);
      case 'launch':
        return launch();
      case 'relaunch':
        return relaunch();
      case 'close':
        return ofSession((session_id) => peer.send({ type: 'close_session', ...V1, request_id, session_id }));
      case 'history':
        return ofSession((session_id) => {
          screen.ask(session_id);
          return true;
        });
      case 'page':
        return ofSession((session_id) => screen.askForPage(session_id, random.int(1, 3)));
      case 'delta':
        return ofSession((session_id) => {
          const last = views.get(session_id)?.last;
          if (last !== undefined) screen.ask(session_id, random.int(0, last));
          return true;
        });
      case 'control':
        return ofSession(control);
      case 'schedule':
        return ofSession(scheduleIn);
    }
  };

  return {
    traits,
    log: peer.log,
    peer,
    views,
    outbox,
    launches,
    start: peer.start,
    leave: (hears, keepsViews) => {
      peer.stop(hears);
      screen.disconnected(!keepsViews);
    },
    act,
  };
}
