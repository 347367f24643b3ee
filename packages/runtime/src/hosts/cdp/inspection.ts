import { BridgeError } from '@drawbridge/protocol';
import { originOf } from '../../address/local-network.ts';
import type { InspectedCookie, InspectedMessage, InspectedRequest, Inspection } from '../../host.ts';
import type { EventParams } from './connection.ts';
import type { InputSession } from './input.ts';

export interface InspectionOptions {
  /** Also the id of the main frame; undefined where the host does not know it. */
  readonly mainFrameId: () => string | undefined;
  /** The page's address now. */
  readonly url: () => string;
  /** The relay, and private addresses that nobody opened: nothing about them is kept or shown. */
  readonly isRefused: (url: string) => boolean;
  readonly mask: (text: string) => string;
  /** Runs before the first use. */
  readonly attach?: () => Promise<void>;
}

export interface InspectionLog extends Inspection {
  /** Every session of the tab, the main one first. */
  readonly listen: (session: InputSession) => void;
  /** The debugger is gone; the next use starts again. */
  readonly detached: () => void;
  readonly close: () => void;
}

const MOST_ENTRIES = 300;
const MAX_TEXT_CHARS = 4_000;
const MAX_URL_CHARS = 2_000;
const TOTAL_BYTES = 20_000_000;
const BODY_BYTES = 2_000_000;
const TEXT_TYPE = /^text\/|json|javascript|xml|x-www-form-urlencoded|svg/i;

interface Entry extends InspectedRequest {
  readonly session: InputSession;
  readonly networkId: string;
  readonly startedAt: number;
  readonly mime_type: string;
  readonly isOver: boolean;
}

/** Console messages and requests of one tab, in memory, the last few hundred of each. */
export function createInspectionLog(options: InspectionOptions): InspectionLog {
  const { mainFrameId, url, isRefused, mask, attach } = options;
  const sessions = new Set<InputSession>();
  const stops: (() => void)[] = [];
  const messages: InspectedMessage[] = [];
  /** By our ids, which are short: they are read by agents. */
  const requests = new Map<string, Entry>();
  /** Our id of the request that a session knows by its own. */
  const known = new WeakMap<InputSession, Map<string, string>>();
  let made = 0;
  let starting: Promise<void> | undefined;
  /** Origin of the committed document; the surface learns it later. */
  let committed: string | undefined;
  const origin = () => committed ?? originOf(url());

  /** A frame without an http address may be inside a refused one. */
  const isOpen = (address: string, isMain: boolean) =>
    isMain ? !isRefused(address) : /^https?:/.test(address) && !isRefused(address);

  const write = (document_origin: string, level: string, text: string, at: number, source?: string) => {
    messages.push({
      ...{ origin: origin(), document_origin, level, at },
      text: text.slice(0, MAX_TEXT_CHARS),
      ...(source && { source: source.slice(0, MAX_URL_CHARS) }),
    });
    if (messages.length > MOST_ENTRIES) messages.shift();
  };

  const listenToConsole = (session: InputSession) => {
    /** Origins of the documents whose messages are kept. */
    const open = new Map<number, string>();
    const shownFrom = (context: number | undefined) =>
      context === undefined ? undefined : open.get(context);
    stops.push(
      session.on('Runtime.executionContextCreated', ({ context }) => {
        const { id, auxData, origin: from } = context;
        const isMain = auxData?.['frameId'] === mainFrameId();
        // Other worlds are ours, and those of extensions.
        if (auxData?.['isDefault'] !== true || !isOpen(from, isMain)) return;
        open.set(id, /^https?:/.test(from) ? originOf(from) : origin());
      }),
      session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
        open.delete(executionContextId);
      }),
      session.on('Runtime.executionContextsCleared', () => open.clear()),
      session.on('Runtime.consoleAPICalled', ({ type, args, executionContextId, timestamp, stackTrace }) => {
        const by = shownFrom(executionContextId);
        if (by === undefined) return;
        const [frame] = stackTrace?.callFrames ?? [];
        const level = type === 'warning' ? 'warn' : type;
        write(
          by,
          level,
          args.map(shown).join(' '),
          timestamp,
          frame && `${frame.url}:${frame.lineNumber + 1}`,
        );
      }),
      session.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails: thrown }) => {
        const by = shownFrom(thrown.executionContextId);
        if (by === undefined) return;
        const text = thrown.exception?.description ?? `${thrown.text} ${shown(thrown.exception ?? {})}`;
        const source = thrown.url === undefined ? undefined : `${thrown.url}:${thrown.lineNumber + 1}`;
        write(by, 'exception', text, timestamp, source);
      }),
      session.on('Log.entryAdded', ({ entry }) => {
        const about = entry.url ?? url();
        // Requests that failed are listed as requests.
        if (entry.source === 'network' || !isOpen(about, about === url())) return;
        const level = entry.level === 'warning' ? 'warn' : entry.level;
        // An entry names no document: it counts as one of the site that it is about.
        write(originOf(about), level, entry.text, entry.timestamp, entry.url);
      }),
    );
  };

  const change = (session: InputSession, networkId: string, fields: Partial<Entry>) => {
    const id = known.get(session)?.get(networkId) ?? '';
    const entry = requests.get(id);
    if (entry !== undefined) requests.set(id, { ...entry, ...fields });
  };
  const timeOf = (session: InputSession, networkId: string, timestamp: number) => {
    const entry = requests.get(known.get(session)?.get(networkId) ?? '');
    return entry === undefined ? {} : { ms: Math.round((timestamp - entry.startedAt) * 1000) };
  };
  const begin = (session: InputSession, sent: EventParams<'Network.requestWillBeSent'>) => {
    const { requestId, request, timestamp, type = 'Other', frameId, documentURL, redirectResponse } = sent;
    if (redirectResponse !== undefined)
      change(session, requestId, {
        status: redirectResponse.status,
        isOver: true,
        ...timeOf(session, requestId, timestamp),
      });
    const isMain = frameId === mainFrameId();
    known.get(session)?.delete(requestId);
    if (!/^https?:/.test(request.url) || isRefused(request.url) || !isOpen(documentURL, isMain)) return;
    const id = `r${++made}`;
    known.get(session)?.set(requestId, id);
    requests.set(id, {
      ...{
        request_id: id,
        session,
        networkId: requestId,
        startedAt: timestamp,
        mime_type: '',
        isOver: false,
      },
      origin: isMain && type === 'Document' ? originOf(request.url) : origin(),
      // A frame's page belongs to the frame's site, not to the site that embeds it.
      document_origin: originOf(type === 'Document' ? request.url : documentURL),
      method: request.method,
      url: request.url.slice(0, MAX_URL_CHARS),
      type: type.toLowerCase(),
    });
    const [oldest] = requests.keys();
    if (requests.size > MOST_ENTRIES && oldest !== undefined) drop(oldest);
  };
  const drop = (id: string) => {
    const entry = requests.get(id);
    requests.delete(id);
    if (entry === undefined) return;
    const ids = known.get(entry.session);
    // A redirect goes on under the same network id.
    if (ids?.get(entry.networkId) === id) ids.delete(entry.networkId);
  };
  const listenToRequests = (session: InputSession) => {
    known.set(session, new Map());
    stops.push(
      session.on('Network.requestWillBeSent', (sent) => begin(session, sent)),
      session.on('Network.responseReceived', ({ requestId, response: { status, mimeType } }) =>
        change(session, requestId, { status, mime_type: mimeType }),
      ),
      session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
        change(session, requestId, {
          ...timeOf(session, requestId, timestamp),
          bytes: Math.max(0, Math.round(encodedDataLength)),
          isOver: true,
        }),
      ),
      session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, canceled, blockedReason }) =>
        change(session, requestId, {
          ...timeOf(session, requestId, timestamp),
          failure: blockedReason ?? (canceled === true ? 'cancelled' : errorText),
          isOver: true,
        }),
      ),
    );
  };

  const startIn = (session: InputSession) =>
    Promise.all([
      session.send('Network.enable', { maxTotalBufferSize: TOTAL_BYTES, maxResourceBufferSize: BODY_BYTES }),
      // Replays what was logged before.
      session.send('Log.enable'),
    ]);

  return {
    listen(session) {
      sessions.add(session);
      listenToConsole(session);
      listenToRequests(session);
      stops.push(
        session.on('Page.frameNavigated', ({ frame }) => {
          if (frame.parentId === undefined) committed = originOf(frame.url);
        }),
      );
      // After the commands that set the session up, which keep no bodies.
      if (starting !== undefined)
        void Promise.resolve()
          .then(() => startIn(session))
          .catch(() => undefined);
    },
    async start() {
      starting ??= (async () => {
        await attach?.();
        const [main, ...frames] = sessions;
        await Promise.all([
          main && startIn(main),
          // The frame of a session may be gone.
          ...frames.map((each) => startIn(each).catch(() => sessions.delete(each))),
        ]);
      })().catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      await starting;
    },
    // Addresses that were learned to be the relay's since are left out too.
    messages: () => messages.filter(({ source = '' }) => !isRefused(source)),
    requests: () => [...requests.values()].filter((each) => !isRefused(each.url)).map(listed),
    async body(requestId) {
      const entry = requests.get(requestId);
      if (entry === undefined || isRefused(entry.url)) throw unknown(requestId);
      const { mime_type, session, networkId, isOver, failure } = entry;
      if (!isOver) throw unreadable('body_pending', 'The request is still running. Ask again later.');
      if (failure !== undefined) throw unreadable('body_not_kept', 'The request failed, so it has no body.');
      if (mime_type !== '' && !TEXT_TYPE.test(mime_type))
        throw unreadable('body_not_text', `The body is ${mime_type}, which is no text.`);
      const { body, base64Encoded } = await session
        .send('Network.getResponseBody', { requestId: networkId })
        .catch(() => {
          throw unreadable(
            'body_not_kept',
            'The browser did not keep this body: it is larger than 2 MB, or older than the first inspect. Do it again, for example by reloading the page.',
          );
        });
      return { mime_type, body: base64Encoded ? utf8Of(body) : body };
    },
    async cookies() {
      const [main] = sessions;
      const { cookies } = (await main?.send('Network.getCookies', { urls: [url()] })) ?? { cookies: [] };
      return cookies.map(
        ({ name, httpOnly, secure, sameSite }): InspectedCookie => ({
          ...{ name, http_only: httpOnly, secure },
          ...(sameSite && { same_site: sameSite }),
        }),
      );
    },
    mask,
    detached() {
      starting = undefined;
    },
    close() {
      for (const stop of stops) stop();
      messages.length = 0;
      requests.clear();
    },
  };
}

const listed = (entry: Entry) => {
  const { request_id, origin, document_origin, method, url, type, status, failure, ms, bytes } = entry;
  return {
    ...{ request_id, origin, document_origin, method, url, type },
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure }),
    ...(ms !== undefined && { ms }),
    ...(bytes !== undefined && { bytes }),
  };
};

type Remote = Partial<EventParams<'Runtime.consoleAPICalled'>['args'][number]>;

/** A value as the console shows it. */
function shown({ value, description, preview, unserializableValue }: Remote): string {
  if (typeof value === 'string') return value;
  if (preview?.properties !== undefined && preview.subtype !== 'error') {
    const isList = preview.subtype === 'array';
    const parts = preview.properties.map((each) =>
      isList ? `${each.value}` : `${each.name}: ${each.value}`,
    );
    const all = [...parts, ...(preview.overflow ? ['…'] : [])].join(', ');
    return isList ? `[${all}]` : `{${all}}`;
  }
  if (value !== undefined) return JSON.stringify(value);
  return unserializableValue ?? description ?? '';
}

const utf8Of = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));

const unknown = (id: string): BridgeError =>
  new BridgeError('target_not_found', `There is no request ${id}. List the requests, then name one.`, {
    evidence: { request_id: id },
  });

const unreadable = (reason: string, message: string): BridgeError =>
  new BridgeError('handler_failed', message, { evidence: { reason } });
