import type { Session } from './connection.ts';
import { within } from './interruption.ts';
import {
  CLOSED_HOSTS,
  FRAMEWORK_PROPERTIES,
  RECORD_FRAMEWORK_PROPERTIES,
  RECORD_LISTENERS,
  RECORD_ROOTS,
} from './listener-scan-source.ts';

/** Counts of scans, findings and errors; page code works without a scan. */
export interface ListenerScanMetrics {
  readonly passes: number;
  readonly failures: number;
  /** Scans skipped because the one before was slow. */
  readonly spared: number;
  readonly listeners: number;
  readonly closedRoots: number;
  readonly lastMs: number;
  readonly lastError?: string;
}

/** Listener scan: shows page code what only a debugger sees, event listeners and closed shadow roots. */
export type ListenerScan = ReturnType<typeof createListenerScan>;

interface ScannedContext {
  readonly session: Session;
  readonly uniqueId: string;
  readonly contextId: number;
}

interface Known {
  readonly document: Promise<string>;
  /** Node ids with what they listen for. */
  readonly listening: Map<number, string>;
  /** Some elements were pressable according to a framework's data. */
  hinted: boolean;
  passing: Promise<void> | undefined;
  restUntil: number;
  actions: number;
}

const KINDS = new Map(
  Object.entries({
    press: 'click mousedown mouseup pointerdown pointerup touchstart touchend',
    drag: 'dragstart drag',
    drop: 'drop dragover',
    hover: 'mouseenter mouseover pointerenter pointerover',
    draw: 'mousemove pointermove touchmove',
    menu: 'contextmenu',
    double: 'dblclick',
  }).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);
/** A framework's root listens for everything, on behalf of its content. */
const MOST_TYPES = 20;
/** Each takes the browser about 0.1 ms; the rest of a larger batch is handed over while idle. */
const HANDED_AT_ONCE = 64;
const MOST_LISTENERS = 5_000;
/** Scans of a page that take longer are limited to a twentieth of the time while nothing is done there. */
const CHEAP_MS = 8;
const REST_FACTOR = 20;
/** Only reached on a page that hangs, where page code does not answer either. */
const LOOK_LIMIT_MS = 1_000;
/** Each scan releases its own object group and leaves concurrent ones alone. */
let groups = 0;
const newGroup = () => `drawbridge-scan-${++groups}`;
const release = (session: Session, objectGroup: string) =>
  session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined);

export function createListenerScan(now: () => number = () => performance.now()) {
  const worlds = new WeakMap<ScannedContext, Known>();
  const figures = { passes: 0, failures: 0, spared: 0, listeners: 0, closedRoots: 0, lastMs: 0 };
  let lastError: string | undefined;
  let actions = 0;

  const failed = (error: unknown): void => {
    figures.failures++;
    lastError = error instanceof Error ? error.message : String(error);
  };
  const pass = async (world: ScannedContext, known: Known): Promise<void> => {
    const startedAt = now();
    known.actions = actions;
    try {
      const [handed, roots] = await Promise.all([sendListeners(world, known, failed), sendRoots(world)]);
      figures.listeners += handed;
      await sendFrameworkProperties(world, known);
      figures.closedRoots += roots;
    } catch (error) {
      failed(error);
    }
    figures.passes++;
    figures.lastMs = now() - startedAt;
    known.restUntil = figures.lastMs > CHEAP_MS ? now() + figures.lastMs * REST_FACTOR : 0;
    known.passing = undefined;
  };

  return {
    metrics: (): ListenerScanMetrics => ({ ...figures, ...(lastError !== undefined && { lastError }) }),
    /** Reports an action, after which the next scan is not skipped. */
    stir(): void {
      actions++;
    },
    look(world: ScannedContext): Promise<void> {
      const known = worlds.get(world) ?? begun(world);
      worlds.set(world, known);
      if (known.passing === undefined && known.actions === actions && now() < known.restUntil) {
        figures.spared++;
        return Promise.resolve();
      }
      known.passing ??= pass(world, known);
      return within(LOOK_LIMIT_MS, known.passing, () => new Error('The listeners came too late.')).catch(
        failed,
      );
    },
  };
}

function begun(world: ScannedContext): Known {
  const document = documentOf(world);
  // The awaiting caller handles the error.
  document.catch(() => undefined);
  return { document, listening: new Map(), hinted: false, passing: undefined, restUntil: 0, actions: 0 };
}

/** Uses the page's main world: asked about ours, Chromium 156 crashes the page shortly afterwards. */
async function documentOf({ session, uniqueId }: ScannedContext): Promise<string> {
  const objectGroup = newGroup();
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'document',
    uniqueContextId: uniqueId,
    objectGroup,
  });
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  void release(session, objectGroup);
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
  return object.objectId ?? '';
}

/** One CDP call for the whole document; only new elements cost more. */
async function sendListeners(
  world: ScannedContext,
  known: Known,
  failed: (error: unknown) => void,
): Promise<number> {
  const { session } = world;
  const objectId = await known.document;
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId,
    depth: -1,
    pierce: true,
  });
  const found = kindsIn(listeners);
  const isKnown = (id: number) => known.listening.get(id) === found.get(id);
  const gone = [...known.listening.keys()].filter((id) => !isKnown(id));
  const fresh = [...found.keys()].filter((id) => !isKnown(id));
  for (const id of gone) known.listening.delete(id);
  for (const id of fresh) known.listening.set(id, found.get(id) ?? '');
  if (gone.length + fresh.length === 0) return 0;
  const kinds = Object.fromEntries(fresh.map((id) => [id, found.get(id)]));
  await record(world, RECORD_LISTENERS, fresh.slice(0, HANDED_AT_ONCE), [gone, kinds]);
  void sendRest(world, fresh.slice(HANDED_AT_ONCE), kinds).catch(failed);
  return fresh.length;
}

/** The kinds of events that each node listens for, in a fixed order. */
function kindsIn(
  listeners: readonly { readonly type: string; readonly backendNodeId?: number }[],
): Map<number, string> {
  const types = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of listeners) {
    if (backendNodeId === undefined) continue;
    const own = types.get(backendNodeId);
    if (own !== undefined) own.add(type);
    else if (types.size < MOST_LISTENERS * 2) types.set(backendNodeId, new Set([type]));
  }
  const found = new Map<number, string>();
  for (const [id, own] of types) {
    if (own.size > MOST_TYPES || found.size >= MOST_LISTENERS) continue;
    const kinds = new Set([...own].flatMap((type) => KINDS.get(type) ?? []));
    if (kinds.size > 0) found.set(id, [...kinds].sort().join(' '));
  }
  return found;
}

async function sendRest(
  world: ScannedContext,
  ids: readonly number[],
  kinds: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += HANDED_AT_ONCE)
    await record(world, RECORD_LISTENERS, ids.slice(at, at + HANDED_AT_ONCE), [[], kinds]);
}

/** Two CDP calls in total: indexes in a document are the same in both worlds. */
async function sendFrameworkProperties({ session, uniqueId }: ScannedContext, known: Known): Promise<void> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: await known.document,
    functionDeclaration: FRAMEWORK_PROPERTIES,
    returnByValue: true,
  });
  const found: unknown = result.value ?? undefined;
  if (found === undefined && !known.hinted) return;
  known.hinted = found !== undefined;
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: RECORD_FRAMEWORK_PROPERTIES,
    uniqueContextId: uniqueId,
    arguments: [{ value: found ?? { of: 0, places: [] } }],
  });
}

/** Finds which candidates have a closed root. */
async function sendRoots(world: ScannedContext): Promise<number> {
  const { session, uniqueId } = world;
  const objectGroup = newGroup();
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: CLOSED_HOSTS,
    uniqueContextId: uniqueId,
    objectGroup,
  });
  // `null` on nearly every page.
  if (result.objectId === undefined) return 0;
  const { result: properties } = await session.send('Runtime.getProperties', {
    objectId: result.objectId,
    ownProperties: true,
  });
  const hosts = properties.flatMap(({ name, value }) =>
    /^\d+$/.test(name) && value?.objectId !== undefined ? value.objectId : [],
  );
  const described = await Promise.all(
    hosts.map((objectId) => session.send('DOM.describeNode', { objectId }).catch(() => undefined)),
  );
  const roots = described.flatMap(
    (each) =>
      each?.node.shadowRoots?.flatMap(({ shadowRootType, backendNodeId }) =>
        shadowRootType === 'closed' ? backendNodeId : [],
      ) ?? [],
  );
  void release(session, objectGroup);
  if (roots.length > 0) await record(world, RECORD_ROOTS, roots, []);
  return roots.length;
}

/** Resolves nodes in our world and passes them, after their ids, to a function there. */
async function record(
  { session, uniqueId, contextId }: ScannedContext,
  functionDeclaration: string,
  ids: readonly number[],
  args: readonly unknown[],
): Promise<void> {
  const objectGroup = newGroup();
  const resolved = await Promise.all(
    ids.map((backendNodeId) =>
      session
        .send('DOM.resolveNode', { backendNodeId, executionContextId: contextId, objectGroup })
        .then(({ object: { objectId } }) => (objectId === undefined ? [] : [{ id: backendNodeId, objectId }]))
        // Already removed.
        .catch(() => []),
    ),
  );
  const nodes = resolved.flat();
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    uniqueContextId: uniqueId,
    arguments: [
      { value: nodes.map(({ id }) => id) },
      ...args.map((value) => ({ value })),
      ...nodes.map(({ objectId }) => ({ objectId })),
    ],
  });
  session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined);
}
