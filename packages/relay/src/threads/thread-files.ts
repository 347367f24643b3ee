import type { Bridge, CallRequest } from '@drawbridge/bridge';
import type { FileRecord, Ledger } from '@drawbridge/ledger';
import { BridgeError } from '@drawbridge/protocol';
import type { CoreClock } from '../core/ports.ts';
import type { DeviceQuota } from '../server/files/device-quota.ts';
import { mediaType, plainName } from '../server/files/file-name.ts';
import type { FileStore } from '../server/files/file-store.ts';
import type { OwnAnswer } from '../server/quotas/call-quota.ts';

export interface ThreadFilesOptions {
  readonly ledger: Pick<Ledger, 'file' | 'filesOf' | 'commit'>;
  readonly files: FileStore;
  readonly quota: DeviceQuota;
  readonly clock: CoreClock;
  readonly maxBytes: number;
  /** Read when the first call is made: the bridge is created later. */
  readonly bridge: () => Pick<Bridge, 'call'>;
}

/** The conversation of a file, and the device whose quota it counts against. */
interface FileOwner {
  readonly session_id: string;
  readonly proxy_device_id: string;
}

/** Files of a conversation on their way into a page, and out of one (CHT-335, CHT-336). */
export type ThreadFiles = ReturnType<typeof createThreadFiles>;

export interface SavedName {
  readonly attachment_id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/** In base64 and with its fields below the limit of a frame. */
const PART_BYTES = 700_000;
/** The longest part that the schema of `browser.files.read` allows. */
const MOST_READ_BYTES = 1_048_576;

export function createThreadFiles(options: ThreadFilesOptions) {
  const { ledger, files, quota, clock, maxBytes, bridge } = options;

  /** A call to the browser of another call. */
  const beside = (call: CallRequest, name: string, args: object, owner: string): Promise<unknown> => {
    const { call_id: _, timeout_ms: __, ...route } = call;
    return bridge().call({ ...route, name, arguments: { ...args } }, { owner }).output;
  };

  const bringOne = async (file: FileRecord, call: CallRequest, owner: string): Promise<void> => {
    const content = await files.read(file.sha256);
    if (content === undefined) throw gone(file.file_id);
    const { file_id: attachment_id, name, media_type: type } = file;
    let part = 0;
    for await (const bytes of partsOf(content)) {
      const args = { attachment_id, name, type, part, base64: bytes.toString('base64') };
      await beside(call, 'browser.files.put', args, owner);
      part += 1;
    }
  };

  async function* savedParts(saved: SavedName, call: CallRequest, owner: string): AsyncGenerator<Uint8Array> {
    const { attachment_id, bytes } = saved;
    for (let from = 0; from < bytes; from += PART_BYTES) {
      const length = Math.min(PART_BYTES, bytes - from);
      const answer = await beside(call, 'browser.files.read', { attachment_id, from, length }, owner);
      yield Buffer.from(textIn(answer, 'base64'), 'base64');
    }
  }

  const listed = async (call: CallRequest, owner: string): Promise<readonly SavedName[]> =>
    savedIn({ saved: fieldIn(await beside(call, 'browser.files.list', {}, owner), 'files') });

  /** Also where no browser has files. */
  const list = async (session_id: string, call: CallRequest, owner: string): Promise<OwnAnswer> => {
    const answer = await beside(call, 'browser.files.list', {}, owner).catch(() => undefined);
    const saved = [fieldIn(answer, 'files') ?? []].flat();
    const ids = new Set(saved.map((each) => textIn(each, 'attachment_id')));
    const own = (await ledger.filesOf(session_id)).filter(({ file_id }) => !ids.has(file_id));
    return { output: { files: [...saved, ...own.map(described)] } };
  };

  const read = async (
    session_id: string,
    { arguments: args }: CallRequest,
  ): Promise<OwnAnswer | undefined> => {
    const file = await ledger.file(textIn(args, 'attachment_id'));
    if (file?.session_id !== session_id) return undefined;
    const from = numberIn(args, 'from') ?? 0;
    const length = Math.min(numberIn(args, 'length') ?? PART_BYTES, MOST_READ_BYTES);
    const content = await files.read(file.sha256, from, length);
    if (content === undefined) throw gone(file.file_id);
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    return { output: { ...described(file), from, base64: Buffer.concat(parts).toString('base64') } };
  };

  return {
    /** Files that a page saves after its act was answered, within two minutes. */
    async late(call: CallRequest, device_id: string): Promise<readonly SavedName[]> {
      const before = new Set((await listed(call, device_id)).map(({ attachment_id }) => attachment_id));
      for (let look = 0; look < LATE_LOOKS; look++) {
        await new Promise<void>((resolve) => {
          clock.after(LATE_EVERY_MS, resolve);
        });
        const fresh = (await listed(call, device_id)).filter((each) => !before.has(each.attachment_id));
        if (fresh.length > 0) return fresh;
      }
      return [];
    },
    /** Sends the files of the conversation that an upload names ahead of it; undefined when it names none. */
    bring(session_id: string, call: CallRequest, device_id: string): Promise<undefined> | undefined {
      const named = call.name === 'element.upload' ? attachmentsIn(call.arguments) : [];
      if (named.length === 0) return undefined;
      return (async () => {
        for (const id of named) {
          const file = await ledger.file(id);
          // Any other id is a file of the browser, or of nobody; the browser answers.
          if (file?.session_id === session_id) await bringOne(file, call, device_id);
        }
        return undefined;
      })();
    },
    /** Answers a call that lists files, or reads one of the conversation; undefined for any other (CHT-369). */
    answer(
      session_id: string,
      call: CallRequest,
      device_id: string,
    ): Promise<OwnAnswer | undefined> | undefined {
      if (call.name === 'browser.files.list') return list(session_id, call, device_id);
      return call.name === 'browser.files.read' ? read(session_id, call) : undefined;
    },
    /** Stores what a page saved as a file of the conversation; fails with words for the person. */
    async keep(
      { session_id, proxy_device_id }: FileOwner,
      saved: SavedName,
      call: CallRequest,
      device_id: string,
    ): Promise<FileRecord> {
      const { attachment_id: file_id, bytes, name } = saved;
      if (bytes > maxBytes) throw new Error(`It has ${bytes} bytes; a conversation keeps up to ${maxBytes}.`);
      // The id comes from a browser: it must not replace a file that is there.
      if ((await ledger.file(file_id)) !== undefined) throw new Error('A file with this id exists.');
      await quota.load(proxy_device_id);
      let taken = 0;
      const admit = (more: number): boolean => {
        if (taken + more > bytes || !quota.take(proxy_device_id, more)) return false;
        taken += more;
        return true;
      };
      let isRecorded = false;
      try {
        const content = await files.keep(savedParts(saved, call, device_id), admit);
        if (content === undefined)
          throw new Error('The files of this machine fill its quota (device_bytes).');
        const file: FileRecord = {
          ...{ file_id, session_id, device_id: proxy_device_id, name: plainName(name) },
          ...{ media_type: mediaType(saved.type), ...content, created_at: clock.now() },
        };
        const outcome = await ledger.commit([{ do: 'put_file', file }, quota.write(proxy_device_id)]);
        if (!outcome.committed) throw new Error('The session was deleted.');
        isRecorded = true;
        return file;
      } finally {
        if (!isRecorded) quota.giveBack(proxy_device_id, taken);
      }
    },
  };
}

/** In place of the origin of a page. */
const CONVERSATION = 'conversation';

const described = ({ file_id, name, media_type, bytes, sha256 }: FileRecord) => ({
  ...{ attachment_id: file_id, name, type: media_type, bytes, sha256, origin: CONVERSATION },
});

const numberIn = (value: unknown, name: string): number | undefined => {
  const found = fieldIn(value, name);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
};

/** The files that an act reports as saved. */
export function savedIn(output: unknown): readonly SavedName[] {
  const saved = fieldIn(output, 'saved');
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((each: unknown) => {
    const bytes = fieldIn(each, 'bytes');
    const attachment_id = textIn(each, 'attachment_id');
    if (!ID.test(attachment_id) || typeof bytes !== 'number') return [];
    return [{ attachment_id, bytes, name: textIn(each, 'name'), type: textIn(each, 'type') }];
  });
}

/** Whether the act began a download that its answer does not have. */
export const isSaving = (output: unknown): boolean =>
  savedIn(output).length === 0 && textIn(fieldIn(output, 'effect'), 'download') !== '';

const LATE_EVERY_MS = 1_000;
const LATE_LOOKS = 120;
const ID = /^file_[\w-]{1,100}$/;

function attachmentsIn(args: unknown): readonly string[] {
  const files = fieldIn(args, 'files');
  if (!Array.isArray(files)) return [];
  return files.map((file: unknown) => textIn(file, 'attachment_id')).filter((id) => ID.test(id));
}

const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

const textIn = (value: unknown, name: string): string => {
  const field = fieldIn(value, name);
  return typeof field === 'string' ? field : '';
};

/** An empty file has one part. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let count = 0;
  for await (const bytes of content) {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= PART_BYTES) {
      count += 1;
      yield rest.subarray(0, PART_BYTES);
      rest = rest.subarray(PART_BYTES);
    }
  }
  if (rest.length > 0 || count === 0) yield rest;
}

const gone = (attachment_id: string): BridgeError =>
  new BridgeError('target_not_found', 'The content of this file is gone. Ask the person to send it again.', {
    evidence: { attachment_id },
  });
