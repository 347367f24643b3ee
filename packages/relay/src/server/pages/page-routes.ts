import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { addressOf, type Credentials, isLoopback } from '../guard/credentials.ts';
import { isPerson } from '../guard/permission.ts';
import type { Metrics } from '../metrics.ts';
import { type RelayEnv, refuse, signedIn } from '../relay-env.ts';
import { HOME_PAGE, HOME_STYLE } from './home-page.ts';
import { HOME_SCRIPT } from './home-script.ts';

export interface PageRoutesOptions {
  readonly credentials: Credentials;
  readonly metrics: Metrics;
  readonly trustedProxy: boolean;
  /** Whether what comes now is taken. */
  readonly isReady: () => Promise<boolean>;
  readonly web: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** Written by `npm run gen`. */
const REFERENCE = new URL('../../../../../docs/reference/', import.meta.url);

/** Health, figures, descriptions and the front page: nothing here tells of a session. */
export function pageRoutes(options: PageRoutesOptions): Hono<RelayEnv> {
  const { credentials, metrics, trustedProxy, isReady, web } = options;
  const forPeople = signedIn(credentials, isPerson);
  const routes = new Hono<RelayEnv>()
    .get('/healthz', (context) => context.json({ status: 'ok' }))
    .get('/readyz', async (context) =>
      (await isReady())
        ? context.json({ status: 'ready' })
        : refuse(context, 'unavailable', 'The relay is stopping, or its ledger does not answer.'),
    )
    .get(
      '/metrics',
      (context, next) => (isFromHere(context.env.incoming, trustedProxy) ? next() : forPeople(context, next)),
      (context) => {
        context.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        return context.body(metrics.text());
      },
    )
    .get('/openapi.json', (context) => description(context, 'openapi.json'))
    .get('/asyncapi.json', (context) => description(context, 'asyncapi.json'));
  if (web !== undefined) return routes.get('*', (context) => web(context.req.raw));
  return routes
    .get('/', (context) => context.html(HOME_PAGE))
    .get('/relay.css', (context) => {
      context.header('content-type', 'text/css; charset=utf-8');
      return context.body(HOME_STYLE);
    })
    .get('/relay.js', (context) => {
      context.header('content-type', 'text/javascript; charset=utf-8');
      return context.body(HOME_SCRIPT);
    });
}

/** Headers of browsers, and of proxies that nobody told us of: those whom such a proxy speaks for are not of this machine. */
const NOT_FROM_HERE = ['origin', 'cookie', 'sec-fetch-site', 'x-forwarded-for', 'forwarded'];

/** A program of this machine, such as a Prometheus beside the relay. */
const isFromHere = (request: IncomingMessage, trustedProxy: boolean): boolean =>
  isLoopback(addressOf(request, trustedProxy)) &&
  !NOT_FROM_HERE.some((name) => name in request.headers && !(trustedProxy && name.includes('forwarded')));

const descriptions = new Map<string, Promise<string>>();

/** Reads each file once: a file handle for every request would let a stranger use them all up. */
async function description(context: Context, name: string): Promise<Response> {
  try {
    const reading = descriptions.get(name) ?? readFile(new URL(name, REFERENCE), 'utf8');
    descriptions.set(name, reading);
    const text = await reading;
    context.header('content-type', 'application/json');
    return context.body(text);
  } catch {
    return refuse(context, 'not_found', 'This installation came without its descriptions.');
  }
}
