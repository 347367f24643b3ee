import type { FileData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import type { FileContent, HostFiles } from '../host.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerContext, lacking, masked } from './handler-context.ts';

/** One part of a long content: small enough for a call, large enough for few of them. */
const PART_BYTES = 2_097_152;
/** Secrets are searched this far around a part, so that none is read in two halves. */
const MARGIN_BYTES = 1_024;
const READ_BYTES = 262_144;

export const FILE_HANDLERS: HandlersOf<'browser.files.'> = {
  'browser.files.list': async (_, context) => {
    const files = filesOf(context)
      .saved()
      .filter(({ origin }) => context.scope?.has(origin) ?? true);
    const names = await masked(
      files.map(({ name }) => name),
      context,
    );
    return { files: files.map((file, index) => ({ ...file, name: names[index] ?? '' })) };
  },
  'browser.files.read': async ({ attachment_id, from = 0, length = READ_BYTES }, context) => {
    const files = filesOf(context);
    requireUsable(attachment_id, context);
    const content = await files.open({ attachment_id });
    const file = files.saved().find((each) => each.attachment_id === attachment_id);
    if (file === undefined) throw new BridgeError('target_not_found', 'There is no such file any more.');
    const start = Math.max(0, from - MARGIN_BYTES);
    const around = await content.read(start, from - start + length + MARGIN_BYTES);
    await requireNoSecret(around, files, context);
    const bytes = around.subarray(from - start, from - start + length);
    const [name = ''] = await masked([file.name], context);
    return { ...file, name, from, base64: base64Of(bytes) };
  },
  'browser.files.put': async (part, { stores }) => ({ put: true, bytes: stores.brought.put(part) }),
};

/** Sends long contents ahead, in parts. */
export async function filesForPage(
  id: string,
  files: InputOf<'element.upload'>['files'],
  context: HandlerContext,
): Promise<readonly FileData[]> {
  const given: FileData[] = [];
  for (const [index, file] of files.entries()) {
    if ('base64' in file) {
      given.push(file);
      continue;
    }
    const { name, type, bytes, read } = await openFile(file, context);
    for (let part = 0; part === 0 || part * PART_BYTES < bytes; part++) {
      const content = base64Of(await read(part * PART_BYTES, PART_BYTES));
      await context.page('uploadPart', id, index, part, content);
    }
    given.push({ name, type });
    if ('attachment_id' in file) context.stores.brought.drop(file.attachment_id);
  }
  return given;
}

/** A file that was brought for this upload, or one of the browser's machine. */
async function openFile(
  file: Parameters<HostFiles['open']>[0],
  context: HandlerContext,
): Promise<FileContent> {
  const brought = 'attachment_id' in file ? context.stores.brought.open(file.attachment_id) : undefined;
  if (brought !== undefined) return brought;
  if ('attachment_id' in file) requireUsable(file.attachment_id, context);
  return filesOf(context).open(file);
}

/** A file of `data:` has no origin: only the act that saved it told its id. */
function requireUsable(attachment_id: string, context: HandlerContext): void {
  const file = filesOf(context)
    .saved()
    .find((each) => each.attachment_id === attachment_id);
  if (file !== undefined && URL.canParse(file.origin) && /^https?:/.test(file.origin))
    context.scope?.require(file.origin);
}

const NOT_SAVED =
  'The browser saves it for the person, and this host cannot read it. Ask them for the file, or for a browser that Drawbridge starts.';

/** Small files are complete within this time; longer ones are listed later. */
const SAVING_LIMIT_MS = 3_000;

/** Adds the files that the page saved because of an act. */
export async function withSaved(
  acted: OutputOf<'element.click'>,
  { host, navigation }: HandlerContext,
): Promise<OutputOf<'element.click'>> {
  const isExpected = acted.effect.download !== undefined;
  if (host.files === undefined) return isExpected ? { ...acted, not_saved: NOT_SAVED } : acted;
  if (!isExpected && !navigation.isDownload()) return acted;
  const saved = await navigation.saved(SAVING_LIMIT_MS);
  const refusal = navigation.refusal();
  if (refusal !== undefined) throw refusal;
  const { navigation: _, url, ...effect } = acted.effect;
  const stayed = navigation.isDownload()
    ? {
        ...acted,
        effect: { ...effect, happened: true, download: effect.download ?? url?.to ?? navigation.from },
      }
    : acted;
  return saved.length === 0 ? stayed : { ...stayed, saved: [...saved] };
}

function filesOf({ host }: HandlerContext): HostFiles {
  if (host.files !== undefined) return host.files;
  throw lacking(
    'files',
    host,
    'Send the content of the file instead, or lend a browser that Drawbridge starts.',
  );
}

async function requireNoSecret(bytes: Uint8Array, files: HostFiles, context: HandlerContext): Promise<void> {
  const texts = ['utf-8', 'latin1', 'utf-16le'].map((encoding) => new TextDecoder(encoding).decode(bytes));
  const isMasked = (await masked(texts, context)).some((text, index) => text !== texts[index]);
  if (!isMasked && !texts.some(files.holdsSecret)) return;
  const message =
    'This part of the file has a secret of the page, such as a password, so it is not read. The person can open the file.';
  throw new BridgeError('permission_denied', message, { evidence: { reason: 'holds_secret' } });
}

/** In pieces: one call with millions of arguments overflows the stack. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
