import { randomUUID } from 'node:crypto';
import type { FileRecord, Ledger } from '@drawbridge/ledger';
import { FILES } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { CoreClock, Identity } from '../../core/ports.ts';
import { isTabPicture } from '../../tasks/step-pictures.ts';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome, isOwner, maySeeSession } from '../guard/permission.ts';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';
import type { RelayEnv } from '../relay-env.ts';
import { type Call, serveRoutes } from '../serve-routes.ts';
import type { DeviceQuota } from './device-quota.ts';
import { mediaType, plainName } from './file-name.ts';
import type { FileStore } from './file-store.ts';
import { limitUploads } from './open-uploads.ts';

export interface FileRoutesOptions {
  readonly metrics: Metrics;
  readonly ledger: Ledger;
  readonly files: FileStore;
  readonly quota: DeviceQuota;
  readonly credentials: Credentials;
  readonly clock: CoreClock;
  readonly limits: RelayLimits;
}

const SEALED = "sandbox; default-src 'none'; frame-ancestors 'none'";

type Upload = Call<'POST /api/files', (typeof FILES)['POST /api/files']>;

export function fileRoutes(options: FileRoutesOptions): Hono<RelayEnv> {
  const { ledger, files, quota, credentials, clock, limits } = options;
  const uploads = limitUploads(limits, options.metrics);

  const seesSession = async (identity: Identity, session_id: string): Promise<boolean> => {
    const session = await ledger.session(session_id);
    return session !== undefined && maySeeSession(identity, session_id, session.proxy_device_id);
  };

  const maySee = async (identity: Identity, file: FileRecord): Promise<boolean> => {
    if (file.device_id === identity.device_id || isOwner(identity)) return true;
    if (isTabPicture(file) && !isAtHome(identity)) return false;
    return file.session_id !== null && seesSession(identity, file.session_id);
  };

  const fullWords = (used: number): string =>
    `A device may keep ${limits.device_bytes} bytes here, and has ${used} with the uploads under way (device_bytes). Delete a session with files, or try again when an upload has ended.`;

  const keep = async ({ context, identity, query, refuse }: Upload) => {
    const { device_id } = identity;
    const { session_id } = query;
    // A file without a session would be accepted as an attachment, and its proxy could not fetch it.
    if (session_id === undefined) {
      return refuse('invalid_request', 'Say with ?session_id=… for which session the file is.');
    }
    if (!(await seesSession(identity, session_id))) return refuse('not_found', NO_SUCH_SESSION);
    const { body } = context.req.raw;
    if (body === null) return refuse('invalid_request', 'Send the content as the body.');
    await quota.load(device_id);
    const declared = Number(context.req.header('content-length') ?? 0);
    let taken = 0;
    let arrived = 0;
    let refused: 'file' | 'device' | undefined;
    /** Room for a body of known length is taken before it is read. */
    const reserve = (bytes: number): boolean => {
      if (bytes > limits.file_bytes) refused = 'file';
      else if (bytes > taken && !quota.take(device_id, bytes - taken)) refused = 'device';
      else taken = Math.max(taken, bytes);
      return refused === undefined;
    };
    const admit = (bytes: number): boolean => {
      arrived += bytes;
      return reserve(arrived);
    };
    let recorded = false;
    try {
      const content = reserve(declared) ? await files.keep(body, admit) : undefined;
      if (content === undefined) {
        context.header('connection', 'close');
        return refused === 'file'
          ? refuse('file_too_large', `A file may have ${limits.file_bytes} bytes. Send less.`)
          : refuse('quota_reached', fullWords(quota.used(device_id) - taken));
      }
      const file: FileRecord = {
        file_id: `file_${randomUUID()}`,
        session_id,
        device_id,
        name: plainName(query.name),
        media_type: mediaType(context.req.header('content-type')),
        ...content,
        created_at: clock.now(),
      };
      const outcome = await ledger.commit([{ do: 'put_file', file }, quota.write(device_id)]);
      if (!outcome.committed) return refuse('not_found', NO_SUCH_SESSION);
      recorded = true;
      const { file_id, name, media_type, bytes, sha256 } = file;
      return { file_id, name, media_type, bytes, sha256 };
    } finally {
      if (!recorded) quota.giveBack(device_id, taken);
    }
  };

  return serveRoutes(FILES, credentials, {
    'POST /api/files': (call) => uploads(call.context, () => keep(call)),
    async 'GET /api/files/{file_id}'({ identity, params, refuse }) {
      const file = await ledger.file(params.file_id);
      const content =
        file !== undefined && (await maySee(identity, file)) ? await files.read(file.sha256) : undefined;
      if (file === undefined || content === undefined) {
        return refuse('not_found', 'There is no such file, or it is not for this device.');
      }
      return new Response(content, {
        headers: {
          'content-type': file.media_type,
          'content-length': String(file.bytes),
          'content-disposition': `attachment; filename*=UTF-8''${encodedName(file.name)}`,
          'content-security-policy': SEALED,
          'cache-control': 'private, no-store',
        },
      });
    },
  });
}

const NO_SUCH_SESSION = 'There is no such session.';

/** RFC 8187: escapes characters that `encodeURIComponent` keeps and a header's value may not hold. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
