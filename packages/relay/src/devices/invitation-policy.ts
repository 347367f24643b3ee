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
 * No device gives more than it has. An owner gives every role; a person who is no guest lets in other
 * people, only by approval; nobody else gives anything.
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
  // The one who was let in would outlive the guest's own invitation.
  if (by.scopes.length > 0) {
    throw new DeviceError('forbidden', 'A guest lets nobody in: ask the person who invited you.');
  }
}
