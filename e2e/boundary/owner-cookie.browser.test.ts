import { createServer, request } from 'node:http';
import { startTestRelay, type TestRelay, upgradeStatus } from '@drawbridge/relay/test/server/test-relay';
import { askInPage, listenOnLoopback, openPage, proofInPage, sampled } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';

type Headers = Readonly<Record<string, string>>;

/** A development server on another port of the same host: records the cookies it gets and sets its own. */
async function devServer(name: string, setCookie: readonly string[] = []) {
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers.cookie ?? '');
    response.setHeader('content-type', 'text/html');
    response.setHeader('set-cookie', setCookie);
    response.end('<!doctype html><title>Development</title>');
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://${name}:${port}/` };
}

/** The person's browser, paired as an owner. */
async function ownersBrowser(relay: TestRelay, name: string) {
  const { page, close } = await openPage();
  onTestFinished(close);
  const order = { roles: ['owner'], scopes: [], label: 'Desk', by: 'machine' } as const;
  const { pair_path } = await relay.devices.invitations.create(order);
  await page.goto(`http://${name}:${relay.port}${pair_path}`);
  await page.getByText('This device is paired').waitFor();
  return page;
}

/** `fetch` forbids setting Host, Cookie and Sec-Fetch-Site; other programs can. */
function statusOf(relay: TestRelay, route: string, headers: Headers): Promise<number> {
  const [method = 'GET', template = '/'] = route.split(' ');
  const path = template.replaceAll(/:\w+(\{[^}]*\})?/g, 'x').replace('*', '');
  const body =
    method === 'GET' ? undefined : JSON.stringify({ roles: ['owner'], label: 'Mine', secret: 'x' });
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: relay.port, method, path, headers: { ...headers, ...(body && JSON_TYPE) } },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** 429: codes for new devices are rate-limited for everyone. */
const REFUSED = [401, 403, 429];

/** Every way for a program to present a stolen browser name. */
function waysOf(value: string, origin: string): Readonly<Record<string, Headers>> {
  const host = new URL(origin).host;
  const cookie = `drawbridge=${value}`;
  const unsigned = Buffer.from(JSON.stringify({ name: value, at: Date.now(), id: 'x'.repeat(16) }));
  return {
    bearer: { authorization: `Bearer ${value}` },
    'cookie with a forged Origin': { cookie, origin, host },
    'cookie of a page’s own read': { cookie, host, 'sec-fetch-site': 'same-origin' },
    'cookie and bearer': { cookie, origin, host, authorization: `Bearer ${value}` },
    'proof without a signature': {
      ...{ origin, host },
      'drawbridge-proof': `${unsigned.toString('base64url')}.${'A'.repeat(86)}`,
    },
    'proof that is none': { origin, host, 'drawbridge-proof': value },
  };
}

/** Reads the browser's name in a page of the relay, as every script of that origin can. */
const storedName = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('drawbridge-browser-key');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = opening.result.transaction('keys').objectStore('keys').get('current');
      request.onsuccess = () => {
        opening.result.close();
        resolve(request.result.name);
      };
    };
  });

test.each(sampled(['drawbridge.localhost', '127.0.0.1'], 2))(
  '[27.2] a server on another port of %s gets nothing of the browser’s, and its name alone opens nothing',
  { timeout: 120_000 },
  async (name) => {
    const relay = await startTestRelay({ limits: { failures_per_minute: 1_000_000 } });
    const page = await ownersBrowser(relay, name);
    const value = await page.evaluate(storedName);
    expect(value).toMatch(/^dbn_/);
    const server = await devServer(name);
    await page.goto(server.url);
    expect(server.seen, 'cookies ignore ports: there is none').toContain('');
    expect(server.seen.join()).not.toContain('drawbridge');
    const before = await relay.devices.list();
    const opened: string[] = [];
    const origin = `http://${name}:${relay.port}`;
    for (const [way, headers] of Object.entries(waysOf(value, origin))) {
      for (const route of relay.routes) {
        const stranger = await statusOf(relay, route, { host: headers['host'] ?? new URL(relay.url).host });
        const status = await statusOf(relay, route, headers);
        // A route that answers everyone alike gives the name no access.
        if (!REFUSED.includes(status) && status !== stranger) opened.push(`${route} by ${way}: ${status}`);
        if (REFUSED.includes(stranger) && !REFUSED.includes(status)) opened.push(`${route} by ${way}`);
      }
      for (const path of ['/ws/agent', '/ws/runtime']) {
        const status = await upgradeStatus(relay.url, path, { headers }, ['drawbridge']);
        if (!REFUSED.includes(status)) opened.push(`${path} by ${way}: ${status}`);
      }
    }
    for (const path of ['/ws/chat', '/ws/agent', '/ws/runtime', '/ws/tasks']) {
      const shown = ['drawbridge', `bearer.${value}`];
      const status = await upgradeStatus(relay.url, path, {}, shown);
      // A refused socket opens to carry the reason, and closes with 4401 before anything is read.
      if (status === 101 && (await isAnswered(relay, path, shown))) opened.push(`${path} by subprotocol`);
      if ((await upgradeStatus(relay.url, `${path}?token=${value}`)) === 101) opened.push(`${path} by URL`);
    }
    expect(opened).toEqual([]);
    const after = await relay.devices.list();
    expect(after.map(({ device_id }) => device_id)).toEqual(before.map(({ device_id }) => device_id));
    expect(after.filter(({ revoked_at }) => revoked_at !== null)).toEqual([]);
  },
);

const JUNK = `dbn_${'j'.repeat(43)}`;
const TOKEN = `dbr_${'j'.repeat(43)}`;
const ATTRIBUTES = 'HttpOnly; SameSite=Strict; Max-Age=34560000';

/**
 * Cookies that a server of the same host can set: shadowing by path, the same path, expiry, and enough to
 * evict others.
 */
const HOSTILE_COOKIES: Readonly<Record<string, readonly string[]>> = {
  'shadows it by longer paths': ['/api', '/api/me', '/ws', '/ws/chat'].map(
    (path) => `drawbridge=${JUNK}; Path=${path}; ${ATTRIBUTES}`,
  ),
  'replaces it': [`drawbridge=${JUNK}; Path=/; ${ATTRIBUTES}`],
  'puts a token in its place': [`drawbridge=${TOKEN}; Path=/; ${ATTRIBUTES}`],
  'ends it': ['drawbridge=; Path=/; Max-Age=0'],
  'floods the jar': Array.from({ length: 200 }, (_, at) => `c${at}=x; Path=/; ${ATTRIBUTES}`),
};

test('[27.1] no cookie of a server on another port signs the owner out, in requests and sockets', async () => {
  const relay = await startTestRelay();
  const page = await ownersBrowser(relay, '127.0.0.1');
  const url = `${relay.url.replace('http', 'ws')}/ws/agent`;
  for (const [attack, cookies] of Object.entries(HOSTILE_COOKIES)) {
    const server = await devServer('127.0.0.1', cookies);
    await page.goto(server.url);
    await page.goto(relay.url);
    await page.getByText('This device is paired').waitFor();
    expect((await askInPage(page, 'GET /api/me')).body, attack).toMatchObject({ roles: ['owner'] });
    const protocols = ['drawbridge', `proof.${await proofInPage(page, 'GET', '/ws/agent')}`];
    expect(await page.evaluate(isOpened, { url, protocols }), attack).toBe(true);
  }
});

/** Runs in a page. */
const isOpened = ({ url, protocols }: { url: string; protocols: string[] }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, protocols);
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });

/** Whether a socket with this credential is acknowledged. */
function isAnswered(relay: TestRelay, path: string, protocols: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${relay.url.replace('http', 'ws')}${path}`, [...protocols]);
    socket.addEventListener('open', () =>
      socket.send('{"type":"connection_hello","protocol_version":1,"peer_role":"browser","client_name":"x"}'),
    );
    socket.addEventListener('message', () => resolve(true));
    socket.addEventListener('close', () => resolve(false));
    socket.addEventListener('error', () => resolve(false));
  });
}

test('[27.2] no script of the relay’s own origin can export the key from the browser', async () => {
  const relay = await startTestRelay();
  const page = await ownersBrowser(relay, '127.0.0.1');
  const found = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const keys: CryptoKey[] = [];
    for (const { name = '' } of databases) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
        });
        for (const value of values.flatMap((each) => Object.values(Object(each)))) {
          if (value instanceof CryptoKey) keys.push(value);
        }
      }
    }
    const wrapper = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['wrapKey']);
    const out = async (work: () => Promise<unknown>) =>
      work().then(
        () => 'exported',
        () => 'refused',
      );
    return Promise.all(
      keys.map(async (key) => ({
        extractable: key.extractable,
        jwk: await out(() => crypto.subtle.exportKey('jwk', key)),
        pkcs8: await out(() => crypto.subtle.exportKey('pkcs8', key)),
        wrapped: await out(() =>
          crypto.subtle.wrapKey('jwk', key, wrapper, { name: 'AES-GCM', iv: new Uint8Array(12) }),
        ),
      })),
    );
  });
  const safe = { extractable: false, jwk: 'refused', pkcs8: 'refused', wrapped: 'refused' };
  expect(found).toEqual([safe]);
});
