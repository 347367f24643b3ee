import type { Brain } from '@drawbridge/brain';
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

export interface RelayLimits {
  /** CHT-95 */
  readonly strangers: number;
  /** Open chat sockets of one device that is no proxy, and of one that is. */
  readonly person_sockets: number;
  readonly proxy_sockets: number;
  /** CHT-96 */
  readonly failures_per_minute: number;
  /** CHT-97: of all sockets of a device together. */
  readonly browser_frames_per_second: number;
  readonly browser_burst: number;
  readonly proxy_frames_per_second: number;
  /** CHT-98 */
  readonly unread_bytes: number;
  readonly unread_events: number;
  /** CHT-287 */
  readonly unread_answer_bytes: number;
  readonly file_bytes: number;
  readonly device_bytes: number;
  readonly interact_calls_per_minute: number;
}

export const RELAY_LIMITS: RelayLimits = {
  strangers: 50,
  person_sockets: 32,
  proxy_sockets: 8,
  failures_per_minute: 10,
  browser_frames_per_second: 100,
  browser_burst: 200,
  proxy_frames_per_second: 2_000,
  unread_bytes: 1_048_576,
  unread_events: 1_000,
  unread_answer_bytes: 16 * 1_048_576,
  file_bytes: 25 * 1_048_576,
  device_bytes: 1_073_741_824,
  interact_calls_per_minute: 300,
};
