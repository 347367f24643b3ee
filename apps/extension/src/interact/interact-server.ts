import { BridgeError, ERROR_CODES, type ErrorCode } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';

/** A server of contract 4: the relay that this extension is paired with, or any other. */
export interface InteractServer {
  /** `http://127.0.0.1:7717`, no slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export interface ServerCall {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal;
}

/** Returns the server's JSON. Throws a BridgeError, `recoverable` where the same call may succeed later. */
export async function askServer(server: InteractServer, call: ServerCall): Promise<unknown> {
  const { path, signal, method = 'GET', headers = {}, body } = call;
  const [status, text] = await exchange(server, path, {
    method,
    headers: { ...headers, authorization: `Bearer ${server.token}` },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    // A cookie of the person's own visit must not authenticate this device.
    credentials: 'omit',
  });
  const read = readJson(text, MAX_ANSWER_CHARS);
  const value = read.ok ? read.value : undefined;
  if (status >= 400 || (isObject(value) && value['success'] === false)) throw refusal(status, value);
  if (read.ok) return value;
  const message = `The server answered ${path} with something that is no JSON. Check its address.`;
  throw new BridgeError('invalid_result', message, { evidence: { status } });
}

const MAX_ANSWER_CHARS = 8_000_000;

async function exchange(
  { url, fetch }: InteractServer,
  path: string,
  init: RequestInit,
): Promise<readonly [number, string]> {
  try {
    const response = await fetch(url + path, init);
    return [response.status, await response.text()];
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const message = `The server at ${url} cannot be reached. Check that it runs, and the connection.`;
    throw new BridgeError('transport_failed', message, { cause: error });
  }
}

/** Transient errors; all others are final. */
const TRANSIENT: ReadonlySet<string> = new Set(['task_busy', 'brain_failed', 'rate_limited', 'internal']);
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 409, 425, 429]);

function refusal(status: number, body: unknown): BridgeError {
  const { code, message, error } = isObject(body) ? body : {};
  const words = [message, error].find((text) => typeof text === 'string' && text !== '');
  const told = typeof words === 'string' ? words : `The server refused the call (${status}).`;
  if (isCode(code)) return new BridgeError(code, told, { recoverable: TRANSIENT.has(code) });
  const recoverable = status >= 500 || TRANSIENT_STATUS.has(status);
  return new BridgeError(BY_STATUS[status] ?? 'handler_failed', told, { recoverable, evidence: { status } });
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = { 401: 'unauthorized', 403: 'forbidden' };

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
