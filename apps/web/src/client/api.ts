import type { NewKey } from '@drawbridge/link';
import type { MintedDevice, OpenCode } from '@drawbridge/protocol/http';
import { type ReplyTo, requestOf } from '@drawbridge/protocol/http-call';
import { newBrowserKey } from './browser-key.ts';
import { ask, call, trustAnswer } from './request.ts';

export type Me = ReplyTo<'GET /api/me'>;
export type DeviceList = ReplyTo<'GET /api/devices'>;
export type Device = DeviceList['devices'][number];
export type Passkey = ReplyTo<'GET /api/passkeys'>['passkeys'][number];
export type Found = ReplyTo<'GET /api/search'>;
/** A session that is over, as the relay stores it. */
export type ClosedSession = ReplyTo<'GET /api/sessions'>['sessions'][number];

/** Stores the key under the name that the relay gave this browser. */
export async function keepPaired(keep: NewKey['keep'], paired: Promise<MintedDevice>): Promise<Me> {
  const { browser_name, ...me } = await paired;
  if (browser_name !== undefined) await keep(browser_name);
  return me;
}

/** Links and `<img>` carry no proof, so files are fetched with one and shown from memory. */
export const blobOf = async (path: string): Promise<Blob> => (await ask(path)).blob();

export const api = {
  me: () => call('GET /api/me'),
  async pair(secret: string): Promise<Me> {
    const { publicKey: key, keep } = await newBrowserKey();
    return keepPaired(keep, call('POST /api/pair', { body: { secret, key } }));
  },
  rename: (device_id: string, label: string) =>
    call('PATCH /api/devices/{device_id}', { device_id, body: { label } }),
  async openCode(label: string) {
    const { publicKey: key, keep } = await newBrowserKey();
    const opened = await call('POST /api/pair/code', { body: { label, key } });
    return { ...opened, keep };
  },
  /** Undefined until approved. */
  async collectCode(
    { id, poll_secret, keep }: OpenCode & Pick<NewKey, 'keep'>,
    signal: AbortSignal,
  ): Promise<Me | undefined> {
    const { path } = requestOf('GET /api/pair/code/{id}', { id, query: { wait: 20 } });
    const response = await ask(path, { headers: { authorization: `Pairing ${poll_secret}` }, signal });
    if (response.status === 202) return undefined;
    return keepPaired(keep, trustAnswer(Promise.resolve(response)));
  },
  approve: (code: string, roles: Me['roles'], scopes: Me['scopes']) =>
    call('POST /api/pair/approve', { body: { code, roles, scopes: [...scopes] } }),
  invite: (roles: Me['roles'], label: string, scopes: Me['scopes']) =>
    call('POST /api/pair/invite', { body: { roles, label, scopes: [...scopes] } }),
  signOut: () => call('POST /api/signout'),
  devices: async () => (await call('GET /api/devices')).devices,
  /** Also where other machines reach the relay. */
  devicesAndReach: () => call('GET /api/devices'),
  revoke: (device_id: string) => call('DELETE /api/devices/{device_id}', { device_id }),
  passkeys: async () => (await call('GET /api/passkeys')).passkeys,
  removePasskey: (id: string) => call('DELETE /api/passkeys/{id}', { id }),
  settings: () => call('GET /api/settings'),
  setRetention: (retention_days: number | null) => call('PUT /api/settings', { body: { retention_days } }),
  halt: () => call('POST /api/halt'),
  /** Newest first. */
  closedSessions: async () =>
    (await call('GET /api/sessions')).sessions.filter(({ closed_at }) => closed_at !== null),
  deleteSession: (session_id: string) => call('DELETE /api/sessions/{session_id}', { session_id }),
  search: (q: string, signal: AbortSignal) => call('GET /api/search', { query: { q } }, { signal }),
  confirmations: async () => (await call('GET /api/confirmations')).confirmations,
  confirmation: (id: string, signal: AbortSignal) =>
    call('GET /api/confirmations/{id}', { id, query: { wait: 20 } }, { signal }),
  answerConfirmation: (id: string, verdict: 'confirm' | 'refuse') =>
    call('POST /api/confirmations/{id}', { id, body: { verdict } }),
  promptPicture: (prompt_id: string) => call('GET /api/prompts/{prompt_id}/picture', { prompt_id }),
  exportSession: (session_id: string): Promise<Blob> =>
    blobOf(requestOf('GET /api/sessions/{session_id}/export', { session_id }).path),
  file: (file_id: string): Promise<Blob> => blobOf(requestOf('GET /api/files/{file_id}', { file_id }).path),
  upload: (session_id: string, file: File) => {
    const { path } = requestOf('POST /api/files', { query: { session_id, name: file.name } });
    return trustAnswer<ReplyTo<'POST /api/files'>>(ask(path, { method: 'POST', body: file }));
  },
};

export type Api = typeof api;
