import type { Identity } from '../../core/ports.ts';

/** A device that was let in to some sessions only, as a guest is. */
const isConfined = ({ scopes }: Identity): boolean => scopes.some((scope) => scope.startsWith('session:'));

/** Whether a device may call tools in people's browsers. A guest of a session may not. */
export const mayAct = (identity: Identity): boolean =>
  !isConfined(identity) &&
  ['agent', 'person', 'owner'].some((role) => identity.roles.some((own) => own === role));

export const isPerson = ({ roles }: Identity): boolean => roles.includes('owner') || roles.includes('person');

/** CHT-92, for what belongs to a session: a proxy sees its own, a guest those that it was let in to. */
export function maySeeSession(identity: Identity, session_id: string, proxy_device_id: string): boolean {
  if (identity.roles.includes('owner')) return true;
  if (identity.roles.includes('person')) {
    return !isConfined(identity) || identity.scopes.includes(`session:${session_id}`);
  }
  return identity.roles.includes('proxy') && identity.device_id === proxy_device_id;
}
