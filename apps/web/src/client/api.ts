import type { NewKey } from '@drawbridge/link';
import type { ReplyTo } from '@drawbridge/protocol/http-call';
import type { QuestionPicture } from '@drawbridge/ui';
import { newBrowserKey } from './browser-key.ts';
import type { Confirmation } from './confirmation.ts';
import { ask, call, parseAnswer, post } from './request.ts';

export interface Me {
  readonly device_id: string;
  readonly label: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

export interface Device extends Me {
  readonly created_at: number;
  readonly last_seen_at: number | null;
  readonly revoked_at: number | null;
}

export interface Passkey {
  readonly id: string;
  readonly label: string;
  readonly rp_id: string;
  readonly created_at: number;
}

/** A session that is over, as the relay stores it. */
export type ClosedSession = ReplyTo<'GET /api/sessions'>['sessions'][number];

export type Found = ReplyTo<'GET /api/search'>;

interface OpenCode {
  readonly id: string;
  readonly code: string;
  readonly poll_secret: string;
}

export interface HaltReport {
  readonly interrupted: readonly unknown[];
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  readonly calls_cancelled: number;
}

interface ConfirmationView {
  readonly state: 'waiting' | 'confirmed' | 'refused';
}

/** Stores the key under the name that the relay gave this browser. */
export async function keepPaired(keep: NewKey['keep'], response: Promise<Response>): Promise<Me> {
  const { browser_name, ...me } = await parseAnswer<Me & { readonly browser_name: string }>(response);
  await keep(browser_name);
  return me;
}

/** Links and `<img>` carry no proof, so files are fetched with one and shown from memory. */
export const blobOf = async (path: string): Promise<Blob> => (await ask(path)).blob();

export const api = {
  me: (): Promise<Me> => parseAnswer(ask('/api/me')),
  async pair(secret: string): Promise<Me> {
    const { publicKey: key, keep } = await newBrowserKey();
    return keepPaired(keep, post('/api/pair', { secret, key }));
  },
  rename: (id: string, label: string) =>
    ask(`/api/devices/${encodeURIComponent(id)}`, { method: 'PATCH', body: { label } }),
  async openCode(label: string) {
    const { publicKey: key, keep } = await newBrowserKey();
    const opened = await parseAnswer<OpenCode>(post('/api/pair/code', { label, key }));
    return { ...opened, keep };
  },
  /** Undefined until approved. */
  async collectCode(
    { id, poll_secret, keep }: OpenCode & Pick<NewKey, 'keep'>,
    signal: AbortSignal,
  ): Promise<Me | undefined> {
    const headers = { authorization: `Pairing ${poll_secret}` };
    const response = await ask(`/api/pair/code/${id}?wait=20`, { headers, signal });
    if (response.status === 202) return undefined;
    return keepPaired(keep, Promise.resolve(response));
  },
  approve: (code: string, roles: readonly string[]): Promise<{ readonly label: string }> =>
    parseAnswer(post('/api/pair/approve', { code, roles })),
  invite: (roles: readonly string[], label?: string) =>
    parseAnswer<{ readonly pair_path: string; readonly expires_at: number; readonly outside_url?: string }>(
      post('/api/pair/invite', { roles, label }),
    ),
  signOut: () => post('/api/signout'),
  devices: async (): Promise<readonly Device[]> =>
    (await parseAnswer<{ readonly devices: readonly Device[] }>(ask('/api/devices'))).devices,
  revoke: (id: string) => ask(`/api/devices/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  passkeys: async (): Promise<readonly Passkey[]> =>
    (await parseAnswer<{ readonly passkeys: readonly Passkey[] }>(ask('/api/passkeys'))).passkeys,
  removePasskey: (id: string) => ask(`/api/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  settings: () => call('GET /api/settings'),
  setRetention: (retention_days: number | null) => call('PUT /api/settings', { body: { retention_days } }),
  halt: (): Promise<HaltReport> => parseAnswer(post('/api/halt')),
  /** Newest first. */
  closedSessions: async () =>
    (await call('GET /api/sessions')).sessions.filter(({ closed_at }) => closed_at !== null),
  deleteSession: (session_id: string) => call('DELETE /api/sessions/{session_id}', { session_id }),
  search: (q: string, signal: AbortSignal) => call('GET /api/search', { query: { q } }, { signal }),
  confirmations: async (): Promise<readonly Confirmation[]> =>
    (await parseAnswer<{ readonly confirmations: readonly Confirmation[] }>(ask('/api/confirmations')))
      .confirmations,
  confirmation: (id: string, signal: AbortSignal): Promise<ConfirmationView> =>
    parseAnswer(ask(`/api/confirmations/${encodeURIComponent(id)}?wait=20`, { signal })),
  answerConfirmation: (id: string, verdict: 'confirm' | 'refuse') =>
    post(`/api/confirmations/${encodeURIComponent(id)}`, { verdict }),
  promptPicture: (prompt_id: string): Promise<QuestionPicture> =>
    parseAnswer(ask(`/api/prompts/${encodeURIComponent(prompt_id)}/picture`)),
  exportSession: (id: string): Promise<Blob> => blobOf(`/api/sessions/${encodeURIComponent(id)}/export`),
  file: (id: string): Promise<Blob> => blobOf(`/api/files/${encodeURIComponent(id)}`),
  upload: (session_id: string, file: File) =>
    parseAnswer<{ readonly file_id: string; readonly name: string; readonly media_type: string }>(
      ask(`/api/files?${new URLSearchParams({ name: file.name, session_id })}`, {
        method: 'POST',
        body: file,
      }),
    ),
};

export type Api = typeof api;
