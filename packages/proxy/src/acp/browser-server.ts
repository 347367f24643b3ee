import type { McpServer } from '@agentclientprotocol/sdk';
import type { AgentProcess } from './agent-process.ts';

/** How an agent reaches the tabs that a person lent to its session. */
export interface LentTabs {
  readonly url: string;
  readonly token: string;
}

export interface LendRequest {
  readonly session_id: string;
  /** The launch, before the relay knows the session. */
  readonly request_id?: string | undefined;
}

export interface Lender {
  /** Undefined where nothing is lent. */
  readonly tabs: (request: LendRequest, signal: AbortSignal) => Promise<LentTabs | undefined>;
  /** Program of an MCP server on standard input and output, and its arguments. */
  readonly server: readonly [string, ...string[]];
}

/** Asks the relay for the token of one session, with the proxy's own credential. */
export const tabLender =
  ({ url, token }: LentTabs): Lender['tabs'] =>
  async ({ session_id, request_id }, signal) => {
    const answer = await fetch(`${url}/api/sessions/${encodeURIComponent(session_id)}/browser`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...(request_id !== undefined && { request_id }) }),
      signal,
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const isLent = answer.status === 201 && typeof body === 'object' && body !== null && 'token' in body;
    return isLent && typeof body.token === 'string' ? { url, token: body.token } : undefined;
  };

/**
 * The relay's MCP server for `session/new`, `session/load` and `session/resume`. The token is in the
 * environment or a header: every user of the machine can read arguments. An agent that takes HTTP needs no
 * process; over TLS our own program trusts the relay's certificate, and the agent might not.
 */
export function browserServer(
  { url, token }: LentTabs,
  [command, ...args]: Lender['server'],
  { introduction }: Pick<AgentProcess, 'introduction'>,
): McpServer {
  const takesHttp = introduction.agentCapabilities?.mcpCapabilities?.http === true;
  if (takesHttp && url.startsWith('http:')) {
    const headers = [{ name: 'Authorization', value: `Bearer ${token}` }];
    return { type: 'http', name: NAME, url: `${url}/mcp`, headers };
  }
  const env = [
    { name: 'DRAWBRIDGE_RELAY', value: url },
    { name: 'DRAWBRIDGE_TOKEN', value: token },
  ];
  return { name: NAME, command, args, env };
}

const NAME = 'drawbridge';
