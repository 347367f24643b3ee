import type { Identity } from '../core/ports.ts';
import type { BrowserKey } from './browser-key.ts';
import { DeviceError } from './device-error.ts';
import { createFailureLimiter } from './failure-limiter.ts';
import { checkInvitation, type InvitedAccess } from './invitation-policy.ts';
import type { Minted, NewBrowser, Order, Register, RegisterPorts } from './register.ts';
import { areSame, hashOf, newId, newSecret } from './secret.ts';

/** A code that a new device shows on its screen, and a secret that only the device knows. */
export interface PairingCode {
  readonly id: string;
  /** Six digits. */
  readonly code: string;
  readonly poll_secret: string;
  readonly expires_at: number;
}

export interface Approval extends InvitedAccess {
  readonly code: string;
  readonly by: Identity;
}

/** Collector: a program, which gets a token, or a browser, perhaps with the cookie of an earlier version. */
export type Collected = 'token' | { readonly former: string | undefined };

export type PairingCodes = ReturnType<typeof createPairingCodes>;

interface Pending {
  readonly id: string;
  readonly code_hash: string;
  readonly poll_hash: string;
  readonly label: string;
  readonly address: string;
  /** Key of the browser that shows the code. */
  readonly key: BrowserKey | undefined;
  readonly cancel: () => void;
  state:
    | { readonly is: 'waiting' }
    | { readonly is: 'approved'; readonly order: Order }
    | { readonly is: 'collected' };
  wake: () => void;
}

const CODE_MS = 5 * 60_000;
const WRONG_CODES = 5;
const AT_MOST = 20;
const AT_MOST_FROM_ONE_ADDRESS = 5;

/** Kept in memory: codes end with the relay process. */
export function createPairingCodes(
  { clock, random }: Pick<RegisterPorts, 'clock' | 'random'>,
  register: Pick<Register, 'issueTo'>,
) {
  const pending = new Map<string, Pending>();
  /** Lasts as long as a code: one approver gets five guesses in a million against it. */
  const wrong = createFailureLimiter(clock, WRONG_CODES, CODE_MS);
  const waiting = () => [...pending.values()].filter(({ state }) => state.is === 'waiting');

  const drop = ({ id, cancel, wake }: Pending) => {
    cancel();
    pending.delete(id);
    wake();
  };

  const newCode = (): string => {
    const code = String(Buffer.from(random(6)).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
    const isTaken = [...pending.values()].some(({ code_hash }) => code_hash === hashOf(code));
    return isTaken ? newCode() : code;
  };

  async function inviter(one: Pending, order: Order, browser: NewBrowser | undefined): Promise<Minted> {
    // Set before the first await, so only one of two concurrent collectors gets it.
    one.state = { is: 'collected' };
    try {
      const minted = await register.issueTo(browser, order, 'code');
      drop(one);
      return minted;
    } catch (error) {
      one.state = { is: 'approved', order };
      throw error;
    }
  }

  function find({ code, roles, scopes, by }: Approval): Pending {
    checkInvitation(by, { roles, scopes }, 'approval');
    const approver = [by.device_id];
    if (wrong.areTooMany(approver)) {
      throw new DeviceError(
        'rate_limited',
        `${WRONG_CODES} codes from this device were wrong: approve in five minutes, or on another device.`,
      );
    }
    const hash = hashOf(code);
    const one = waiting().find(({ code_hash }) => areSame(code_hash, hash));
    if (one !== undefined) return one;
    wrong.add(approver);
    throw new DeviceError(
      'pairing_not_found',
      `No device shows this code. Compare the digits: after ${WRONG_CODES} wrong ones this device has to wait.`,
    );
  }

  return {
    open(label: string, address: string, key?: BrowserKey): PairingCode {
      const here = [...pending.values()].filter((each) => each.address === address);
      if (pending.size >= AT_MOST || here.length >= AT_MOST_FROM_ONE_ADDRESS) {
        throw new DeviceError('pairing_full', 'Too many codes wait for approval: try again in five minutes.');
      }
      const [id, code, poll_secret] = [newId('pair', random), newCode(), newSecret(random)];
      const one: Pending = {
        id,
        code_hash: hashOf(code),
        poll_hash: hashOf(poll_secret),
        label,
        address,
        key,
        cancel: clock.after(CODE_MS, () => drop(one)),
        state: { is: 'waiting' },
        wake: () => {},
      };
      pending.set(id, one);
      return { id, code, poll_secret, expires_at: clock.now() + CODE_MS };
    },

    /** Label of the device that shows the code; throws where `approve` would. */
    check: (approval: Approval): { readonly label: string } => ({ label: find(approval).label }),

    /**
     * Label of the device that was let in. Wrong codes count against the approver, not against the waiting
     * devices.
     */
    approve(approval: Approval): { readonly label: string } {
      const { roles, scopes, by } = approval;
      const one = find(approval);
      one.state = { is: 'approved', order: { roles, scopes, label: one.label, by: by.device_id } };
      one.wake();
      return { label: one.label };
    },

    /** Undefined until approved; then the token, once. A wrong secret throws at once. */
    collect(id: string, poll_secret: string, as: Collected = 'token'): Promise<Minted | undefined> {
      const one = pending.get(id);
      const isTheirs = one !== undefined && areSame(one.poll_hash, hashOf(poll_secret));
      if (!isTheirs || one.state.is === 'collected') {
        throw new DeviceError(
          'pairing_not_found',
          'This code has expired, or was collected. Ask for a new one.',
        );
      }
      if (one.state.is === 'waiting') return Promise.resolve(undefined);
      if (as !== 'token' && one.key === undefined) {
        throw new DeviceError(
          'invalid_request',
          'This code was asked for without a key: collect it ?as=token.',
        );
      }
      const browser = as === 'token' || one.key === undefined ? undefined : { key: one.key, ...formerOf(as) };
      return inviter(one, one.state.order, browser);
    },

    /** Resolves when there is something new to collect, or after `ms`. */
    async change(id: string, ms: number): Promise<void> {
      const one = pending.get(id);
      if (one?.state.is !== 'waiting') return;
      one.wake();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(ms, resolve);
        one.wake = () => {
          cancel();
          resolve();
        };
      });
    },

    withdraw(device_id: string): void {
      for (const one of [...pending.values()]) {
        if (one.state.is === 'approved' && one.state.order.by === device_id) drop(one);
      }
    },

    close(): void {
      wrong.close();
      for (const one of [...pending.values()]) drop(one);
    },
  };
}

const formerOf = ({ former }: { readonly former: string | undefined }) =>
  former === undefined ? {} : { former };
