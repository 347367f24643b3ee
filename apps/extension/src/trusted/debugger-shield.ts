import { type ShieldOrder, shieldInput } from '@drawbridge/page/calls';
import type { Shield } from '@drawbridge/runtime/parts';
import { followGuard } from '../page/guard-signal.ts';

type Send = (sessionId: string | undefined, method: string, params?: object) => Promise<unknown>;

/** Covers frames without host permission too, because the debugger reaches them. */
export interface DebuggerShield extends Shield {
  readonly attach: (sessionId?: string) => Promise<void>;
  readonly onEvent: (sessionId: string | undefined, method: string, params: unknown) => void;
  /** The debugger was detached, and its worlds are gone. */
  readonly reset: () => void;
}

/** Separate from page code's world, which the debugger does not reach. */
const WORLD = 'drawbridge-shield';
const SHIELD = shieldInput.toString();
const SOURCE = `(${followGuard.toString()})(); (${SHIELD})('born');`;
/** A hanging frame is not waited for. */
const LIMIT_MS = 300;

export function createDebuggerShield(send: Send): DebuggerShield {
  const sessions = new Set<string | undefined>();
  /** Session of each world, by the world's unique id. */
  const worlds = new Map<string, string | undefined>();
  const opening = new Set<Promise<unknown>>();
  /** The press it is raised for. */
  let raisedFor: string | undefined;
  const isRaised = () => raisedFor !== undefined;

  const order = async (uniqueContextId: string, given: ShieldOrder): Promise<string> => {
    const expression = `(${SHIELD})('${given}')`;
    const late = new Promise<undefined>((resolve) => {
      setTimeout(resolve, LIMIT_MS, undefined);
    });
    const asked = send(worlds.get(uniqueContextId), 'Runtime.evaluate', { expression, uniqueContextId });
    return textOf(await Promise.race([asked.catch(() => undefined), late]));
  };
  const orderAll = async (given: ShieldOrder): Promise<string> => {
    const missed = await Promise.all([...worlds.keys()].map((world) => order(world, given)));
    return missed.find((each) => each !== '') ?? '';
  };
  /** New frames are paused only during a press: a stopped worker would leave them paused. */
  const follow = (sessionId: string | undefined) =>
    send(sessionId, 'Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: isRaised(),
      flatten: true,
      filter: [{ type: 'iframe' }],
    });
  const followAll = () => Promise.allSettled([...sessions].map(follow));
  const attach = async (sessionId?: string): Promise<void> => {
    sessions.add(sessionId);
    await Promise.all([
      send(sessionId, 'Page.enable'),
      send(sessionId, 'Runtime.enable'),
      send(sessionId, 'Page.addScriptToEvaluateOnNewDocument', {
        source: SOURCE,
        worldName: WORLD,
        runImmediately: true,
      }),
      follow(sessionId),
      send(sessionId, 'Runtime.runIfWaitingForDebugger'),
    ]);
  };
  const open = (world: string) => {
    const opened: Promise<unknown> = order(world, 'lower').finally(() => opening.delete(opened));
    opening.add(opened);
  };

  return {
    attach,
    onEvent(sessionId, method, params) {
      if (method === 'Runtime.executionContextCreated') {
        const { name, uniqueId } = trustContext(params);
        if (name !== WORLD) return;
        worlds.set(uniqueId, sessionId);
        if (!isRaised()) open(uniqueId);
      } else if (method === 'Runtime.executionContextDestroyed') worlds.delete(trustDestroyed(params));
      else if (method === 'Runtime.executionContextsCleared') {
        for (const [world, session] of worlds) if (session === sessionId) worlds.delete(world);
      } else if (method === 'Target.attachedToTarget') attach(trustSession(params)).catch(() => undefined);
      else if (method === 'Target.detachedFromTarget') {
        const gone = trustSession(params);
        sessions.delete(gone);
        for (const [world, session] of worlds) if (session === gone) worlds.delete(world);
      }
    },
    reset() {
      sessions.clear();
      worlds.clear();
    },
    async raise(token) {
      await Promise.all(opening);
      raisedFor = token;
      await Promise.all([followAll(), orderAll('raise')]);
    },
    async lower(token) {
      if (raisedFor !== token) return '';
      raisedFor = undefined;
      const [missed] = await Promise.all([orderAll('lower'), followAll()]);
      return missed;
    },
  };
}

// CDP results are not validated.

function textOf(evaluated: unknown): string {
  const { result } = (evaluated ?? {}) as { result?: { value?: unknown } };
  return String(result?.value ?? '');
}

function trustContext(params: unknown): { name: string; uniqueId: string } {
  return (params as { context: { name: string; uniqueId: string } }).context;
}

function trustDestroyed(params: unknown): string {
  return (params as { executionContextUniqueId: string }).executionContextUniqueId;
}

function trustSession(params: unknown): string {
  return (params as { sessionId: string }).sessionId;
}
