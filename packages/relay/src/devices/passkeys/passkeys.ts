import { createHash } from 'node:crypto';
import { createMutex } from '@drawbridge/base';
import type { Audit, JsonObject } from '@drawbridge/ledger';
import type { AuditAction } from '@drawbridge/protocol/http';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Identity } from '../../core/ports.ts';
import { isOwner } from '../device.ts';
import { DeviceError } from '../device-error.ts';
import type { Minted, NewBrowser, Register, RegisterPorts } from '../register.ts';
import { creationOptions, requestOptions, verifiedCounter, verifiedKey } from './ceremony.ts';
import { createChallenges } from './challenges.ts';
import { PASSKEYS_SETTING, type Passkey, parsePasskeys, passkeyOf, passkeysWrite } from './passkey.ts';
import type { Site } from './site.ts';

export interface Offer<Options> {
  /** Sent back together with the authenticator's response. */
  readonly attempt: string;
  readonly options: Options;
}

export interface Answer<Credential> {
  readonly attempt: string;
  readonly credential: Credential;
  readonly label: string;
  readonly site: Site;
}

/** Further keys of the owner, held by people's authenticators. They outlive the devices that added them. */
export interface Passkeys {
  readonly offerToAdd: (by: Identity, site: Site) => Promise<Offer<PublicKeyCredentialCreationOptionsJSON>>;
  readonly add: (by: Identity, answer: Answer<RegistrationResponseJSON>) => Promise<Passkey>;
  /** Open to anyone: reveals no passkey. */
  readonly offerToSignIn: (
    address: string,
    site: Site,
  ) => Promise<Offer<PublicKeyCredentialRequestOptionsJSON>>;
  /** Returns a new owner's device. */
  readonly signIn: (answer: Answer<AuthenticationResponseJSON>, browser: NewBrowser) => Promise<Minted>;
  /** Whether a passkey was created under this name, and can confirm a browser's requests there. */
  readonly isThereFor: (site: Site) => Promise<boolean>;
  readonly areThere: () => Promise<boolean>;
  /** `subject`: the request to confirm. The challenge confirms nothing else. */
  readonly offerToConfirm: (
    subject: string,
    site: Site,
  ) => Promise<Offer<PublicKeyCredentialRequestOptionsJSON>>;
  readonly confirm: (
    subject: string,
    by: Identity,
    answer: Omit<Answer<AuthenticationResponseJSON>, 'label'>,
  ) => Promise<void>;
  readonly list: (by: Identity) => Promise<readonly Passkey[]>;
  readonly remove: (id: string, by: Identity) => Promise<void>;
}

const AT_MOST = 20;

export function createPasskeys(
  { ledger, clock, random }: Pick<RegisterPorts, 'ledger' | 'clock' | 'random'>,
  { issueTo }: Pick<Register, 'issueTo'>,
): Passkeys {
  // Separate stores, so strangers cannot use up the owners' challenges.
  const additions = createChallenges(clock, random);
  const signIns = createChallenges(clock, random);
  const confirmations = createChallenges(clock, random);
  // Derived from this ledger: two relays at one name would otherwise replace each other's passkeys.
  const user_id = createHash('sha256').update(`passkeys of ${ledger.epoch}`).digest();

  const stored = async () => parsePasskeys(await ledger.setting(PASSKEYS_SETTING));

  /** Runs one sign-in at a time: of two concurrent copies, one would miss the other's counter. */
  const inSequence = createMutex();

  const audit = (device_id: string, action: AuditAction, subject: string, detail: JsonObject): Audit => ({
    do: 'audit',
    entry: { at: clock.now(), device_id, action, subject, detail },
  });

  async function verified(challenge: string, credential: AuthenticationResponseJSON, site: Site) {
    const all = await stored();
    const used = all.find(({ id, rp_id }) => id === credential.id && rp_id === site.rp_id);
    if (used === undefined) throw refused();
    const counter = await verifiedCounter({ site, challenge }, credential, used);
    if (counter === undefined) throw refused();
    return { used, write: passkeysWrite(all.map((each) => (each === used ? { ...used, counter } : each))) };
  }

  return {
    async offerToAdd(by, site) {
      checkOwner(by);
      const all = await stored();
      if (all.length >= AT_MOST) throw full();
      const { attempt, challenge } = additions.open(by.device_id);
      const known = all.filter(({ rp_id }) => rp_id === site.rp_id);
      return { attempt, options: await creationOptions({ site, challenge }, user_id, known) };
    },

    async add(by, { attempt, credential, label, site }) {
      checkOwner(by);
      const { challenge, from } = additions.take(attempt);
      if (from !== by.device_id) throw refused();
      const key = await verifiedKey({ site, challenge }, credential);
      if (key === undefined) throw refused();
      return inSequence(async () => {
        const all = await stored();
        if (all.length >= AT_MOST) throw full();
        if (all.some(({ id }) => id === key.id)) throw refused();
        const added = { ...key, label, rp_id: site.rp_id, created_at: clock.now(), by: by.device_id };
        await ledger.commit([
          passkeysWrite([...all, added]),
          audit(by.device_id, 'passkey_added', key.id, { label, rp_id: site.rp_id }),
        ]);
        return passkeyOf(added);
      });
    },

    async offerToSignIn(address, site) {
      const { attempt, challenge } = signIns.open(address);
      return { attempt, options: await requestOptions({ site, challenge }) };
    },

    async signIn({ attempt, credential, label, site }, browser) {
      const { challenge } = signIns.take(attempt);
      return inSequence(async () => {
        const { used, write } = await verified(challenge, credential, site);
        return issueTo(browser, { roles: ['owner'], scopes: [], label, by: null }, 'passkey', (device_id) => [
          write,
          audit(device_id, 'passkey_used', used.id, { label: used.label }),
        ]);
      });
    },

    areThere: async () => (await stored()).length > 0,

    isThereFor: async (site) => (await stored()).some(({ rp_id }) => rp_id === site.rp_id),

    async offerToConfirm(subject, site) {
      const { attempt, challenge } = confirmations.open(subject);
      return { attempt, options: await requestOptions({ site, challenge }) };
    },

    async confirm(subject, by, { attempt, credential, site }) {
      const { challenge, from } = confirmations.take(attempt);
      if (from !== subject) throw refused();
      await inSequence(async () => {
        const { used, write } = await verified(challenge, credential, site);
        const entry = audit(by.device_id, 'passkey_used', used.id, { label: used.label, confirms: subject });
        await ledger.commit([write, entry]);
      });
    },

    async list(by) {
      checkOwner(by);
      return (await stored()).map(passkeyOf);
    },

    async remove(id, by) {
      checkOwner(by);
      return inSequence(async () => {
        const all = await stored();
        const removed = all.find((each) => each.id === id);
        if (removed === undefined) throw notFound();
        await ledger.commit([
          passkeysWrite(all.filter((each) => each !== removed)),
          audit(by.device_id, 'passkey_removed', id, { label: removed.label }),
        ]);
      });
    },
  };
}

function checkOwner(by: Identity): void {
  if (isOwner(by)) return;
  throw new DeviceError('forbidden', 'Only an owner has passkeys here: do this on a device with that role.');
}

const refused = () =>
  new DeviceError(
    'passkey_refused',
    'This passkey does not open this relay. Try another one, or pair this device: drawbridge pair.',
  );

const full = () =>
  new DeviceError('passkeys_full', `${AT_MOST} passkeys are kept: remove one that nobody uses first.`);

const notFound = () =>
  new DeviceError('passkey_not_found', 'There is no such passkey, or it was removed. See GET /api/passkeys.');
