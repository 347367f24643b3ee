import { type McpServer, methods, type NewSessionRequest } from '@agentclientprotocol/sdk';
import type { AgentProcess } from './agent-process.ts';
import { type Settings, settingsOf } from './configuration.ts';

export interface Entry {
  readonly cwd: string;
  /** Undefined for a new one. */
  readonly sessionId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Load the history of the session. */
  readonly wantsPast: boolean;
}

export interface Entered {
  readonly sessionId: string;
  readonly settings: Settings;
}

const LEAVE_MS = 2_000;

/** `session/load` replays all messages, `session/resume` none. */
export async function enterSession(
  { agent, introduction }: AgentProcess,
  { cwd, sessionId, wantsPast, mcpServers }: Entry,
  signal: AbortSignal,
): Promise<Entered> {
  const at: NewSessionRequest = { cwd, mcpServers: [...mcpServers] };
  const limit = { cancellationSignal: signal, stopWaitingOnCancel: true };
  if (sessionId === undefined) {
    const made = await agent.request(methods.agent.session.new, at, limit);
    return { sessionId: made.sessionId, settings: settingsOf(made) };
  }
  const { loadSession = false, sessionCapabilities } = introduction.agentCapabilities ?? {};
  const canResume = sessionCapabilities?.resume != null;
  const request = { ...at, sessionId };
  const told =
    canResume && !(wantsPast && loadSession)
      ? await agent.request(methods.agent.session.resume, request, limit)
      : await agent.request(methods.agent.session.load, request, limit);
  return { sessionId, settings: settingsOf(told) };
}

/** Ends the session at the agent too, if it can and answers in time. */
export async function leaveSession({ agent, introduction }: AgentProcess, sessionId: string): Promise<void> {
  if (introduction.agentCapabilities?.sessionCapabilities?.close == null) return;
  const limit = { cancellationSignal: AbortSignal.timeout(LEAVE_MS), stopWaitingOnCancel: true };
  await agent.request(methods.agent.session.close, { sessionId }, limit).catch(() => {});
}
