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

/** Keys that sign notifications. */
export interface NoticeSecrets {
  readonly push: PushKeys;
  readonly webhooks: readonly Webhook[];
}

/**
 * Kept out of the ledger, which is backed up and exported: a copy with this key beside the subscriptions
 * could notify every phone, and a webhook's address is often a secret itself. A separate file is readable
 * only by the relay's user. If it is lost, phones subscribe again and webhooks are added again.
 */
const NAME = 'notices.json';

/** Created at the first start. */
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

/** Undefined for a file damaged by a manual edit. */
function parseSecrets(text: string): NoticeSecrets | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['push']) || !Array.isArray(value['webhooks'])) return undefined;
    return value as unknown as NoticeSecrets;
  } catch {
    return undefined;
  }
}
