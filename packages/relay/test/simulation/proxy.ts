import type { ChatFrame, Session } from '@drawbridge/protocol';
import { createDialogs } from './dialogs.ts';
import type { Line, Side } from './line.ts';
import { createPeer, type FrameOf, type Peer, type PeerLog, V1 } from './peer.ts';
import type { SimulationContext } from './simulation-context.ts';

export interface ProxyTraits {
  readonly name: string;
  readonly device_id: string;
  readonly machine_label: string;
  /** Our proxy keeps a journal, lists `resend` and never injects twice; others do not. */
  readonly journal: boolean;
  readonly echoes: boolean;
  /** Initial sessions; the proxy finds others later. */
  readonly sessions: readonly string[];
}

/** Effects of a proxy on the agents of its machine, which no relay can undo. */
export type AgentAction =
  | { readonly did: 'inject'; readonly session_id: string; readonly id: string; readonly content: string }
  | { readonly did: 'click'; readonly session_id: string; readonly id: string; readonly choice_id: string }
  | { readonly did: 'launch'; readonly session_id: string; readonly id: string };

interface Agent {
  readonly session_id: string;
  /** Not found at present: omitted from snapshots. */
  away: boolean;
  status: Session['status'];
  title: string;
  model_id: string;
  readonly transcript: Map<string, string>;
}

export interface ModelProxy {
  readonly traits: ProxyTraits;
  readonly log: PeerLog;
  readonly peer: Peer;
  readonly actions: readonly AgentAction[];
  readonly agents: ReadonlyMap<string, Agent>;
  readonly start: () => void;
  /** Kills the process: work under way is lost, its journal stays. */
  readonly die: (hears: readonly Side[]) => void;
  readonly act: (action: ProxyAction) => boolean;
  /** Ends all faults: sends every pending report, and finds every agent again. */
  readonly settle: () => void;
}

export const PROXY_ACTIONS = [
  'speak',
  'revise',
  'status',
  'retitle',
  'prompt',
  'withdraw',
  'configure',
  'appear',
  'vanish',
  'close',
  'snapshot',
] as const;
export type ProxyAction = (typeof PROXY_ACTIONS)[number];

const MAX_AGENTS = 4;
export function createProxy(
  context: SimulationContext,
  traits: ProxyTraits,
  dial: () => Line | undefined,
): ModelProxy {
  const { random } = context;
  const agents = new Map<string, Agent>();
  const dialogs = createDialogs(context);
  const journal = new Map<string, FrameOf<'proxy_send_result'> | undefined>();
  /** Latest attempt of each injection in this life. */
  const underWay = new Map<string, { attempt?: number }>();
  const actions: AgentAction[] = [];
  const unreported: ChatFrame[] = [];
  let calm = false;
  let life = 0;

  const alive = () => {
    const mine = life;
    return () => life === mine;
  };
  const later = (ms: number, run: () => void) => context.after(random.int(1, ms), run, alive());
  const report = (frame: ChatFrame): void => {
    if (!peer.send(frame) && (calm || random.chance(0.7))) unreported.push(frame);
  };
  const sometimes = (probability: number) => !calm && random.chance(probability);

  const appear = (session_id = context.id('sess')): string => {
    const fresh = { away: false, status: 'healthy', title: 'one', model_id: 'unknown' } as const;
    agents.set(session_id, { session_id, ...fresh, transcript: new Map() });
    return session_id;
  };

  const snapshot = (): boolean =>
    peer.send({
      type: 'proxy_session_snapshot',
      ...V1,
      sessions: [...agents.values()]
        .filter(({ away }) => !away)
        .map(({ session_id, status, title }) => ({
          session_id,
          agent_type: 'codex',
          status,
          window_title: title,
          machine_label: traits.machine_label,
        })),
    });

  const configure = ({ session_id, model_id }: Agent): void => {
    report({ type: 'agent_config', ...V1, session_id, model_id });
  };

  const speak = ({ session_id, transcript }: Agent, message_id: string, content: string): void => {
    transcript.set(message_id, content);
    const message = { message_id, role: 'assistant', content, created_at: context.iso() };
    peer.send({ type: 'proxy_message', ...V1, session_id, message });
  };

  const introduce = (): void => {
    snapshot();
    for (const frame of unreported.splice(0)) peer.send(frame);
    for (const agent of agents.values()) {
      if (agent.away) continue;
      configure(agent);
      const recent = [...agent.transcript].slice(calm ? 0 : -2);
      for (const [message_id, content] of recent) speak(agent, message_id, content);
    }
    for (const prompt of dialogs.shown())
      if (agents.get(prompt.session_id)?.away === false) peer.send(prompt);
  };

  const inject = (frame: FrameOf<'send_message'>): void => {
    const { session_id, client_message_id, content = '', attempt } = frame;
    const key = `${session_id} ${client_message_id}`;
    const delivered = attempt !== undefined && (traits.journal || random.chance(0.5)) ? { attempt } : {};
    const of = { type: 'proxy_send_result', ...V1, session_id, client_message_id, ...delivered } as const;
    const running = underWay.get(key);
    if (traits.journal && running !== undefined) {
      Object.assign(running, delivered);
      return;
    }
    if (traits.journal && journal.has(key)) {
      const error = { code: 'delivery_unknown', message: 'Begun before, with an unknown end.' };
      report({ ...(journal.get(key) ?? { ...of, result: 'failed', error }), ...delivered });
      return;
    }
    journal.set(key, undefined);
    const latest = { ...delivered };
    underWay.set(key, latest);
    later(sometimes(0.05) ? 40_000 : 300, () => {
      const fails = agents.get(session_id)?.away !== false || sometimes(0.1);
      if (!fails) actions.push({ did: 'inject', session_id, id: client_message_id, content });
      const result: FrameOf<'proxy_send_result'> = {
        ...of,
        ...latest,
        result: fails ? 'failed' : 'delivered',
      };
      journal.set(key, result);
      underWay.delete(key);
      if (!fails && traits.echoes) echo(session_id, client_message_id, content);
      // Never reports some of them.
      if (!sometimes(0.04)) later(200, () => report(result));
    });
  };

  const echo = (session_id: string, client_message_id: string, content: string): void => {
    const known = random.chance(0.5) ? { message_id: client_message_id } : {};
    const message = { ...known, role: 'user', content, created_at: context.iso() };
    peer.send({ type: 'proxy_message', ...V1, session_id, message });
  };

  const launch = ({ request_id = '' }: FrameOf<'launch_session'>): void => {
    const slow = sometimes(0.2);
    later(slow ? 40_000 : 3_000, () => {
      if (sometimes(0.2)) {
        report({
          type: 'session_launch_failed',
          ...V1,
          request_id,
          error_code: 'agent_not_open',
          reason: 'no',
        });
        return;
      }
      const session_id = appear();
      actions.push({ did: 'launch', session_id, id: request_id });
      const listsFirst = random.chance(0.5);
      if (listsFirst) snapshot();
      report({ type: 'session_launch_ack', ...V1, request_id, session_id });
      if (!listsFirst) later(500, snapshot);
    });
  };

  const close = (session_id: string, request_id?: string): void => {
    if (!agents.delete(session_id)) return;
    dialogs.close(session_id);
    report({ type: 'session_closed', ...V1, session_id, ...(request_id !== undefined && { request_id }) });
  };

  const result = (of: ChatFrame & { session_id: string }, ok: boolean): void => {
    const { request_id, session_id, type } = of;
    if (request_id === undefined) return;
    const error = ok ? {} : { error: { code: 'agent_not_active', message: 'no' } };
    const frame = { type: 'agent_control_result', ...V1, request_id, session_id, command: type } as const;
    peer.send({ ...frame, result: ok ? 'ok' : 'failed', ...error });
  };

  const click = (frame: FrameOf<'permission_response'>): void => {
    const { session_id, prompt_id, choice_id } = frame;
    if (!agents.has(session_id)) return;
    if (dialogs.isShown(frame) && sometimes(0.15)) {
      result(frame, false);
      return;
    }
    if (!dialogs.click(frame)) return;
    actions.push({ did: 'click', session_id, id: prompt_id, choice_id });
    if (!sometimes(0.1)) later(sometimes(0.1) ? 15_000 : 200, () => result(frame, true));
  };

  const onFrame = (frame: ChatFrame): void => {
    switch (frame.type) {
      case 'connection_ack':
        introduce();
        return;
      case 'send_message':
        inject(frame);
        return;
      case 'launch_session':
        launch(frame);
        return;
      case 'close_session':
        later(500, () => close(frame.session_id, frame.request_id));
        return;
      case 'permission_response':
        click(frame);
        return;
      case 'agent_interrupt':
        result(frame, random.chance(0.5));
        return;
      case 'agent_config_request':
      case 'agent_set_model': {
        const agent = agents.get(frame.session_id);
        if (agent === undefined) return;
        if (frame.type === 'agent_set_model') agent.model_id = frame.model_id;
        configure(agent);
        result(frame, true);
      }
    }
  };

  const peer = createPeer(context, {
    name: traits.name,
    dial,
    hello: () => ({
      type: 'connection_hello',
      ...V1,
      peer_role: 'proxy',
      client_name: 'model-proxy',
      machine_label: traits.machine_label,
      ...(traits.journal && { features: ['resend'], client_id: `${traits.name} ${life}` }),
    }),
    onFrame,
    onDown: () => {},
  });

  const ofAgent = (run: (agent: Agent) => boolean): boolean => {
    const here = [...agents.values()].filter(({ away }) => !away);
    return here.length > 0 && run(random.pick(here));
  };

  const act = (action: ProxyAction): boolean => {
    switch (action) {
      case 'speak':
        return ofAgent((agent) => {
          const id = context.id('said');
          speak(agent, id, id);
          return true;
        });
      case 'revise':
        return ofAgent((agent) => {
          const last = [...agent.transcript].at(-1);
          if (last === undefined) return false;
          speak(agent, last[0], random.chance(0.3) ? last[1] : `${last[1]}.`);
          return true;
        });
      case 'status':
        return ofAgent((agent) => {
          agent.status = random.pick(['healthy', 'degraded', 'scraping_failed']);
          const { session_id, status } = agent;
          return peer.send({ type: 'proxy_status', ...V1, session_id, status });
        });
      case 'retitle':
        return ofAgent((agent) => {
          agent.title = random.pick(['one', 'two', 'three']);
          return snapshot();
        });
      case 'prompt':
        return ofAgent(({ session_id }) => peer.send(dialogs.show(session_id)));
      case 'withdraw': {
        const prompt = dialogs.withdraw();
        if (prompt === undefined) return false;
        const { session_id, prompt_id } = prompt;
        report({ type: 'permission_prompt_withdrawn', ...V1, session_id, prompt_id });
        return true;
      }
      case 'configure':
        return ofAgent((agent) => {
          agent.model_id = `model-${random.int(1, 3)}`;
          configure(agent);
          return true;
        });
      case 'appear': {
        const lost = [...agents.values()].find(({ away }) => away);
        if (lost !== undefined) lost.away = false;
        else if (agents.size < MAX_AGENTS) appear();
        return snapshot();
      }
      case 'vanish':
        return ofAgent((agent) => {
          agent.away = true;
          return snapshot();
        });
      case 'close':
        return ofAgent(({ session_id }) => {
          close(session_id);
          return true;
        });
      case 'snapshot':
        return snapshot();
    }
  };

  for (const session_id of traits.sessions) appear(session_id);
  for (let count = random.int(1, 2); count > 0; count -= 1) appear();

  return {
    traits,
    log: peer.log,
    peer,
    actions,
    agents,
    start: peer.start,
    die: (hears) => {
      life += 1;
      underWay.clear();
      peer.stop(hears);
    },
    act,
    settle: () => {
      calm = true;
      if (peer.isReady()) introduce();
      else peer.start();
    },
  };
}
