import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Identity, ROLES } from '../core/ports.ts';
import { DeviceError } from './device-error.ts';
import { checkInvitation, type InvitedAccess, type Way } from './invitation-policy.ts';

const inviter = (roles: Identity['roles'], scopes: readonly string[] = []): Identity => ({
  ...{ device_id: 'dev_1', label: 'One', roles, scopes },
});

function verdict(by: Identity | 'machine', access: InvitedAccess, way: Way): string {
  try {
    checkInvitation(by, access, way);
    return 'given';
  } catch (error) {
    if (error instanceof DeviceError) return error.code;
    throw error;
  }
}

test('every role to every role, both ways: owners give all, people let in people, nobody else gives', () => {
  for (const giver of ROLES) {
    for (const given of ROLES) {
      for (const way of ['mint', 'approval'] as const) {
        const may = giver === 'owner' || (giver === 'person' && given === 'person' && way === 'approval');
        const expected = may ? 'given' : 'forbidden';
        const got = verdict(inviter([giver]), { roles: [given], scopes: [] }, way);
        expect([giver, given, way, got]).toEqual([giver, given, way, expected]);
      }
    }
  }
});

test('a device that is no owner never gives more than it has', () => {
  const roles = fc.subarray([...ROLES], { minLength: 1 });
  const scopes = fc.subarray(['session:a', 'session:b', 'session:c']);
  const ways = fc.constantFrom('mint' as const, 'approval' as const);
  fc.assert(
    fc.property(roles, scopes, roles, scopes, ways, (has, sees, gives, shows, way) => {
      fc.pre(!has.includes('owner'));
      if (verdict(inviter(has, sees), { roles: gives, scopes: shows }, way) !== 'given') return;
      expect(gives).toEqual(['person']);
      expect(has).toContain('person');
      if (sees.length > 0) expect(shows).not.toHaveLength(0);
      if (sees.length > 0) expect(sees).toEqual(expect.arrayContaining(shows));
    }),
  );
});

test('refuses an owner with scopes', () => {
  expect(verdict('machine', { roles: ['owner'], scopes: ['session:a'] }, 'mint')).toBe('invalid_request');
});
