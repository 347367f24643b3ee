import type { Audit, JsonObject } from '@drawbridge/ledger';
import type { Identity } from '../core/ports.ts';
import type { Act } from './acts.ts';
import { isOwner } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { RegisterPorts } from './register.ts';

/** The part that a person reads before confirming. */
export interface Wanted {
  readonly act: Act;
  /** Roles that a new device would get. */
  readonly roles: readonly string[];
  /** Name of the new device, of the passkey, or of the place that would receive data. */
  readonly label: string;
}

export interface Confirmation extends Wanted {
  readonly id: string;
  /** The browser that waits for the confirmation. */
  readonly device_id: string;
  readonly device_label: string;
  readonly expires_at: number;
}

export type ConfirmationState = 'waiting' | 'confirmed' | 'refused';

/** Holds a browser's request until a passkey, another owner's device or the relay's terminal confirms it. */
export type Confirmations = ReturnType<typeof createConfirmations>;

interface Pending {
  readonly shown: Confirmation;
  readonly request: string;
  readonly cancel: () => void;
  state: ConfirmationState;
  readonly wakes: Set<() => void>;
}

const CONFIRMATION_MS = 5 * 60_000;
const AT_MOST = 50;
const AT_MOST_FROM_ONE = 5;

/** Kept in memory: a confirmation ends with the relay process. */
export function createConfirmations({
  ledger,
  clock,
  random,
}: Pick<RegisterPorts, 'ledger' | 'clock' | 'random'>) {
  const pending = new Map<string, Pending>();

  const drop = ({ shown, cancel, wakes }: Pending): void => {
    cancel();
    pending.delete(shown.id);
    for (const wake of wakes) wake();
  };

  /** Short, because people type it at the relay's terminal. Needs no secrecy: only an owner can confirm. */
  const newShortId = (): string => {
    const id = Buffer.from(random(4)).toString('hex');
    return pending.has(id) ? newShortId() : id;
  };

  const get = (id: string): Pending => {
    const found = pending.get(id);
    if (found !== undefined) return found;
    throw new DeviceError(
      'confirmation_not_found',
      'Nothing waits for this confirmation: it has expired, or was answered. Ask for it again.',
    );
  };

  const audit = ({ shown }: Pending, by: Identity, how: string): Audit => {
    const { id, act, roles, label, device_id } = shown;
    const detail: JsonObject = { how, act, roles: [...roles], label, for: device_id };
    return {
      do: 'audit',
      entry: { at: clock.now(), device_id: by.device_id, action: 'confirmed', subject: id, detail },
    };
  };

  async function settle(one: Pending, state: ConfirmationState, by: Identity, how: string): Promise<void> {
    if (state === 'confirmed') await ledger.commit([audit(one, by, how)]);
    one.state = state;
    for (const wake of one.wakes) wake();
  }

  return {
    /** A repeated request gets the same confirmation. */
    open(by: Identity, wanted: Wanted, request: string): Confirmation {
      const own = [...pending.values()].filter(({ shown }) => shown.device_id === by.device_id);
      const same = own.find((each) => each.request === request && each.state === 'waiting');
      if (same !== undefined) return same.shown;
      const [oldest] = own;
      if (own.length >= AT_MOST_FROM_ONE && oldest !== undefined) drop(oldest);
      if (pending.size >= AT_MOST) {
        throw new DeviceError(
          'pairing_full',
          'Too many requests wait for a confirmation: try again in five minutes.',
        );
      }
      const id = newShortId();
      const one: Pending = {
        shown: {
          ...wanted,
          id,
          device_id: by.device_id,
          device_label: by.label,
          expires_at: clock.now() + CONFIRMATION_MS,
        },
        request,
        cancel: clock.after(CONFIRMATION_MS, () => drop(one)),
        state: 'waiting',
        wakes: new Set(),
      };
      pending.set(id, one);
      return one.shown;
    },

    /** Succeeds once, and only for the exact request that the confirmation was opened for. */
    take(id: string, by: Identity, request: string): boolean {
      const one = pending.get(id);
      if (one?.state !== 'confirmed' || one.shown.device_id !== by.device_id || one.request !== request) {
        return false;
      }
      drop(one);
      return true;
    },

    list: (): readonly Confirmation[] =>
      [...pending.values()].filter(({ state }) => state === 'waiting').map(({ shown }) => shown),

    find: (id: string): Confirmation => get(id).shown,

    stateOf(id: string, by: Identity): ConfirmationState {
      const { shown, state } = get(id);
      if (shown.device_id !== by.device_id) throw notYours();
      return state;
    },

    /** Resolves when the confirmation was answered, or after `ms`. */
    async change(id: string, ms: number): Promise<void> {
      const one = pending.get(id);
      if (one?.state !== 'waiting') return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          cancel();
          one.wakes.delete(wake);
          resolve();
        };
        const cancel = clock.after(ms, wake);
        one.wakes.add(wake);
      });
    },

    /** Answered by an owner's other device. The waiting browser may also refuse. */
    async answer(id: string, by: Identity, verdict: 'confirm' | 'refuse'): Promise<void> {
      const one = get(id);
      const isOwn = one.shown.device_id === by.device_id;
      if (one.state !== 'waiting') throw answered();
      if (verdict === 'refuse' && (isOwn || isOwner(by))) return settle(one, 'refused', by, 'device');
      if (!isOwner(by) || isOwn) throw notYours();
      await settle(one, 'confirmed', by, 'device');
    },

    /** The caller has verified the passkey. */
    async confirmByPasskey(id: string, by: Identity): Promise<void> {
      const one = get(id);
      if (one.shown.device_id !== by.device_id) throw notYours();
      if (one.state !== 'waiting') throw answered();
      await settle(one, 'confirmed', by, 'passkey');
    },

    withdraw(device_id: string): void {
      for (const one of [...pending.values()]) if (one.shown.device_id === device_id) drop(one);
    },

    close(): void {
      for (const one of [...pending.values()]) drop(one);
    },
  };
}

const notYours = () =>
  new DeviceError(
    'forbidden',
    "An owner's other device confirms this, or the relay's terminal: drawbridge devices --approve ID.",
  );

const answered = () => new DeviceError('confirmation_refused', 'This was answered already.');
