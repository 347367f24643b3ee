import type { Session } from '@drawbridge/protocol';

const AGENTS: Readonly<Record<Session['agent_type'], string>> = {
  claude: 'Claude',
  codex: 'Codex',
  gemini: 'Gemini',
  unknown: 'Agent',
};

const firstOf = (...names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined && name.trim() !== '');

export const agentName = ({ agent_type, agent_name }: Pick<Session, 'agent_type' | 'agent_name'>): string =>
  firstOf(agent_name) ?? AGENTS[agent_type];

/** CHT-125: never its `target_id`. */
export const sessionName = (session: Session): string =>
  firstOf(session.display_name, session.window_title) ?? agentName(session);

/** `web-shop on studio`, as far as it is known. */
export function sessionPlace({ workspace_name, workspace_path, machine_label }: Session): string {
  const workspace = firstOf(
    workspace_name,
    workspace_path?.split(/[/\\]/).findLast((part) => part !== ''),
  );
  return [workspace, firstOf(machine_label)].filter((part) => part !== undefined).join(' · ');
}
