import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Identity, ROLES } from '../core/ports.ts';
import { DeviceError } from './device-error.ts';
import { checkInvitation, type InvitationChannel, type InvitedAccess } from './invitation-policy.ts';

const inviter = (roles: Identity['roles'], scopes: readonly string[] = []): Identity => ({
  ...{ device_id: 'dev_1', label: 'One', roles, scopes },
});

function verdict(by: Identity | 'machine', access: InvitedAccess, channel: InvitationChannel): string {
  try {
    checkInvitation(by, access, channel);
    return 'given';
  } catch (error) {
    if (error instanceof DeviceError) return error.code;
    throw error;
  }
}

test('every role to every role, both ways: owners give all, people let in people, nobody else gives', () => {
  for (const giver of ROLES) {
    for (const given of ROLES) {
      for (const channel of ['mint', 'approval'] as const) {
        const may = giver === 'owner' || (giver === 'person' && given === 'person' && channel === 'approval');
        const expected = may ? 'given' : 'forbidden';
        const got = verdict(inviter([giver]), { roles: [given], scopes: [] }, channel);
        expect([giver, given, channel, got]).toEqual([giver, given, channel, expected]);
      }
    }
  }
});

test('a device that is no owner never gives more than it has', () => {
  const roles = fc.subarray([...ROLES], { minLength: 1 });
  const scopes = fc.subarray(['session:a', 'session:b', 'session:c']);
  const ways = fc.constantFrom('mint' as const, 'approval' as const);
  fc.assert(
    fc.property(roles, scopes, roles, scopes, ways, (has, sees, gives, shows, channel) => {
      fc.pre(!has.includes('owner'));
      if (verdict(inviter(has, sees), { roles: gives, scopes: shows }, channel) !== 'given') return;
      expect(gives).toEqual(['person']);
      expect(has).toContain('person');
      expect(sees).toEqual([]);
    }),
  );
});

test('refuses an owner with scopes', () => {
  expect(verdict('machine', { roles: ['owner'], scopes: ['session:a'] }, 'mint')).toBe('invalid_request');
});
