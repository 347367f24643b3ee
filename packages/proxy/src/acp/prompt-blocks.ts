import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk';
import type { Attachment, Injection } from '../adapter.ts';

interface Means {
  readonly capabilities: PromptCapabilities | undefined;
  /** Folder for files that the agent cannot take in the prompt. */
  readonly folder: string;
  readonly newId: () => string;
  /** The agent may use the lent tabs. */
  readonly hasBrowser: boolean;
}

/** Larger ones are passed as files, and the agent reads what it needs. */
const MAX_INLINE_BYTES = 5 * 1_048_576;
const IS_TEXT = /^text\/|^application\/(json|xml|javascript|x-yaml|yaml|toml)$|\+(json|xml)$/;

/** https://agentclientprotocol.com/protocol/content: every agent takes text and resource links. */
export async function promptBlocks({ text, attachments }: Injection, means: Means): Promise<ContentBlock[]> {
  const given = await Promise.all(attachments.map((attachment) => blockOf(attachment, means)));
  const links = means.hasBrowser ? attachments.map(browserLink) : [];
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...given, ...links];
}

/** CHT-335: the agent can put the file into a form without reading it. No text: that is compared with the send. */
const browserLink = ({ attachment_id, name, mime, bytes }: Attachment): ContentBlock => ({
  ...{ type: 'resource_link', name, mimeType: mime, size: bytes.length },
  uri: `drawbridge://files/${attachment_id}`,
  description: 'For a form in the lent browser: act upload takes this address as its value.',
});

async function blockOf(attachment: Attachment, means: Means): Promise<ContentBlock> {
  const { name, mime, bytes } = attachment;
  const { capabilities } = means;
  const isInline = bytes.length <= MAX_INLINE_BYTES;
  if (isInline && capabilities?.image === true && mime.startsWith('image/')) {
    return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
  }
  const path = await keep(attachment, means);
  const uri = pathToFileURL(path).href;
  if (isInline && capabilities?.embeddedContext === true && IS_TEXT.test(mime)) {
    return { type: 'resource', resource: { uri, mimeType: mime, text: Buffer.from(bytes).toString('utf8') } };
  }
  return { type: 'resource_link', name, uri, mimeType: mime, size: bytes.length };
}

async function keep({ name, bytes }: Attachment, { folder, newId }: Means): Promise<string> {
  const own = join(folder, newId());
  await mkdir(own, { recursive: true, mode: 0o700 });
  // Only the base name without path characters: it comes from outside.
  const safe = name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '') || 'file';
  const path = join(own, safe.slice(-100));
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}
