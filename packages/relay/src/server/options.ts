import type { Brain } from '@drawbridge/brain';
import { DEVICE_LIMITS } from '@drawbridge/protocol';
import type { MapSource } from '@drawbridge/runtime';
import type { CoreClock, CoreTimes } from '../core/ports.ts';
import type { Push } from '../interact/message-pushes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NoticeOptions } from '../notices/notices.ts';
import type { RemoteApp } from '../pusher/remote-app.ts';
import type { RelayDemo } from './demo/demo-route.ts';

export interface RelayOptions {
  /** The folder of the ledger, the files and the certificate. It is made when it is not there. */
  readonly data: string;
  /** Instead of the one in `data`. Whoever opened it closes it, after `close()`. */
  readonly ledger?: Ledger;
  /** The address to listen on; one that others can reach needs `tls` or `trustedProxy`. */
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
  /** A proxy with TLS stands in front, and nobody reaches this port but through it: it says who calls. */
  readonly trustedProxy?: boolean;
  /** The Origins of further pages that may connect, such as `chrome-extension://…`. */
  readonly origins?: readonly string[];
  /** Further names that stand in `Host`: with a port as they are, without one with our port too. */
  readonly hosts?: readonly string[];
  readonly clock?: CoreClock;
  readonly times?: Partial<CoreTimes>;
  readonly limits?: Partial<RelayLimits>;
  /** Gets one JSON object a line, without the line's end: never a token, a text that people wrote, or a query. */
  readonly log?: (line: string) => void;
  /** The web app, for every path that is nobody else's. */
  readonly web?: (request: Request) => Response | Promise<Response>;
  /** What decides for extensions and tasks, asked at each step, instead of the model that is set up, or rules. */
  readonly brain?: () => Brain | undefined;
  /** Where the keys of models are looked for; the process's own unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The maps for browsers that have none of their own: extensions ask for them. */
  readonly maps?: Pick<MapSource, 'mapFor'>;
  /** Where the messages of sessions are pushed to. */
  readonly push?: Push;
  /** A Pusher-compatible server that messages go to, instead of the one in here (INT-175). */
  readonly pusher?: RemoteApp;
  /** An address of one's own that hears of Pusher channels (INT-207). */
  readonly pusherWebhook?: string;
  /** How people are told what waits for them. */
  readonly notices?: NoticeOptions;
  /** Whether extensions of the task protocol may connect, at `/` and `/ws/tasks`. */
  readonly taskClients?: boolean;
  /** What an owner can have played, from the web app. */
  readonly demo?: RelayDemo;
}

/** Both in PEM, or a certificate of our own, made once and kept in `data`. */
export type TlsOptions = { readonly cert: string; readonly key: string } | 'self-signed';

/** `DEVICE_LIMITS` of the protocol package, each of which a test or an operator may set. */
export type RelayLimits = { readonly [Name in keyof typeof DEVICE_LIMITS]: number };

const isLimit = (name: string): name is keyof RelayLimits => name in DEVICE_LIMITS;

export const LIMIT_NAMES: readonly (keyof RelayLimits)[] = Object.keys(DEVICE_LIMITS).filter(isLimit);

export const RELAY_LIMITS: RelayLimits = parseLimits();

/** The table has exactly these names. */
function parseLimits(): RelayLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, DEVICE_LIMITS[name].value])) as RelayLimits;
}
