import type { Role } from '../core/ports.ts';
import { type Inviter, isOwner } from './device.ts';
import { DeviceError } from './device-error.ts';

/** Access of a new device. */
export interface InvitedAccess {
  readonly roles: readonly Role[];
  readonly scopes: readonly string[];
}

/** `approval`: somebody has read the new device's code from its screen. */
export type InvitationChannel = 'mint' | 'approval';

/**
 * No device gives more than it has. An owner gives every role; a person lets in other people, only by
 * approval and only for sessions they see themselves; nobody else gives anything.
 */
export function checkInvitation(
  by: Inviter,
  { roles, scopes }: InvitedAccess,
  channel: InvitationChannel,
): void {
  if (roles.includes('owner') && scopes.length > 0) {
    throw new DeviceError('invalid_request', 'An owner sees everything: give it no scopes, or another role.');
  }
  if (by === 'machine' || isOwner(by)) return;
  if (channel === 'mint' || !by.roles.includes('person')) {
    throw new DeviceError('forbidden', 'Only an owner adds devices: do this on a device with that role.');
  }
  if (roles.some((role) => role !== 'person')) {
    throw new DeviceError('forbidden', 'A person lets in people only: ask an owner to give other roles.');
  }
  const isWithin = scopes.length > 0 && scopes.every((scope) => by.scopes.includes(scope));
  if (by.scopes.length > 0 && !isWithin) {
    throw new DeviceError(
      'forbidden',
      'This device sees some sessions only, and can let others see no more.',
    );
  }
}
