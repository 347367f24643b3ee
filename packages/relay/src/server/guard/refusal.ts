import { UNFORWARDED } from './forwarding.ts';

/** The answer to a request or an upgrade that does not pass the guard. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const refusal = (status: number, code: string, message: string): Refusal => ({ status, code, message });

/** By the reason that `/metrics` counts. A wrong path and a wrong token look the same. */
export const REFUSALS = {
  host: refusal(
    403,
    'forbidden',
    'The relay does not answer under this name. Use the address that `drawbridge up` shows; a proxy in front is named by --behind-proxy.',
  ),
  unforwarded: refusal(403, 'forbidden', UNFORWARDED),
  shown: refusal(
    403,
    'forbidden',
    'This address is for programs, and is not shown as a page or in a frame. Open / instead.',
  ),
  origin: refusal(
    403,
    'forbidden',
    'Pages of other origins need the token of a paired device in Authorization: Bearer.',
  ),
  tokenless: refusal(401, 'unauthorized', 'Show the token of a paired device in Authorization: Bearer.'),
  role: refusal(403, 'forbidden', 'This device may not connect here. Pair it with another role.'),
  credential: refusal(
    401,
    'unauthorized',
    'Show the token of a paired device in Authorization: Bearer, and connect to /ws/chat, /ws/runtime or /ws/agent.',
  ),
  limited: refusal(429, 'rate_limited', 'Too many wrong credentials. Try again in a minute.'),
  sockets: refusal(
    429,
    'rate_limited',
    'This device has as many sockets as it may have (person_sockets, proxy_sockets). Close one first.',
  ),
  strangers: refusal(
    503,
    'unavailable',
    'Too many sockets without a credential are open (strangers). Show a token, or try again in 30 s.',
  ),
  stopping: refusal(503, 'unavailable', 'The relay is stopping. Try again in a few seconds.'),
  failed: refusal(503, 'unavailable', 'The relay failed. Try again in a few seconds.'),
} as const;

export type RefusalReason = keyof typeof REFUSALS;

export const refusalBody = ({ code, message }: Pick<Refusal, 'code' | 'message'>): string =>
  JSON.stringify({ error: { code, message }, message });
