/**
 * The calls of the public extension of contract 4, as its build sends them, and the fields that it needs in each
 * answer. All values are invented.
 */

/** `?` after a kind: may be absent. A path with `[]` is checked in each entry. */
type Kind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'text?' | 'number?' | 'object?';

export interface ExtensionCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly reads: Readonly<Record<string, Kind>>;
}

const get = (path: string, reads: ExtensionCall['reads']): ExtensionCall => ({
  ...{ method: 'GET', path, status: 200, reads },
});
const post = (path: string, body: unknown, reads: ExtensionCall['reads'] = {}): ExtensionCall => ({
  ...{ method: 'POST', path, body, status: 200, reads },
});

const USER = { 'user.id': 'text', 'user.email': 'text', tenantId: 'text', tenantName: 'text' } as const;
const MESSAGES = {
  messages: 'list',
  'messages[].messageId': 'text',
  'messages[].role': 'text',
  'messages[].content': 'text',
  'messages[].timestamp': 'text',
  'messages[].sequenceNumber': 'number',
} as const;
const SESSIONS = {
  success: 'boolean',
  'data.sessions': 'list',
  'data.sessions[].sessionId': 'text',
  'data.sessions[].url': 'text',
  'data.sessions[].status': 'text',
  'data.sessions[].createdAt': 'text',
  'data.sessions[].updatedAt': 'text',
  'data.sessions[].messageCount': 'number',
  'data.sessions[].metadata.initialQuery': 'text?',
  'data.pagination.total': 'number',
  'data.pagination.limit': 'number',
  'data.pagination.offset': 'number',
  'data.pagination.hasMore': 'boolean',
} as const;

export const SIGN_IN = {
  login: (email: string, password: string) =>
    post('/api/v1/auth/login', { email, password }, { accessToken: 'text', expiresAt: 'text', ...USER }),
  session: get('/api/v1/auth/session', USER),
  logout: { ...post('/api/v1/auth/logout', undefined), status: 204 },
};

export const START = {
  sessions: get('/api/session?status=active&includeArchived=false&limit=50', SESSIONS),
  preferences: get('/api/v1/user/preferences', { 'preferences.theme': 'text' }),
  putTheme: (theme: string) => post('/api/v1/user/preferences', { theme }),
  knowledge: (host: string) =>
    get(`/api/knowledge/resolve?url=${host}`, {
      hasOrgKnowledge: 'boolean',
      context: 'list',
      allowed: 'boolean',
      domain: 'text',
    }),
};

export const SESSION = {
  init: (sessionId: string, more: object = { url: '' }) =>
    post('/api/session/init', { sessionId, ...more }, { success: 'boolean', 'data.created': 'boolean' }),
  messages: (sessionId: string) => get(`/api/session/${sessionId}/messages?limit=50`, MESSAGES),
  poll: (sessionId: string, since: string) =>
    get(`/api/session/${sessionId}/messages?limit=50&since=${encodeURIComponent(since)}`, MESSAGES),
  rename: (sessionId: string, title: string): ExtensionCall => ({
    ...post(`/api/session/${sessionId}`, { title }),
    method: 'PATCH',
  }),
  archive: (sessionId: string) => post('/api/session', { sessionId }),
  resume: (sessionId: string, taskId: string, resolutionData: object) =>
    post(`/api/session/${sessionId}/task/${taskId}/resume`, {
      resolutionMethod: 'provide_in_chat',
      resolutionData,
    }),
  report: (sessionId: string, taskId: string) =>
    get(`/api/session/${sessionId}/task/${taskId}/report?format=json`, {
      task: 'object',
      actionHistory: 'list',
    }),
};

/** Fields of an error that it shows; an object in their place is shown as "[object Object]". */
export const ERROR_READS: ExtensionCall['reads'] = { message: 'text' };

const isKind = (kind: string, value: unknown): boolean => {
  if (kind.endsWith('?')) return value === undefined || isKind(kind.slice(0, -1), value);
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === kind;
};

function valuesAt(body: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [body];
  for (const part of path.split('.')) {
    const name = part.replace('[]', '');
    found = found.map((each) =>
      typeof each === 'object' && each !== null ? Reflect.get(each, name) : undefined,
    );
    if (part.endsWith('[]')) found = found.flatMap((each) => (Array.isArray(each) ? each : []));
  }
  return found;
}

/** The fields that the extension would miss. */
export const missingIn = (body: unknown, reads: ExtensionCall['reads']): readonly string[] =>
  Object.entries(reads)
    .filter(([path, kind]) => !valuesAt(body, path).every((value) => isKind(kind, value)))
    .map(([path, kind]) => `${path}: ${kind}`);
