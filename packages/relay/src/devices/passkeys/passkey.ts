import type { Json, JsonObject, PutSetting } from '@drawbridge/ledger';

/** Facts of a passkey that owners see. */
export interface Passkey {
  /** Credential id, in base64url. */
  readonly id: string;
  readonly label: string;
  /** The name it was created under: it works under no other. */
  readonly rp_id: string;
  readonly created_at: number;
  /** The device that added it. */
  readonly by: string;
}

export interface StoredPasskey extends Passkey {
  /** COSE, in base64url. */
  readonly public_key: string;
  /** The authenticator's use counter: a lower value reveals a copy. */
  readonly counter: number;
  readonly transports: readonly string[];
}

export const PASSKEYS_SETTING = 'passkeys';

export function passkeyOf({ id, label, rp_id, created_at, by }: StoredPasskey): Passkey {
  return { id, label, rp_id, created_at, by };
}

export const passkeysWrite = (stored: readonly StoredPasskey[]): PutSetting => ({
  do: 'put_setting',
  key: PASSKEYS_SETTING,
  value: stored.length === 0 ? null : stored.map(asJson),
});

const asJson = (stored: StoredPasskey): JsonObject => ({ ...stored });

/** Reads the format of `passkeysWrite`. */
export function parsePasskeys(value: Json | undefined): readonly StoredPasskey[] {
  if (!Array.isArray(value)) return [];
  return value.map(({ id, label, rp_id, created_at, by, public_key, counter, transports }) => ({
    id: String(id),
    label: String(label),
    rp_id: String(rp_id),
    created_at: Number(created_at),
    by: String(by),
    public_key: String(public_key),
    counter: Number(counter),
    transports: Array.isArray(transports) ? transports.map(String) : [],
  }));
}
