import type { Ledger, PutSetting } from '@drawbridge/ledger';
import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { isObject, readJson } from '@drawbridge/protocol/manifest';

type Settings = ReplyTo<'GET /api/settings'>;

const RETENTION = 'retention_days';
const MAX_DAYS = 36_500;
const BODY_CHARS = 4_096;

const isDays = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS;

/** Unreadable settings delete nothing. */
export async function readSettings(ledger: Pick<Ledger, 'setting'>): Promise<Settings> {
  const stored = await ledger.setting(RETENTION);
  return { retention_days: isDays(stored) ? stored : null };
}

export const settingsWrite = ({ retention_days }: Settings): PutSetting => ({
  do: 'put_setting',
  key: RETENTION,
  value: retention_days,
});

/** Returns a message for invalid settings. */
export function parseSettings(text: string): Settings | string {
  const read = readJson(text, BODY_CHARS);
  const days = read.ok && isObject(read.value) ? read.value[RETENTION] : undefined;
  if (days === null || isDays(days)) return { retention_days: days };
  return `Send {"${RETENTION}": DAYS}, from 1 to ${MAX_DAYS}, or null to keep everything.`;
}
