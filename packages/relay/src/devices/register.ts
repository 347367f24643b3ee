import type { KeyObject } from 'node:crypto';
import { RecentMap } from '@drawbridge/base';
import type { Audit, DeviceRecord, JsonObject, Ledger, Write } from '@drawbridge/ledger';
import type { AuditAction } from '@drawbridge/protocol/http';
import type { CoreClock, Identity } from '../core/ports.ts';
import { type BrowserKey, browserKeySetting, browserKeyWrite, parseStoredKey } from './browser-key.ts';
import { type Device, deviceOf, type Inviter, identityOf, inviterId, isOwner } from './device.ts';
import { DeviceError } from './device-error.ts';
import type { InvitedAccess } from './invitation-policy.ts';
import {
  areSame,
  hashOf,
  isBrowserName,
  isToken,
  newBrowserName,
  newId,
  newToken,
  type Random,
} from './secret.ts';

export interface RegisterPorts {
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

/** An authorized decision to add a device. */
export interface Order extends InvitedAccess {
  readonly label: string;
  /** Id of the inviting device; null for this machine. */
  readonly by: string | null;
}

export interface Key {
  readonly device_id: string;
  readonly token: string;
}

/** A browser named by a proof, with the key that verifies its proofs. */
export interface KnownBrowser {
  readonly identity: Identity;
  readonly key: KeyObject;
}

/** A browser that asks to pair. */
export interface NewBrowser {
  readonly key: BrowserKey;
  /** Token in the cookie of an earlier version: its device keeps its id, and the token ends. */
  readonly former?: string;
}

/** The only moment at which a token or a browser's name exists outside its device. */
export interface Minted {
  readonly device: Device;
  readonly token: string;
}

export interface Register {
  readonly authenticate: (token: string) => Promise<Identity | undefined>;
  /** Looks a browser up by name, which identifies it but does not authenticate it. */
  readonly browser: (name: string) => Promise<KnownBrowser | undefined>;
  /**
   * Ends a token that was in the cookie of an earlier version: other servers of that host have received it.
   */
  readonly retire: (token: string) => Promise<void>;
  /** The caller has checked the invitation. `how` goes into the audit, `more` into the same transaction. */
  readonly issue: (order: Order, how: string, more?: readonly Write[], key?: Key) => Promise<Minted>;
  /** Like `issue` for a browser, which gets a name instead of a token. */
  readonly issueTo: (
    browser: NewBrowser | undefined,
    order: Order,
    how: string,
    more?: (device_id: string) => readonly Write[],
  ) => Promise<Minted>;
  readonly newKey: () => Key;
  readonly list: () => Promise<readonly Device[]>;
  /** Whether it was paired within the last ten minutes. */
  readonly isNew: (device_id: string) => Promise<boolean>;
  readonly rename: (device_id: string, label: string, by: Inviter) => Promise<void>;
  readonly revoke: (device_id: string, by: Inviter) => Promise<void>;
  /** Another relay of this ledger has changed devices: clears the cache and reports these as revoked. */
  readonly forget: (revoked: readonly string[]) => void;
  /** Calls the listener at once on any revocation. Returns a function that unsubscribes. */
  readonly onRevoked: (listener: (device_id: string) => void) => () => void;
}

interface Known {
  readonly identity: Identity;
  /** Undefined for a program. */
  readonly key: KeyObject | undefined;
  seen_at: number;
}

const CACHED = 1_000;
const SEEN_EVERY_MS = 60_000;
/** A browser paired this recently may add the first passkey without a confirmation. */
const NEW_MS = 10 * 60_000;
/** Changes each time a device is revoked or renamed, so other relays of the ledger know to look. */
export const DEVICES_CHANGED = 'devices_changed';
const letInBy = (device_id: string): string => `let_in_by:${device_id}`;
const retiredSetting = (hash: string): string => `retired_token:${hash}`;

export function createRegister({ ledger, clock, random, onError }: RegisterPorts): Register {
  const cache = new RecentMap<string, Known>(CACHED);
  const listeners = new Set<(device_id: string) => void>();
  /** Devices whose revocation was already reported. */
  const gone = new Set<string>();
  let changes = 0;

  const forget = () => {
    changes += 1;
    cache.clear();
  };

  const tellRevoked = (device_id: string): void => {
    if (gone.has(device_id)) return;
    gone.add(device_id);
    for (const listener of listeners) listener(device_id);
  };

  const audit = (by: string | null, action: AuditAction, subject: string, detail: JsonObject): Audit => ({
    do: 'audit',
    entry: { at: clock.now(), device_id: by, action, subject, detail },
  });

  const changed = () =>
    ({ do: 'put_setting', key: DEVICES_CHANGED, value: newId('change', random) }) as const;

  const newKey = (): Key => ({ device_id: newId('dev', random), token: newToken(random) });

  async function lookUp(hash: string): Promise<Known | undefined> {
    const before = changes;
    const record = await ledger.deviceByToken(hash);
    const key = record && parseStoredKey(await ledger.setting(browserKeySetting(record.device_id)));
    const isRetired = (await ledger.setting(retiredSetting(hash))) === true;
    // The row was read before a revocation and may be stale, so it is read again.
    if (changes !== before) return lookUp(hash);
    if (
      record === undefined ||
      !areSame(record.token_hash, hash) ||
      record.revoked_at !== null ||
      isRetired
    ) {
      return undefined;
    }
    const known = cache.get(hash) ?? {
      identity: identityOf(deviceOf(record, null)),
      key,
      seen_at: record.last_seen_at ?? Number.NEGATIVE_INFINITY,
    };
    cache.set(hash, known);
    return known;
  }

  /** Not awaited, so a full disk locks nobody out. */
  function recordSeen(known: Known): void {
    const now = clock.now();
    if (Math.abs(now - known.seen_at) < SEEN_EVERY_MS) return;
    known.seen_at = now;
    const { device_id } = known.identity;
    ledger.commit([{ do: 'update_device', device_id, last_seen_at: now }]).catch(onError);
  }

  async function find(device_id: string): Promise<DeviceRecord> {
    const record = await ledger.device(device_id);
    if (record === undefined || record.revoked_at !== null) throw notFound();
    return record;
  }

  async function withGiver(record: DeviceRecord): Promise<Device> {
    const by = await ledger.setting(letInBy(record.device_id));
    return deviceOf(record, typeof by === 'string' ? by : null);
  }

  async function known(credential: string): Promise<Known | undefined> {
    const hash = hashOf(credential);
    const found = cache.get(hash) ?? (await lookUp(hash));
    if (found !== undefined) recordSeen(found);
    return found;
  }

  async function issue(
    { roles, scopes, label, by }: Order,
    how: string,
    more: readonly Write[] = [],
    { device_id, token }: Key = newKey(),
  ): Promise<Minted> {
    const record = {
      ...{ device_id, roles, label, scopes, token_hash: hashOf(token) },
      ...{ created_at: clock.now(), last_seen_at: null, revoked_at: null },
    };
    const outcome = await ledger.commit([
      { do: 'put_device', device: record },
      ...(by === null ? [] : [{ do: 'put_setting', key: letInBy(device_id), value: by } as const]),
      audit(by, 'device_added', device_id, { how, roles, scopes, label }),
      ...more,
    ]);
    if (!outcome.committed) throw new Error(`A device was not added: ${outcome.refusal.reason}.`);
    return { device: deviceOf(record, by), token };
  }

  /**
   * A person's device whose token was in a cookie, unless revoked. Another server of the host may have set
   * the cookie.
   */
  async function formerDevice(token: string | undefined): Promise<string | undefined> {
    if (token === undefined || !isToken(token)) return undefined;
    const record = await ledger.deviceByToken(hashOf(token));
    const isPersons = record?.roles.some((role) => role === 'owner' || role === 'person');
    return isPersons && record?.revoked_at === null ? record.device_id : undefined;
  }

  return {
    async authenticate(token) {
      return isToken(token) ? (await known(token))?.identity : undefined;
    },

    async browser(name) {
      const { identity, key } = (isBrowserName(name) ? await known(name) : undefined) ?? {};
      return identity && key && { identity, key };
    },

    async retire(token) {
      const key = retiredSetting(hashOf(token));
      if ((await formerDevice(token)) === undefined || (await ledger.setting(key)) === true) return;
      await ledger.commit([{ do: 'put_setting', key, value: true }, changed()]);
      forget();
    },

    issue,

    async issueTo(browser, order, how, more = () => []) {
      if (browser === undefined) {
        const key = newKey();
        return issue(order, how, more(key.device_id), key);
      }
      const device_id = (await formerDevice(browser.former)) ?? newId('dev', random);
      const writes = [...more(device_id), browserKeyWrite(device_id, browser.key), changed()];
      const minted = await issue(order, how, writes, { device_id, token: newBrowserName(random) });
      forget();
      return minted;
    },

    newKey,

    forget(revoked) {
      forget();
      for (const device_id of revoked) tellRevoked(device_id);
    },

    async isNew(device_id) {
      const age = clock.now() - ((await ledger.device(device_id))?.created_at ?? 0);
      return age >= 0 && age < NEW_MS;
    },

    list: async () => Promise.all((await ledger.devices()).map(withGiver)),

    async rename(device_id, label, by) {
      const device = await find(device_id);
      const isOwn = inviterId(by) === device_id && device.roles.includes('person');
      if (!isOwner(by) && !isOwn) {
        throw new DeviceError('forbidden', 'Only an owner renames other devices: do it on such a device.');
      }
      await ledger.commit([
        { do: 'update_device', device_id, label },
        audit(inviterId(by), 'device_renamed', device_id, { from: device.label, to: label }),
        changed(),
      ]);
      forget();
    },

    async revoke(device_id, by) {
      if (!isOwner(by) && inviterId(by) !== device_id) {
        throw new DeviceError('forbidden', 'Only an owner revokes other devices: do it on such a device.');
      }
      const { label } = await find(device_id);
      const outcome = await ledger.commit([
        { do: 'revoke_device', device_id, at: clock.now(), unless_last: 'owner' },
        audit(inviterId(by), 'device_revoked', device_id, { label }),
        changed(),
      ]);
      if (!outcome.committed) throw outcome.refusal.reason === 'device_last' ? lastOwner() : notFound();
      forget();
      tellRevoked(device_id);
    },

    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const notFound = () =>
  new DeviceError('device_not_found', 'There is no such device, or it was revoked. See GET /api/devices.');

const lastOwner = () =>
  new DeviceError(
    'last_owner',
    'This is the last owner: without it nobody could add or revoke devices. Pair another owner first.',
  );
