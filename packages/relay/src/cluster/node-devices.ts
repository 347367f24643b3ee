import type { Devices } from '../devices/devices.ts';
import { checkInvitation } from '../devices/invitation-policy.ts';
import { openOwner } from '../devices/owner.ts';
import { createRegister, type RegisterPorts } from '../devices/register.ts';

/** Device operations of any node. Invitations and codes live in the leader's memory. */
export type NodeDevices = Pick<
  Devices,
  'authenticate' | 'list' | 'mint' | 'revoke' | 'owner' | 'listening' | 'forget'
>;

export async function openNodeDevices(ports: RegisterPorts, dataFolder: string): Promise<NodeDevices> {
  const register = createRegister(ports);
  const { authenticate, list, revoke, forget, issue } = register;
  return {
    ...{ authenticate, list, revoke, forget },
    ...(await openOwner(register, dataFolder)),
    async mint({ roles, label, scopes = [], by }) {
      checkInvitation(by, { roles, scopes }, 'mint');
      return issue({ roles, label, scopes, by: by === 'machine' ? null : by.device_id }, 'mint');
    },
  };
}
