import { CHAT_PROTOCOL_VERSION, type ChatFrame, chat, type Session } from '@drawbridge/protocol';
import type { NamedSession } from '@drawbridge/protocol/http';
import type { Connection, CoreClock, RelayCore } from '../../core/ports.ts';

export interface InterruptionOptions {
  readonly core: Pick<RelayCore, 'connect'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  /** Sessions without an agent. */
  readonly except: ReadonlySet<string>;
}

export interface Interruption {
  readonly interrupted: readonly NamedSession[];
  /** Agents that were idle (CHT-241). */
  readonly idle: readonly NamedSession[];
  readonly failed: readonly (NamedSession & { readonly reason: string })[];
}

const ANSWER_MS = 5_000;
const NO_ANSWER = 'The agent did not answer within five seconds. Look at the agent itself.';

/** Interrupts every connected agent, as a person's screen would, and waits for their answers. */
export function interruptAgents(options: InterruptionOptions, label: string): Promise<Interruption> {
  const { core, clock, id, except } = options;
  return new Promise((resolve) => {
    const asked = new Map<string, NamedSession>();
    const interrupted: NamedSession[] = [];
    const idle: NamedSession[] = [];
    const failed: (NamedSession & { readonly reason: string })[] = [];
    let connection: Connection | undefined;

    const say = (frame: Record<string, unknown>): void =>
      connection?.receive(JSON.stringify({ protocol_version: CHAT_PROTOCOL_VERSION, ...frame }));

    const finish = (reason: string): void => {
      cancel();
      for (const session of asked.values()) failed.push({ ...session, reason });
      asked.clear();
      connection?.closed();
      resolve({ interrupted, idle, failed });
    };

    const interrupt = (sessions: readonly Session[]): void => {
      const here = sessions.filter(
        ({ session_id, status }) => status !== 'disconnected' && !except.has(session_id),
      );
      for (const { session_id, display_name, agent_name } of here) {
        asked.set(id('req'), { session_id, name: display_name ?? agent_name ?? session_id });
      }
      for (const [request_id, { session_id }] of asked)
        say({ type: 'agent_interrupt', session_id, request_id });
      if (asked.size === 0) finish(NO_ANSWER);
    };

    const hear = (frame: ChatFrame): void => {
      if (frame.type === 'session_snapshot') interrupt(frame.sessions);
      if (frame.type !== 'agent_control_result') return;
      const { request_id = '', result, error } = frame;
      const session = asked.get(request_id);
      if (session === undefined) return;
      asked.delete(request_id);
      if (result === 'ok') interrupted.push(session);
      else if (error?.code === 'agent_not_active') idle.push(session);
      else failed.push({ ...session, reason: error?.message ?? 'The agent could not be interrupted.' });
      if (asked.size === 0) finish(NO_ANSWER);
    };

    const cancel = clock.after(ANSWER_MS, () => finish(NO_ANSWER));
    connection = core.connect({
      // Uses a separate device: messages held for the requesting one (CHT-190) would go to this connection
      // and be lost.
      identity: { device_id: id('halt'), roles: ['owner'], label, scopes: [] },
      send(text) {
        hear(chat.parse(text));
        return true;
      },
      drained: () => Promise.resolve(),
      close: () => finish('The relay is stopping.'),
    });
    say({ type: 'connection_hello', peer_role: 'browser', client_name: 'drawbridge-halt' });
  });
}
