import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@drawbridge/protocol/manifest';
import webPush from 'web-push';
import type { NoticeKind } from './notice.ts';

export interface Webhook {
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly NoticeKind[];
  readonly created_at: number;
  /** The device that added it. */
  readonly by: string;
}

export interface PushKeys {
  readonly public_key: string;
  readonly private_key: string;
}

/** What notices are signed with. */
export interface NoticeSecrets {
  readonly push: PushKeys;
  readonly webhooks: readonly Webhook[];
}

/**
 * Not in the ledger: that is backed up and exported, and with this key beside the subscriptions in it, a copy could
 * ring every phone; the address of a webhook is often a secret itself. A file of its own is readable by the relay's
 * user alone. When it is lost, phones subscribe anew and webhooks are added again.
 */
const NAME = 'notices.json';

/** Made at the first start. */
export async function openNoticeFile(data: string): Promise<NoticeSecrets> {
  const text = await readFile(join(data, NAME), 'utf8').catch(() => undefined);
  const found = text === undefined ? undefined : parseSecrets(text);
  if (found !== undefined) return found;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const made = { push: { public_key: publicKey, private_key: privateKey }, webhooks: [] };
  await writeNoticeFile(data, made);
  return made;
}

/** Whole or not at all, and at no moment readable by others. */
export async function writeNoticeFile(data: string, secrets: NoticeSecrets): Promise<void> {
  const file = join(data, NAME);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    // The mode of one that a crash has left behind would stay what it was.
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(secrets)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** As it was written here; undefined for one that a hand has spoiled. */
function parseSecrets(text: string): NoticeSecrets | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['push']) || !Array.isArray(value['webhooks'])) return undefined;
    return value as unknown as NoticeSecrets;
  } catch {
    return undefined;
  }
}
