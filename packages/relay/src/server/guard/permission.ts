import type { Identity } from '../../core/ports.ts';

/** A device with limited access, such as a guest. An unknown scope grants nothing. */
const isConfined = ({ scopes }: Identity): boolean => scopes.length > 0;

export const isOwner = ({ roles }: Identity): boolean => roles.includes('owner');

export const isPerson = (identity: Identity): boolean =>
  isOwner(identity) || identity.roles.includes('person');

/** A token that the relay made for the agent of one session, and nothing else (CHT-329). */
export const isSessionAgent = ({ roles, scopes }: Identity): boolean =>
  roles.includes('agent') && scopes.length === 1 && scopes[0]?.startsWith('thread:') === true;

/** Whether a device may call tools in people's browsers. A guest of a session may not. */
export const mayAct = (identity: Identity): boolean =>
  isSessionAgent(identity) ||
  (!isConfined(identity) && (isPerson(identity) || identity.roles.includes('agent')));

/** A person who is no guest of a session: stored data and the halt concern everybody. */
export const isAtHome = (identity: Identity): boolean => isPerson(identity) && !isConfined(identity);

export const mayHaveFiles = (identity: Identity): boolean =>
  isPerson(identity) || identity.roles.includes('proxy');

/** CHT-92, for the parts of a session: a proxy sees its own, a guest those it was invited to. */
export function maySeeSession(identity: Identity, session_id: string, proxy_device_id: string): boolean {
  if (isOwner(identity)) return true;
  if (isPerson(identity)) return !isConfined(identity) || identity.scopes.includes(`session:${session_id}`);
  return identity.roles.includes('proxy') && identity.device_id === proxy_device_id;
}
