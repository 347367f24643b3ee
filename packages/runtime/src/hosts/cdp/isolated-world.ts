import type { CarriedSecrets, SecretsNotice } from '@drawbridge/page';
import { type ShieldOrder, shieldInput } from '@drawbridge/page/calls';
import { BridgeError, type ErrorCode } from '@drawbridge/protocol';
import { DocumentLeft, type SurfaceNotice } from '../../host.ts';
import type { Session } from './connection.ts';
import { CdpError, type Result } from './connection.ts';
import { createInterruption, type Interruption } from './interruption.ts';
import { SCAN_OPTIONS } from './listener-scan-source.ts';
import type { SettledDocument } from './tab-state.ts';

/** Name of our isolated world: invisible to pages, shown in the browser's developer tools. */
export const WORLD_NAME = 'drawbridge';
/** Binding in our world through which page code sends notices. */
export const NOTIFY_BINDING = 'drawbridgeTell';

/** The execution context of page code in one frame, for one document. */
export interface IsolatedWorld {
  readonly session: Session;
  /** Unlike the numeric id, never reused after a renderer swap. */
  readonly uniqueId: string;
  readonly contextId: number;
  readonly calls: Interruption;
}

export function createIsolatedWorld(
  session: Session,
  context: { id: number; uniqueId: string },
): IsolatedWorld {
  return { session, uniqueId: context.uniqueId, contextId: context.id, calls: createInterruption() };
}

const SHIELD = shieldInput.toString();

/**
 * The script for every frame. Page code starts at once in the main frame, before the page's own scripts; in
 * others after the host has assigned an id prefix, which a frame readable from its parent does not need. A
 * window that outlives its initial empty document
 * (https://html.spec.whatwg.org/#initialise-the-document-object) starts page code again.
 */
export function worldSource(script: string): string {
  return `{
(${SHIELD})('born');
const START = Symbol.for('drawbridge.start');
let begun;
globalThis[START] ??= (prefix) => {
  if (begun === document) return;
  begun = document;
  globalThis[Symbol.for('drawbridge.page')]?.page.close();
  const tell = globalThis.${NOTIFY_BINDING};
  globalThis[Symbol.for('drawbridge.options')] = {
    prefix, seesRequests: true, tell: (notice) => tell(JSON.stringify({ notice })), ${SCAN_OPTIONS},
  };
  ${script}
};
if (window.top === window) globalThis[START]('');
}`;
}

const START = `Symbol.for('drawbridge.start')`;
const CARRY = `globalThis[Symbol.for('drawbridge.page')].carrySecrets(carried);`;
const POSITION_HERE = `globalThis[Symbol.for('drawbridge.page')].place()`;
const POSITION = `() => JSON.stringify(${POSITION_HERE})`;
const SETTLED = `async (limit, opens, carried) => {
  if (opens) (${SHIELD})('lower');
  globalThis[${START}]('');
  ${CARRY}
  // Deferred scripts run while it is interactive already: what matters is whether they have.
  const isParsed = document.readyState === 'complete'
    || performance.getEntriesByType('navigation')[0]?.domContentLoadedEventStart > 0;
  if (!isParsed) await new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', resolve, { once: true });
    setTimeout(resolve, limit);
  });
  const TITLED = Symbol.for('drawbridge.titled');
  if (globalThis[TITLED] !== document) {
    globalThis[TITLED] = document;
    let { title } = document;
    const tell = globalThis.${NOTIFY_BINDING};
    const observer = new MutationObserver(() => {
      observe();
      if (title === document.title) return;
      title = document.title;
      tell(JSON.stringify({ title: ${POSITION_HERE}.title }));
    });
    // A page may replace its head, or rewrite the document.
    const observe = () => {
      observer.observe(document, { childList: true });
      if (document.documentElement !== null) observer.observe(document.documentElement, { childList: true });
      if (document.head !== null)
        observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    };
    observe();
  }
  const control = document.head?.querySelector('meta[name=drawbridge][content=control-plane]') != null;
  return JSON.stringify({ ...${POSITION_HERE}, control });
}`;
const START_FOREIGN = `(prefix, opens, carried) => {
  if (opens) (${SHIELD})('lower');
  if (window.frameElement !== null) return '';
  globalThis[${START}](prefix);
  ${CARRY}
  return globalThis[Symbol.for('drawbridge.options')].prefix;
}`;
/** The world outlives our session: the next one would find closed page code in it. */
const END = `() => {
  globalThis[Symbol.for('drawbridge.page')]?.page.close();
  delete globalThis[${START}];
  return '';
}`;
/** A page that never finishes loading is used as it is. */
const LONGEST_LOAD_MS = 5_000;

/** The browser reports no origin for isolated worlds. */
export function originIn(world: IsolatedWorld): Promise<string> {
  return runInWorld(world, '() => location.origin', []);
}

/** Resolves when the document has been parsed. `opens`: input is allowed, as no other frame is being pressed. */
export async function settledDocument(
  world: IsolatedWorld,
  opens: boolean,
  carried: CarriedSecrets,
): Promise<SettledDocument> {
  return trustSettled(await runInWorld(world, SETTLED, [LONGEST_LOAD_MS, opens, carried]));
}

/** Returns the input that the document's shield swallowed. */
export function orderShield(world: IsolatedWorld, order: ShieldOrder): Promise<string> {
  return runInWorld(world, SHIELD, [order]);
}

/** Address and title of the document, with secrets masked. */
export async function positionInWorld(world: IsolatedWorld): Promise<{ url: string; title: string }> {
  return trustSettled(await runInWorld(world, POSITION, []));
}

/**
 * Starts page code in a frame and returns its id prefix: the old one for a document from the back-forward
 * cache, none when the parent's page code reaches into the frame.
 */
export function startForeign(
  world: IsolatedWorld,
  prefix: string,
  opens: boolean,
  carried: CarriedSecrets,
): Promise<string> {
  return runInWorld(world, START_FOREIGN, [prefix, opens, carried]);
}

/** Removes page code from a document, so that the next session starts it again. */
export function endPage(world: IsolatedWorld): Promise<string> {
  return runInWorld(world, END, []);
}

/** Calls page code and turns its refusals into BridgeErrors. */
export async function callInWorld(
  world: IsolatedWorld,
  name: string,
  args: readonly unknown[],
): Promise<unknown> {
  const { session, uniqueId, calls } = world;
  // One expression without a function: the browser would compile a function and its arguments separately.
  const given = JSON.stringify([name, args]).slice(1, -1);
  const asked = session.send('Runtime.evaluate', {
    expression: `globalThis[Symbol.for('drawbridge.page')].callForText(${given})`,
    uniqueContextId: uniqueId,
    awaitPromise: true,
    ...(name === PERMITTED_SEND && { userGesture: true }),
  });
  const answer = trustAnswer(textOf(await calls.guard(asked).catch(rethrow)));
  if (answer.ok) return answer.value;
  const { code, message, evidence } = answer.error;
  throw new BridgeError(code, message, { evidence });
}

/** Counts as a press, as the one before the question has expired: the form may be for a new window. */
const PERMITTED_SEND = 'forms.send';

export async function runInWorld(
  { session, uniqueId, calls }: IsolatedWorld,
  functionDeclaration: string,
  args: readonly unknown[],
  options: { readonly userGesture?: boolean } = {},
): Promise<string> {
  const asked = session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    uniqueContextId: uniqueId,
    arguments: args.map((value) => ({ value })),
    awaitPromise: true,
    returnByValue: true,
    ...options,
  });
  return textOf(await calls.guard(asked).catch(rethrow));
}

function textOf({ result, exceptionDetails }: Evaluated): string {
  if (exceptionDetails === undefined) return String(result.value);
  const reason = exceptionDetails.exception?.description ?? exceptionDetails.text;
  throw new BridgeError('handler_failed', `The page code failed: ${reason}. Reload the page.`);
}

const GONE = /context|navigated or closed|collected|session with given id|target closed|not attached/i;

/** Turns the browser's own errors into ours. */
export function rethrow(error: unknown): never {
  if (!(error instanceof CdpError)) throw error;
  if (GONE.test(error.message)) throw new DocumentLeft('The document left while page code ran in it.');
  throw new BridgeError('handler_failed', `The browser refused ${error.method}: ${error.message}.`);
}

type Evaluated = Pick<Result<'Runtime.evaluate'>, 'result' | 'exceptionDetails'>;

type Answer =
  | { readonly ok: true; readonly value?: unknown }
  | {
      readonly ok: false;
      readonly error: { code: ErrorCode; message: string; evidence: Record<string, unknown> };
    };

/** Notices that page code sends unasked. */
export type Notification = { readonly notice: SurfaceNotice | SecretsNotice } | { readonly title: string };

// Trusted: only our own code writes in our world.

function trustAnswer(text: string): Answer {
  return JSON.parse(text) as Answer;
}

function trustSettled(text: string): SettledDocument {
  return JSON.parse(text) as SettledDocument;
}

export function trustNotification(payload: string): Notification {
  return JSON.parse(payload) as Notification;
}
