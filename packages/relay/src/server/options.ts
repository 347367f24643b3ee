import type { Brain } from '@drawbridge/brain';
import type { Ledger } from '@drawbridge/ledger';
import { DEVICE_LIMITS } from '@drawbridge/protocol';
import type { MapSource } from '@drawbridge/runtime';
import type { CoreClock, CoreTimes } from '../core/ports.ts';
import type { Push } from '../interact/message-pushes.ts';
import type { NoticeOptions } from '../notifications/notifications.ts';
import type { RemoteApp } from '../pusher/remote-app.ts';
import type { RelayDemo } from './demo/demo-route.ts';

export interface RelayOptions {
  /** Folder of the ledger, the files and the certificate. Created when missing. */
  readonly data: string;
  /** Replaces the one in `data`. The caller closes it, after `close()`. */
  readonly ledger?: Ledger;
  /** Address to listen on; one that others can reach needs `tls` or `trustedProxy`. */
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
  /** A TLS proxy is in front, and this port is reachable only through it: the proxy names the client. */
  readonly trustedProxy?: boolean;
  /** Origins of further pages that may connect, such as `chrome-extension://…`. */
  readonly origins?: readonly string[];
  /** Further names for `Host`: those with a port as they are, those without also with our port. */
  readonly hosts?: readonly string[];
  readonly clock?: CoreClock;
  readonly times?: Partial<CoreTimes>;
  readonly limits?: Partial<RelayLimits>;
  /**
   * Receives one JSON object per line, without the line end: never a token, a text that people wrote, or a
   * query.
   */
  readonly log?: (line: string) => void;
  /** The web app, for every path that no other route has. */
  readonly web?: (request: Request) => Response | Promise<Response>;
  /** Decider for extensions and tasks, read at each step; replaces the configured model and the rules. */
  readonly brain?: () => Brain | undefined;
  /** Where the keys of models are looked up; the process's environment by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Maps for browsers that bring none: extensions ask for them. */
  readonly maps?: Pick<MapSource, 'mapFor'>;
  /** Receives the messages of sessions. */
  readonly push?: Push;
  /** A Pusher-compatible server that gets the messages instead of the built-in one (INT-175). */
  readonly pusher?: RemoteApp;
  /** An address that gets the events of Pusher channels (INT-207). */
  readonly pusherWebhook?: string;
  /** How people are notified. */
  readonly notices?: NoticeOptions;
  /** Whether extensions of the task protocol may connect, at `/` and `/ws/tasks`. */
  readonly taskClients?: boolean;
  /** A demo that an owner can start from the web app. */
  readonly demo?: RelayDemo;
}

/** Both in PEM, or a self-signed certificate, created once and stored in `data`. */
export type TlsOptions = { readonly cert: string; readonly key: string } | 'self-signed';

/** `DEVICE_LIMITS` of the protocol package, which a test or an operator may override. */
export type RelayLimits = { readonly [Name in keyof typeof DEVICE_LIMITS]: number };

const isLimit = (name: string): name is keyof RelayLimits => name in DEVICE_LIMITS;

export const LIMIT_NAMES: readonly (keyof RelayLimits)[] = Object.keys(DEVICE_LIMITS).filter(isLimit);

export const RELAY_LIMITS: RelayLimits = parseLimits();

/** The table has exactly these names. */
function parseLimits(): RelayLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, DEVICE_LIMITS[name].value])) as RelayLimits;
}
