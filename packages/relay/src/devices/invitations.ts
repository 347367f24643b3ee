import type { Json, JsonObject, PutSetting } from '@drawbridge/ledger';
import type { BrowserKey } from './browser-key.ts';
import { type Inviter, inviterId, parseRoles, parseScopes } from './device.ts';
import { DeviceError } from './device-error.ts';
import { checkInvitation, type InvitedAccess } from './invitation-policy.ts';
import type { Minted, NewBrowser, Order, Register, RegisterPorts } from './register.ts';
import { hashOf, isSecret, newSecret } from './secret.ts';

/** A link for one device. The secret goes into the URL's fragment, which no server sees. */
export interface Invitation {
  readonly secret: string;
  /** Relative to whatever address the relay is reached at. */
  readonly pair_path: string;
  readonly expires_at: number;
}

export interface Invite extends InvitedAccess {
  readonly label: string;
  readonly by: Inviter;
}

export type Invitations = Awaited<ReturnType<typeof openInvitations>>;

interface StoredInvitation extends Order {
  readonly secret_hash: string;
  readonly expires_at: number;
}

/** A claim that its browser may repeat: the answer can get lost. In memory alone. */
interface Claimed {
  readonly key: BrowserKey;
  readonly minting: Promise<Minted>;
  readonly expires_at: number;
  device_id?: string;
}

const SETTING = 'device_invitations';
const INVITATION_MS = 10 * 60_000;
const AT_MOST = 100;

/** Invitations survive a restart: `pair` creates one while no relay runs. */
export async function openInvitations(
  { ledger, clock, random }: RegisterPorts,
  register: Pick<Register, 'issueTo'>,
) {
  const stored = parseStoredInvitation(await ledger.setting(SETTING));
  const devices = await ledger.devices();
  const gone = new Set(devices.filter((each) => each.revoked_at !== null).map((each) => each.device_id));
  const good = stored.filter(({ by }) => by === null || !gone.has(by));
  const storedInvitation = new Map(good.map((each) => [each.secret_hash, each]));

  const claimed = new Map<string, Claimed>();

  const asSetting = (): PutSetting => {
    for (const [hash, { expires_at }] of claimed) if (expires_at <= clock.now()) claimed.delete(hash);
    for (const [hash, { expires_at }] of storedInvitation)
      if (expires_at <= clock.now()) storedInvitation.delete(hash);
    return {
      do: 'put_setting',
      key: SETTING,
      value: storedInvitation.size === 0 ? null : [...storedInvitation.values()].map(asJson),
    };
  };

  return {
    async create({ roles, scopes, label, by }: Invite, ttl_ms: number = INVITATION_MS): Promise<Invitation> {
      checkInvitation(by, { roles, scopes }, 'mint');
      asSetting();
      if (storedInvitation.size >= AT_MOST) {
        throw new DeviceError('pairing_full', `${AT_MOST} invitations are open: wait until some expire.`);
      }
      const secret = newSecret(random);
      const secret_hash = hashOf(secret);
      const expires_at = clock.now() + ttl_ms;
      storedInvitation.set(secret_hash, { secret_hash, roles, scopes, label, by: inviterId(by), expires_at });
      await ledger.commit([asSetting()]);
      return { secret, pair_path: `/#pair=${secret}`, expires_at };
    },

    /**
     * Succeeds once; a wrong secret throws before the first await. The browser whose claim succeeded may repeat
     * it until the link expires, in case the answer was lost, and gets the same device (CHT-347). A given label overrides the invitation's, but
     * for a program: an agent does not choose the name under which a person sees it. An invitation that
     * `admits` refuses stays unused.
     */
    claim(
      secret: string,
      label?: string,
      browser?: NewBrowser,
      admits: (access: InvitedAccess) => boolean = () => true,
    ): Promise<Minted> {
      const hash = isSecret(secret) ? hashOf(secret) : '';
      const repeated = claimed.get(hash);
      if (
        repeated !== undefined &&
        repeated.expires_at > clock.now() &&
        isSameKey(repeated.key, browser?.key)
      )
        return repeated.minting;
      const found = storedInvitation.get(hash);
      if (found !== undefined && found.expires_at > clock.now() && !admits(found)) throw wrongRole();
      // Deleted before the first await, so only one of two concurrent claims gets it.
      storedInvitation.delete(hash);
      if (found === undefined || found.expires_at <= clock.now()) throw notFound();
      const choosesLabel = found.roles.includes('person') || found.roles.includes('owner');
      const order = { ...found, label: choosesLabel ? (label ?? found.label) : found.label };
      const minting = register
        .issueTo(browser, order, 'invitation', () => [asSetting()])
        .then((minted) => {
          const claim = claimed.get(hash);
          if (claim !== undefined) claim.device_id = minted.device.device_id;
          return minted;
        })
        .catch((error: unknown) => {
          claimed.delete(hash);
          storedInvitation.set(hash, found);
          throw error;
        });
      if (browser !== undefined)
        claimed.set(hash, { key: browser.key, minting, expires_at: found.expires_at });
      return minting;
    },

    /** Deletes the invitations that a revoked device created. */
    async withdraw(device_id: string): Promise<void> {
      for (const [hash, claim] of claimed) if (claim.device_id === device_id) claimed.delete(hash);
      const theirs = [...storedInvitation.values()].filter(({ by }) => by === device_id);
      for (const { secret_hash } of theirs) storedInvitation.delete(secret_hash);
      if (theirs.length > 0) await ledger.commit([asSetting()]);
    },
  };
}

const isSameKey = (one: BrowserKey, other: BrowserKey | undefined): boolean =>
  one.x === other?.x && one.y === other.y;

const notFound = () =>
  new DeviceError(
    'pairing_not_found',
    'This link has been used, has expired, or never was one. Ask an owner for a new one: drawbridge pair.',
  );

const wrongRole = () =>
  new DeviceError(
    'forbidden',
    'This link is for another kind of device, and is still unused. Make one for a person: drawbridge pair.',
  );

const asJson = (storedInvitation: StoredInvitation): JsonObject => ({ ...storedInvitation });

/**
 * Reads the format of `asJson`. An invitation with scopes that are invalid by now lets nobody in, and does
 * not stop the relay from starting.
 */
function parseStoredInvitation(value: Json | undefined): readonly StoredInvitation[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap(({ secret_hash, roles, scopes, label, by, expires_at }) => {
    try {
      return {
        secret_hash: String(secret_hash),
        roles: parseRoles(roles),
        scopes: parseScopes(scopes),
        label: String(label),
        by: by === null ? null : String(by),
        expires_at: Number(expires_at),
      };
    } catch {
      return [];
    }
  });
}
