import type { Bridge } from '@drawbridge/bridge';
import type { Ledger } from '@drawbridge/ledger';
import { plainLine } from '@drawbridge/protocol';
import { AGENT_DEVICE, agentSession, isAgentSession } from '../approvals/prompt-asker.ts';
import { trustSession } from '../core/frames.ts';
import type { Identity } from '../core/ports.ts';
import type { AgentHolds } from './agent-holds.ts';
import type { BrowserThread, BrowserThreadOptions } from './browser-thread.ts';
import type { Inboxes } from './inboxes.ts';
import { openSteps, settleThread } from './thread-recovery.ts';

export interface OwnThreadsOptions {
  readonly ledger: Pick<Ledger, 'heads' | 'eventsAfter' | 'openPrompts' | 'session'>;
  readonly bridge: () => Pick<Bridge, 'cancelAll'>;
  readonly inboxes: Inboxes;
  readonly holds: Pick<AgentHolds, 'resume' | 'endPause'>;
  readonly open: (device_id: string, options: OpenOptions) => BrowserThread;
  readonly onError: (error: unknown) => void;
}

export type OpenOptions = Pick<
  BrowserThreadOptions,
  'session_id' | 'proxy_device_id' | 'label' | 'origins' | 'onInterrupt' | 'own'
>;

/** Conversations of agents that came by themselves (CHT-342). */
export function createOwnThreads(options: OwnThreadsOptions) {
  const { ledger, bridge, inboxes, holds, open, onError } = options;
  const agents = new Map<string, Identity>();
  /** By device and the slug of the client. */
  const threads = new Map<string, ReadonlyMap<string, BrowserThread>>();
  /** Open connections of a thread's programs. */
  const programs = new Map<BrowserThread, Set<object>>();

  const begin = (
    { device_id, label }: Pick<Identity, 'device_id' | 'label'>,
    client: string,
  ): BrowserThread => {
    const there = threads.get(device_id) ?? new Map<string, BrowserThread>();
    const name = there.has(slugOf(client)) || there.size < MAX_CLIENTS ? client : OTHERS;
    const slug = slugOf(name);
    const known = there.get(slug);
    if (known !== undefined) return known;
    const speaker = `${AGENT_DEVICE}${device_id}_${slug}`;
    const cancel = (words: string, calls?: ReadonlySet<string>) =>
      bridge().cancelAll(words, device_id, calls);
    const thread: BrowserThread = open(device_id, {
      ...{ session_id: agentSession(speaker), proxy_device_id: device_id, label: name },
      // CHT-345: a stop is for the credential, whatever its programs call themselves.
      onInterrupt: cancel,
      own: {
        ...{ machine_label: label, device_id: speaker },
        onClose: () => cancel(CLOSED, thread.openCalls()),
      },
    });
    threads.set(device_id, new Map([...there, [slug, thread]]));
    return thread;
  };

  const all = (): readonly BrowserThread[] => [...threads.values()].flatMap((each) => [...each.values()]);

  const of = (device_id: string, client: string | undefined): BrowserThread | undefined => {
    const agent = agents.get(device_id);
    return agent && begin(agent, plainLine(client ?? '', MAX_LABEL) || agent.label);
  };

  return {
    /** An agent without a launched session, which gets a conversation with its first call. */
    meet(identity: Identity): void {
      const { device_id, roles, scopes } = identity;
      if (roles.includes('agent') && scopes.length === 0) agents.set(device_id, identity);
    },
    /** The thread of an agent that has been met; begins it if needed. */
    of,
    /** A connection has called as this client. */
    joined(device_id: string, client: string | undefined, link: object): void {
      const thread = of(device_id, client);
      if (thread !== undefined) programs.set(thread, (programs.get(thread) ?? new Set()).add(link));
    },
    /** A connection has closed: without another one its conversation is away, and messages wait. */
    left(link: object): void {
      const open = new Set(all());
      for (const [thread, links] of programs) {
        if (!links.delete(link) || links.size > 0) continue;
        programs.delete(thread);
        if (open.has(thread) && thread.openCalls().size === 0) thread.leave();
      }
    },
    all,
    /** A person closed the session. The agent's next call begins it again. */
    closed(session_id: string): void {
      const thread = all().find((each) => each.session_id === session_id);
      if (thread !== undefined) {
        const { proxy_device_id: device_id } = thread;
        const calls = thread.openCalls();
        thread.close();
        threads.set(
          device_id,
          new Map([...(threads.get(device_id) ?? [])].filter(([, each]) => each !== thread)),
        );
        bridge().cancelAll(CLOSED, device_id, calls);
      }
      inboxes.set(session_id, []).catch(onError);
    },
    revoked(device_id: string): void {
      for (const thread of threads.get(device_id)?.values() ?? []) thread.close();
      threads.delete(device_id);
      agents.delete(device_id);
      const prefix = agentSession(`${AGENT_DEVICE}${device_id}_`);
      for (const session_id of inboxes.sessions())
        if (session_id.startsWith(prefix)) inboxes.set(session_id, []).catch(onError);
      holds.resume(prefix);
      holds.endPause(prefix);
    },
    /** They are away after a restart; what an earlier relay left open is settled. */
    async restore(): Promise<void> {
      const prompts = new Set((await ledger.openPrompts()).map(({ session_id }) => session_id));
      for (const { session_id, head } of await ledger.heads()) {
        if (!isAgentSession(session_id)) continue;
        const session = await ledger.session(session_id);
        if (session === undefined || session.closed_at !== null) continue;
        const isLeftOpen =
          prompts.has(session_id) || (await openSteps(ledger, { session_id, head })).length > 0;
        if (!isLeftOpen) continue;
        const { display_name = '', machine_label: label = '' } = trustSession(session.metadata);
        const speaker = session.proxy_device_id;
        const device_id = speaker.slice(AGENT_DEVICE.length, -1 - slugOf(display_name).length);
        const thread = begin({ device_id, label }, display_name);
        await settleThread(ledger, thread, head);
        thread.leave();
      }
    },
  };
}

export const CLOSED = 'The session was closed.';

/** Part of a session id: a client's name is free text. */
const slugOf = (client: string): string =>
  client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40) || 'agent';

/** A device may name as many clients as it likes; further ones share a conversation. */
const MAX_CLIENTS = 20;
const OTHERS = 'Other agents';
const MAX_LABEL = 80;
