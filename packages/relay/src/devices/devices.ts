import type { Role } from '../core/ports.ts';
import { type Confirmations, createConfirmations } from './confirmations.ts';
import type { Inviter } from './device.ts';
import { checkInvitation } from './invitation-policy.ts';
import { type Invitations, openInvitations } from './invitations.ts';
import { type Owner, openOwner } from './owner.ts';
import { createPairingCodes, type PairingCodes } from './pairing-codes.ts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts';
import { createRegister, type Minted, type Register, type RegisterPorts } from './register.ts';

export interface DevicesOptions extends Omit<RegisterPorts, 'onError'> {
  /** Folder of the owner's file; without one, the first start's owner is only in `owner`. */
  readonly dataFolder?: string;
  /** Ledger errors of work that nobody awaits. */
  readonly onError?: (error: unknown) => void;
}

export interface MintOrder {
  readonly roles: readonly Role[];
  readonly label: string;
  readonly scopes?: readonly string[];
  readonly by: Inviter;
}

/** Authentication: the only place where a credential becomes an `Identity`. */
export interface Devices extends Omit<Register, 'issue' | 'issueTo' | 'newKey'>, Owner {
  readonly mint: (order: MintOrder) => Promise<Minted>;
  readonly invitations: Pick<Invitations, 'create' | 'claim'>;
  readonly codes: Pick<PairingCodes, 'open' | 'check' | 'approve' | 'collect' | 'change'>;
  readonly passkeys: Passkeys;
  readonly confirmations: Confirmations;
  readonly close: () => void;
}

export async function createDevices(options: DevicesOptions): Promise<Devices> {
  const { onError = () => {}, dataFolder } = options;
  const ports = { ...options, onError };
  const { issue, issueTo, newKey, ...register } = createRegister(ports);
  const invitations = await openInvitations(ports, { issueTo });
  const codes = createPairingCodes(ports, { issueTo });
  const confirmations = createConfirmations(ports);
  register.onRevoked((device_id) => {
    confirmations.withdraw(device_id);
    codes.withdraw(device_id);
    invitations.withdraw(device_id).catch(onError);
  });
  const { owner, listening, outsideUrl } = await openOwner(
    { ...register, issue, issueTo, newKey },
    dataFolder,
  );
  return {
    ...register,
    async mint({ roles, label, scopes = [], by }) {
      checkInvitation(by, { roles, scopes }, 'mint');
      return issue({ roles, label, scopes, by: by === 'machine' ? null : by.device_id }, 'mint');
    },
    invitations,
    codes,
    passkeys: createPasskeys(ports, { issueTo }),
    confirmations,
    owner,
    listening,
    outsideUrl,
    close() {
      codes.close();
      confirmations.close();
    },
  };
}
