import { isObject } from '@drawbridge/protocol/manifest';
import webPush from 'web-push';
import type { PrivateFiles } from '../devices/private-file.ts';
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
export async function openNoticeFile(files: PrivateFiles): Promise<NoticeSecrets> {
  const text = await files.read(NAME);
  const found = text === undefined ? undefined : parseSecrets(text);
  if (found !== undefined) return found;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const made = { push: { public_key: publicKey, private_key: privateKey }, webhooks: [] };
  await writeNoticeFile(files, made);
  return made;
}

export function writeNoticeFile(files: PrivateFiles, secrets: NoticeSecrets): Promise<void> {
  return files.write(NAME, secrets);
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
