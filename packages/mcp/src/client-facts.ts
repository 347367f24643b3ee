import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { textAt, valueAt } from './loose-value.ts';

/** The client: sent with each request in the current revision, once in the older one. */
export function clientOf(server: Server, ctx: ServerContext): Implementation | undefined {
  const told = valueAt(ctx.mcpReq.envelope, CLIENT_INFO_META_KEY);
  const name = textAt(told, 'name');
  if (name === undefined) return server.getClientVersion();
  return { name, version: textAt(told, 'version') ?? '' };
}

/** An empty `elicitation` means forms, as before modes existed. */
export function canShowForms(server: Server, ctx: ServerContext): boolean {
  const capabilities =
    valueAt(ctx.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  const elicitation = valueAt(capabilities, 'elicitation');
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
