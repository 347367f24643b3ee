import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';

export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server on this machine that records requests. */
export interface PostServer {
  readonly url: string;
  readonly posted: readonly Posted[];
  /** Answers the next requests with these in turn, repeating the last one. */
  readonly answer: (...answers: readonly (number | { readonly redirect: string })[]) => void;
  /** The oldest request not returned yet; waits for one. */
  readonly next: () => Promise<Posted>;
}

export async function startPostServer(): Promise<PostServer> {
  const posted: Posted[] = [];
  const untaken: Posted[] = [];
  const waiting: ((posting: Posted) => void)[] = [];
  let answers: readonly (number | { readonly redirect: string })[] = [201];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const posting = { path: request.url ?? '', headers: request.headers, body };
    const [answer = 201] = answers;
    if (answers.length > 1) answers = answers.slice(1);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(307, { location: answer.redirect }).end();
    posted.push(posting);
    const taker = waiting.shift();
    if (taker === undefined) untaken.push(posting);
    else taker(posting);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    posted,
    answer: (...next) => {
      answers = next;
    },
    next() {
      const first = untaken.shift();
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
    },
  };
}

let browsers = 0;

/** A subscribed browser that can decrypt its messages. */
export function subscribedBrowser({ url }: Pick<PostServer, 'url'>) {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  browsers += 1;
  const path = `/push/${browsers}`;
  const keys = { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') };
  return {
    path,
    subscription: { endpoint: `${url}${path}`, expirationTime: null, keys },
    /** RFC 8188 and RFC 8291, by hand: the library that encrypts does not decrypt. */
    read({ headers, body }: Posted): Readonly<Record<string, unknown>> {
      if (headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted for a browser.');
      const salt = body.subarray(0, 16);
      const theirs = body.subarray(21, 21 + (body[20] ?? 0));
      const sealed = body.subarray(21 + theirs.length);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs]);
      const input = Buffer.from(hkdfSync('sha256', own.computeSecret(theirs), auth, info, 32));
      const derived = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, length));
      const open = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
      open.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}

/** RFC 8292: the token's claims, if the published key has signed it. */
export function vapidClaims(authorization: string | undefined, public_key: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(public_key, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const signer = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: signer, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned || key !== public_key) throw new Error('The relay has not signed this.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}
