import { type Attachment, refusal } from './adapter.ts';

interface RelayAccess {
  readonly url: string;
  readonly token: string;
}

const MAX_BYTES = 50 * 1_048_576;
const FETCH_MS = 30_000;

/** Fetches a person's file from the relay. */
export async function fetchAttachment(
  access: RelayAccess,
  attachment_id: string,
): Promise<Pick<Attachment, 'mime' | 'bytes'>> {
  const response = await fetch(`${access.url}/api/files/${encodeURIComponent(attachment_id)}`, {
    headers: { authorization: `Bearer ${access.token}` },
    signal: AbortSignal.timeout(FETCH_MS),
  }).catch((error: unknown) => {
    throw refusal(
      'send_injection_failed',
      `The file ${attachment_id} could not be fetched. Send it again.`,
      error,
    );
  });
  const length = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || length > MAX_BYTES) {
    await response.body?.cancel();
    const why = response.ok ? `it has ${length} bytes; ${MAX_BYTES} are the most` : `HTTP ${response.status}`;
    throw refusal('send_injection_failed', `The file ${attachment_id} could not be fetched: ${why}.`);
  }
  const mime = response.headers.get('content-type') ?? 'application/octet-stream';
  return { mime, bytes: new Uint8Array(await response.arrayBuffer()) };
}
