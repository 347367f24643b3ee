import type { Ledger } from '@drawbridge/ledger';
import { isObject } from '@drawbridge/protocol/manifest';
import { newSecret, type Random } from '../devices/secret.ts';
import type { PusherApp } from './signature.ts';

const SETTING = 'pusher_app';
const MASTER_KEY_BYTES = 32;

/** Created once per ledger and stable over restarts: clients have its key in their settings. */
export async function openOwnApp(
  ledger: Pick<Ledger, 'setting' | 'commit'>,
  random: Random,
): Promise<PusherApp> {
  const stored = parseApp(await ledger.setting(SETTING));
  if (stored?.master_key !== undefined) return stored;
  const hex = (bytes: number) => Buffer.from(random(bytes)).toString('hex');
  const app = {
    app_id: String(1 + (Number.parseInt(hex(4), 16) % 999_999_999)),
    key: hex(10),
    secret: newSecret(random),
    ...stored,
    master_key: Buffer.from(random(MASTER_KEY_BYTES)).toString('base64'),
  };
  await ledger.commit([{ do: 'put_setting', key: SETTING, value: app }]);
  return app;
}

function parseApp(value: unknown): PusherApp | undefined {
  if (!isObject(value)) return undefined;
  const { app_id, key, secret, master_key } = value;
  const isWhole = typeof app_id === 'string' && typeof key === 'string' && typeof secret === 'string';
  if (!isWhole) return undefined;
  return { app_id, key, secret, ...(typeof master_key === 'string' && { master_key }) };
}
