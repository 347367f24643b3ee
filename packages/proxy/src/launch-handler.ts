import type { FrameOf } from '@drawbridge/link/chat';
import { type AgentAdapter, refusal, requirePower } from './adapter.ts';
import { failureOf } from './failure.ts';
import type { SessionBook } from './session-book.ts';
import type { Workspaces } from './workspaces.ts';

interface LaunchHandlerOptions {
  readonly book: SessionBook;
  readonly adapters: readonly AgentAdapter[];
  readonly workspaces: Workspaces;
  readonly launchMs: number | undefined;
}

export type LaunchHandler = ReturnType<typeof createLaunchHandler>;

/** CHT-205: the relay gives up after 30 s. */
const LAUNCH_MS = 29_000;

/** Launches and closes conversations, each with one answer. */
export function createLaunchHandler(options: LaunchHandlerOptions) {
  const { book, adapters, workspaces, launchMs = LAUNCH_MS } = options;

  const adapterOf = (agent_type: string): AgentAdapter => {
    const adapter = adapters.find(({ name }) => name === agent_type);
    if (adapter === undefined) {
      const names = adapters.map(({ name }) => name).join(', ');
      throw refusal('launch_not_supported', `This proxy starts no "${agent_type}". It starts: ${names}.`);
    }
    requirePower(adapter.powers, 'launch', adapter.name);
    return adapter;
  };

  const begin = async (frame: FrameOf<'launch_session'>): Promise<void> => {
    const { request_id = '', agent_type, workspace_path, window_title, browser } = frame;
    const adapter = adapterOf(agent_type);
    const asked = workspace_path === undefined ? undefined : workspaces.find(workspace_path);
    // CHT-308
    if (workspace_path !== undefined && asked === undefined) {
      const shared = workspaces.all.join(', ');
      const reason = `${workspace_path} is not shared by this proxy. Shared folders: ${shared}.`;
      throw refusal('launch_not_supported', reason);
    }
    const workspace = asked ?? workspaces.all[0];
    if (workspace === undefined) throw refusal('launch_not_supported', 'This proxy was given no workspace.');
    const signal = AbortSignal.timeout(launchMs);
    const target = await adapter.launch({
      ...{ workspace, signal, browser },
      ...(window_title && { title: window_title }),
    });
    const configuration = await target.configuration().catch(() => undefined);
    const session = book.adopt(adapter.name, target);
    const { session_id } = session;
    if (configuration !== undefined) session.learn(configuration);
    book.sendAll();
    book.send({ type: 'session_launch_ack', request_id, session_id, agent_type });
    for (const hello of session.hello()) book.send(hello);
  };

  return {
    async launch(frame: FrameOf<'launch_session'>): Promise<void> {
      const { request_id = '', agent_type } = frame;
      try {
        await begin(frame);
      } catch (error) {
        const { code, message } = failureOf(error, 'agent_not_open');
        book.send({
          type: 'session_launch_failed',
          request_id,
          agent_type,
          error_code: code,
          reason: message,
        });
      }
    },
    async close({ request_id = '', session_id }: FrameOf<'close_session'>): Promise<void> {
      const session = book.get(session_id);
      // The relay knows a session that is gone here.
      if (session === undefined) {
        book.send({ type: 'session_closed', session_id, request_id, reason: 'target_closed' });
        return;
      }
      try {
        await session.target.close();
        book.drop(session, 'user_requested', request_id);
      } catch (error) {
        const { message } = failureOf(error, 'control_not_supported');
        book.record(session_id, `It could not be closed: ${message}`);
      }
    },
  };
}
