import { createServer } from 'node:https';
import type { Import } from '@drawbridge/protocol/manifest';
import { listenOnLoopback } from '@drawbridge/testbed';
import { describe, expect, test } from 'vitest';
import { HOSTILE_ANSWERS, HOSTILE_URLS, MISWRITTEN_URLS } from '../../../test/node/loaders/hostile-urls.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../../test/node/loaders/test-certificate.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { isPublicAddress } from '../../public-address.ts';
import { createHttpsLoader, type HttpsOptions } from './https-loader.ts';
import { createMapLoader } from './map-loader.ts';
import { createPinnedRequest, type PinnedRequest, type PinnedResponse } from './pinned-request.ts';

const PUBLIC = '93.184.216.34';
const MAP = '{"protocol":"actions.json","version":1,"tools":[]}';
const site = (uri: string): Import => ({ id: 'site', kind: 'website', uri });

/** A fake resolver and network that record every lookup and every connection. */
function world(
  answers: readonly (readonly string[])[],
  responses: readonly Partial<PinnedResponse>[] = [{}],
) {
  const asked: string[] = [];
  const connects: PinnedRequest[] = [];
  const options: HttpsOptions = {
    resolve: async (hostname) => {
      asked.push(hostname);
      return answers[Math.min(asked.length, answers.length) - 1] ?? [];
    },
    request: async (pinned) => {
      connects.push(pinned);
      return {
        status: 200,
        body: Buffer.from(MAP),
        ...responses[Math.min(connects.length, responses.length) - 1],
      };
    },
  };
  return { asked, connects, options };
}

const codeOf = async (load: Promise<string>): Promise<string> => {
  try {
    return `read ${await load}`;
  } catch (error) {
    return error instanceof LoadRefusal ? error.code : `threw ${error}`;
  }
};

describe('connections', () => {
  test('[MAN-122] no hostile url causes a connection', async () => {
    expect(new Set(HOSTILE_URLS).size).toBeGreaterThanOrEqual(300);
    const { connects, options } = world([['127.0.0.1']]);
    const load = createHttpsLoader(options);
    const codes = new Map<string, string>();
    for (const url of HOSTILE_URLS) codes.set(url, await codeOf(load(site(url), 'local:actions.json')));
    expect(connects).toEqual([]);
    const known = ['https_only', 'unsafe_url', 'port_refused', 'address_refused'];
    expect([...codes].filter(([, code]) => !known.includes(code))).toEqual([]);
  });

  test('[MAN-122] a misleading url is refused even when its name is public', async () => {
    const { connects, options } = world([[PUBLIC]]);
    const load = createHttpsLoader(options);
    for (const url of MISWRITTEN_URLS) {
      expect([url, (await codeOf(load(site(url), 'local:a'))).split(' ')[0]]).not.toEqual([url, 'read']);
    }
    expect(connects).toEqual([]);
  });

  test("[MAN-122] a resolver's answer with an internal address causes no connection", async () => {
    for (const answer of HOSTILE_ANSWERS) {
      const { connects, options } = world([answer]);
      const code = await codeOf(createHttpsLoader(options)(site('https://public.test/'), 'local:a'));
      expect([answer, connects.length, code]).toEqual([
        answer,
        0,
        answer.length === 0 ? 'unreachable' : 'address_refused',
      ]);
    }
  });

  test('[MAN-122] a public name is resolved once, and only the checked address is connected to', async () => {
    const { asked, connects, options } = world(
      [[PUBLIC], ['127.0.0.1']],
      [{ status: 302, location: '/v2' }, {}],
    );
    const text = await createHttpsLoader(options)(site('https://public.test/v1'), 'local:a');
    expect(text).toBe(MAP);
    expect(asked).toEqual(['public.test']);
    expect(connects.map(({ url, address }) => [url.href, address])).toEqual([
      ['https://public.test/v1', PUBLIC],
      ['https://public.test/v2', PUBLIC],
    ]);
  });

  test.each([PUBLIC, '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test('a literal public address needs no resolver', async () => {
    const { asked, connects, options } = world([]);
    expect(await codeOf(createHttpsLoader(options)(site(`https://${PUBLIC}/`), 'local:a'))).toBe(
      `read ${MAP}`,
    );
    expect(await codeOf(createHttpsLoader(options)(site('https://[2606:2800::1]/'), 'local:a'))).toBe(
      `read ${MAP}`,
    );
    expect([asked.length, connects.map(({ address }) => address)]).toEqual([0, [PUBLIC, '2606:2800::1']]);
  });

  test.each([
    'https://other.test/',
    'https://public.test.evil.test/',
    'https://127.0.0.1/',
    '//127.0.0.1/',
    'http://public.test/',
    'https://public.test:8443/',
    'https://user@public.test/',
    'file:///etc/passwd',
    '//public.test:22/',
    '\\\\127.0.0.1\\a',
    '',
    undefined,
  ])('[MAN-122] a redirect to %j is not followed', async (location) => {
    const { connects, options } = world(
      [[PUBLIC]],
      [{ status: 302, ...(location === undefined ? {} : { location }) }],
    );
    const code = await codeOf(createHttpsLoader(options)(site('https://public.test/'), 'local:a'));
    expect(code).toMatch(/^(redirect_refused|https_only|unsafe_url|port_refused)$/);
    expect(connects.length).toBeLessThanOrEqual(4);
    expect(connects.map(({ url }) => url.href)).toEqual(connects.map(() => 'https://public.test/'));
    expect(connects.every(({ address }) => address === PUBLIC)).toBe(true);
  });

  test('[MAN-122] the number of redirects is limited', async () => {
    const { connects, options } = world([[PUBLIC]], [{ status: 302, location: '/again' }]);
    expect(await codeOf(createHttpsLoader(options)(site('https://public.test/'), 'local:a'))).toBe(
      'redirect_refused',
    );
    expect(connects).toHaveLength(4);
  });
});

describe('limits', () => {
  test.each([201, 204, 304, 400, 401, 404, 500])('an answer of %d is no map', async (status) => {
    const { options } = world([[PUBLIC]], [{ status }]);
    expect(await codeOf(createHttpsLoader(options)(site('https://public.test/'), 'local:a'))).toBe(
      'bad_response',
    );
  });

  test('a body that is over the limit or no text is refused', async () => {
    const large = world([[PUBLIC]], [{ body: Buffer.alloc(11, 'x') }]);
    const load = createHttpsLoader({ ...large.options, maxBytes: 10 });
    expect(await codeOf(load(site('https://public.test/'), 'local:a'))).toBe('too_large');
    const bytes = world([[PUBLIC]], [{ body: Buffer.from([0xff, 0xfe]) }]);
    expect(await codeOf(createHttpsLoader(bytes.options)(site('https://public.test/'), 'local:a'))).toBe(
      'not_text',
    );
  });

  test('a resolver or server that never answers times out, and a late resolver causes no connection', async () => {
    const silent = new AbortController();
    const never = world([[PUBLIC]]);
    const hanging = createHttpsLoader({
      ...never.options,
      request: () => new Promise(() => {}),
      deadline: () => silent.signal,
    });
    const waiting = codeOf(hanging(site('https://public.test/'), 'local:a'));
    silent.abort();
    expect(await waiting).toBe('too_slow');

    const late = new AbortController();
    const { connects, options } = world([[PUBLIC]]);
    let answer = (_: readonly string[]) => {};
    const resolved = new Promise<readonly string[]>((done) => {
      answer = done;
    });
    const slow = createHttpsLoader({ ...options, resolve: () => resolved, deadline: () => late.signal });
    const load = codeOf(slow(site('https://public.test/'), 'local:a'));
    late.abort();
    expect(await load).toBe('too_slow');
    answer([PUBLIC]);
    await new Promise(setImmediate);
    expect(connects).toEqual([]);
  });
});

describe('off by default', () => {
  test('[MAN-122] https imports are refused unless enabled', async () => {
    const { connects, options } = world([[PUBLIC]]);
    const uri = 'https://public.test/';
    for (const kind of ['website', 'public', 'shared', 'storage'] as const) {
      const off = createMapLoader({});
      expect(await codeOf(off({ id: 'a', kind, uri }, 'local:a'))).toBe('https_off');
      const on = createMapLoader({ https: options });
      expect(await codeOf(on({ id: 'a', kind, uri }, 'local:a'))).toBe(`read ${MAP}`);
    }
    expect(connects).toHaveLength(4);
  });

  test('every other kind that is not configured is refused', async () => {
    const off = createMapLoader({});
    const refused = async (kind: Import['kind']) => codeOf(off({ id: 'a', kind, uri: 'a.json' }, 'local:a'));
    expect(await refused('local')).toBe('local_off');
    expect(await refused('storage')).toBe('storage_off');
    expect(await refused('shared')).toBe('storage_off');
    expect(await refused('public')).toBe('storage_off');
    expect(await refused('package')).toBe('package_off');
    expect(await refused('website')).toBe('https_off');
  });
});

describe('a real server', () => {
  async function serve(body: string, headers: Record<string, string> = {}) {
    const ca = TEST_CERTIFICATE;
    const hosts: (string | undefined)[] = [];
    const server = createServer({ key: TEST_KEY, cert: ca }, (request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(200, headers).end(body);
    });
    const port = await listenOnLoopback(server);
    const close = () => new Promise((done) => server.close(done));
    return { port, ca, hosts, close };
  }

  const loaderFor = ({ port, ca }: { port: number; ca: string }, more: HttpsOptions = {}) =>
    createHttpsLoader({
      ports: [port],
      allowsAddress: (address) => address === '127.0.0.1',
      resolve: async () => ['127.0.0.1'],
      request: createPinnedRequest({ ca }),
      ...more,
    });

  test('[MAN-122] is requested at the pinned address, with its own name and certificate', async () => {
    const server = await serve(MAP);
    try {
      const load = loaderFor(server);
      const at = (host: string) =>
        codeOf(load(site(`https://${host}:${server.port}/actions.json`), 'local:a'));
      expect(await at('maps.test')).toBe(`read ${MAP}`);
      expect(server.hosts).toEqual([`maps.test:${server.port}`]);
      expect(await at('other.test')).toBe('unreachable');
      const untrusting = loaderFor(server, { request: createPinnedRequest() });
      expect(await codeOf(untrusting(site(`https://maps.test:${server.port}/`), 'local:a'))).toBe(
        'unreachable',
      );
      expect(server.hosts).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  test('a body over the limit is cut off while it arrives, and a compressed one is refused', async () => {
    const large = await serve('x'.repeat(200_000));
    const packed = await serve(MAP, { 'content-encoding': 'gzip' });
    try {
      const cut = loaderFor(large, { maxBytes: 1_000 });
      expect(await codeOf(cut(site(`https://maps.test:${large.port}/`), 'local:a'))).toBe('too_large');
      expect(await codeOf(loaderFor(packed)(site(`https://maps.test:${packed.port}/`), 'local:a'))).toBe(
        'bad_response',
      );
    } finally {
      await Promise.all([large.close(), packed.close()]);
    }
  });
});
