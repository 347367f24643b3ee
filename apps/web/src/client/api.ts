import { ApiError, ask, parseAnswer, parseMessage, post } from './request.ts';

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

export interface HaltReport {
  readonly interrupted: readonly unknown[];
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  readonly calls_cancelled: number;
}

export const api = {
  me: (): Promise<Me> => parseAnswer(ask('/api/me')),
  pair: (secret: string): Promise<Me> => parseAnswer(post('/api/pair', { secret })),
  rename: (id: string, label: string) =>
    ask(`/api/devices/${encodeURIComponent(id)}`, { method: 'PATCH', body: { label } }),
  openCode: (label: string) =>
    parseAnswer<{ readonly id: string; readonly code: string; readonly poll_secret: string }>(
      post('/api/pair/code', { label }),
    ),
  /** Undefined while nobody has approved it. */
  async collectCode(id: string, poll_secret: string, signal: AbortSignal): Promise<Me | undefined> {
    const response = await fetch(`/api/pair/code/${id}?wait=20`, {
      headers: { authorization: `Pairing ${poll_secret}` },
      signal,
    });
    if (response.status === 202) return undefined;
    const answer: unknown = await response.json();
    if (!response.ok) throw new ApiError(response.status, parseMessage(answer));
    return answer as Me;
  },
  approve: (code: string, roles: readonly string[]): Promise<{ readonly label: string }> =>
    parseAnswer(post('/api/pair/approve', { code, roles })),
  invite: (roles: readonly string[], label?: string) =>
    parseAnswer<{ readonly pair_path: string; readonly expires_at: number }>(
      post('/api/pair/invite', { roles, label }),
    ),
  signOut: () => post('/api/signout'),
  devices: async (): Promise<readonly Device[]> =>
    (await parseAnswer<{ readonly devices: readonly Device[] }>(ask('/api/devices'))).devices,
  revoke: (id: string) => ask(`/api/devices/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  passkeys: async (): Promise<readonly Passkey[]> =>
    (await parseAnswer<{ readonly passkeys: readonly Passkey[] }>(ask('/api/passkeys'))).passkeys,
  removePasskey: (id: string) => ask(`/api/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  settings: (): Promise<{ readonly retention_days: number | null }> => parseAnswer(ask('/api/settings')),
  setRetention: (retention_days: number | null) =>
    ask('/api/settings', { method: 'PUT', body: { retention_days } }),
  halt: (): Promise<HaltReport> => parseAnswer(post('/api/halt')),
  deleteSession: (id: string) => ask(`/api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  exportUrl: (id: string): string => `/api/sessions/${encodeURIComponent(id)}/export`,
  fileUrl: (id: string): string => `/api/files/${encodeURIComponent(id)}`,
  upload: (session_id: string, file: File) =>
    parseAnswer<{ readonly file_id: string; readonly name: string; readonly media_type: string }>(
      ask(`/api/files?${new URLSearchParams({ name: file.name, session_id })}`, {
        method: 'POST',
        body: file,
      }),
    ),
};

export type Api = typeof api;
