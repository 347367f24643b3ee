import type { Session } from '@drawbridge/protocol';

const AGENTS: ReadonlyMap<string, string> = new Map([
  ['claude', 'Claude'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini'],
  ['unknown', 'Agent'],
]);

const firstOf = (...names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined && name.trim() !== '');

interface NamedAgent {
  readonly agent_type: string;
  readonly agent_name?: string | undefined;
}

export const agentName = ({ agent_type, agent_name }: NamedAgent): string =>
  firstOf(agent_name) ?? AGENTS.get(agent_type) ?? agent_type;

/** CHT-125: never its `target_id`. */
export const sessionName = (session: Session): string =>
  firstOf(session.display_name, session.window_title) ?? agentName(session);

/** Name of the session's folder. */
export const workspaceName = ({ workspace_name, workspace_path }: Session): string | undefined =>
  firstOf(
    workspace_name,
    workspace_path?.split(/[/\\]/).findLast((part) => part !== ''),
  );

/** `web-shop · studio`, as far as it is known. The machine of an agent that came by itself has the agent's name. */
export const sessionLocation = (session: Session): string =>
  [workspaceName(session), firstOf(session.machine_label)]
    .filter((part) => part !== undefined && part !== sessionName(session))
    .join(' · ');
