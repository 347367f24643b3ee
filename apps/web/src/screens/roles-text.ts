import type { Words } from '@drawbridge/ui';
import type { Device } from '../client/api.ts';

/** The abilities of a device in words. Roles of a newer relay have their own names. */
export const rolesText = (
  { roles, scopes }: { readonly roles: readonly string[]; readonly scopes: Device['scopes'] },
  { devices }: Words,
): string => {
  if (scopes.length > 0) return devices.roles.guest;
  const known: Readonly<Record<string, string>> = devices.roles;
  return roles.map((role) => known[role] ?? role).join('; ');
};
