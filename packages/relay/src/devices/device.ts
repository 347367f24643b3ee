import type { DeviceRecord } from '@drawbridge/ledger';
import { type Identity, ROLES, type Role } from '../core/ports.ts';
import { DeviceError } from './device-error.ts';

/** Public facts of a device: everything except the hash of its token. */
export interface Device extends Identity {
  readonly created_at: number;
  readonly last_seen_at: number | null;
  readonly revoked_at: number | null;
  /** Id of the device that let it in; null for this machine and for a passkey. */
  readonly by: string | null;
}

/** The actor: a device, or a program that may write to the relay's folder. */
export type Inviter = Identity | 'machine';

export const inviterId = (inviter: Inviter): string | null =>
  inviter === 'machine' ? null : inviter.device_id;

export const isOwner = (inviter: Inviter): boolean =>
  inviter === 'machine' || inviter.roles.includes('owner');

export function deviceOf({ token_hash: _, roles, ...rest }: DeviceRecord, by: string | null): Device {
  return { ...rest, by, roles: ROLES.filter((role) => roles.includes(role)) };
}

export function identityOf({ device_id, roles, label, scopes }: Identity): Identity {
  return { device_id, roles, label, scopes };
}

export function parseRoles(value: unknown): readonly Role[] {
  const roles = ROLES.filter((role) => Array.isArray(value) && value.includes(role));
  if (!Array.isArray(value) || roles.length === 0 || roles.length !== value.length) {
    throw new DeviceError('invalid_request', `"roles" is a list, each once, of: ${ROLES.join(', ')}.`);
  }
  return roles;
}

const LABEL_LENGTH = 80;
/** Characters that break a line, reverse text or cannot be stored: labels appear inside other sentences. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Undefined when no visible character is left. */
export function parseLabel(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new DeviceError('invalid_request', '"label" is a text.');
  const seen = [...value.slice(0, 10 * LABEL_LENGTH).replace(UNSEEN, '')]
    .slice(0, LABEL_LENGTH)
    .join('')
    .trim();
  return seen === '' ? undefined : seen;
}

/** The only kind of scope: a device with a scope that nothing checks would see everything. */
const SCOPE = /^session:[\w.:-]{1,200}$/;

export function parseScopes(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > 100) {
    throw new DeviceError('invalid_request', '"scopes" is a list of at most 100 texts.');
  }
  return value.map((scope: unknown) => {
    if (typeof scope === 'string' && SCOPE.test(scope)) return scope;
    throw new DeviceError('invalid_request', 'A scope is "session:ID", with the id of a session.');
  });
}
