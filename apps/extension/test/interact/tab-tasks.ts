import { BridgeError, type InteractRequest, type TaskEvent } from '@drawbridge/protocol';
import type { BodyCall, DeciderAnswer, TaskDecider } from '@drawbridge/runtime/task';
import { createFakeClock } from '@drawbridge/testbed';
import type { StoredValues } from '../../src/interact/stored-values.ts';
import { createTabSessions } from '../../src/interact/tab-sessions.ts';
import { createTabTasks, type TabTasksOptions } from '../../src/interact/tab-tasks.ts';
import type { TabTask } from '../../src/wire.ts';

/** In-memory storage that copies values, like Chrome's. */
export function storedInMemory(): StoredValues & { readonly all: () => Record<string, unknown> } {
  const kept = new Map<string, string>();
  return {
    get: async (key) => JSON.parse(kept.get(key) ?? 'null') ?? undefined,
    set: async (key, value) => void kept.set(key, JSON.stringify(value)),
    remove: async (key) => void kept.delete(key),
    all: () => Object.fromEntries([...kept].map(([key, text]) => [key, JSON.parse(text)])),
  };
}

const PLACE = { url: 'https://shop.test/', title: 'Shop' };
const NODES = [{ i: '7', r: 'btn', n: 'Add to cart' }];
const CLICKED = {
  ...{ action: 'click', id: '7', fidelity: 'trusted' },
  effect: {
    ...{ happened: true, added: [], removed: [], changed: [], dialogs: [] },
    ...{ requests: 1, errors: [], successes: [], messages: [], settled: 'quiet' },
  },
  ...{ verification_passed: true, verification_message: 'click: done' },
  ...{ errors_detected: [], success_messages: [] },
  clientObservations: { didNetworkOccur: true, didDomMutate: true, didUrlChange: false },
};

const PICTURE = { image: '/9j/4AAQ', mime_type: 'image/jpeg', width: 1024, height: 640, scale: 0.8 };
export const SKELETON = '<button id="7">Add to cart</button>';
export const HTML = `<html><body>${SKELETON}</body></html>`;

function snapshot({ mode, form }: Readonly<Record<string, unknown>>): object {
  if (mode === 'skeleton') return { mode, html: SKELETON };
  if (mode === 'full') return { mode, html: HTML };
  if (form === 'full_keys') return { mode: 'semantic', semanticNodes: [] };
  return { mode: 'semantic', page: { mode: 'semantic', ...PLACE, interactive_tree: NODES } };
}

export type Line = Partial<DeciderAnswer> | ((request: InteractRequest) => Promise<Partial<DeciderAnswer>>);

/** Harness with lent tabs, a scripted decider, and durable storage. */
export function startTabTasksHarness(lines: readonly Line[], more: Partial<TabTasksOptions> = {}) {
  const clock = createFakeClock(1_000);
  const kept = storedInMemory();
  const lent = new Set([3]);
  const clicks: number[] = [];
  const requests: InteractRequest[] = [];
  const keys: string[] = [];
  const left = [...lines];
  const looks = new Set<() => void>();
  const look = () => {
    for (const run of looks) run();
  };
  let hold: Promise<unknown> | undefined;
  let count = 0;
  let isBlind = false;

  const callOf = (tabId: number): BodyCall | undefined => {
    if (!lent.has(tabId)) return undefined;
    return async (name, args, signal) => {
      signal.throwIfAborted();
      if (name === 'page.info') return PLACE;
      if (name === 'page.snapshot') return snapshot(args);
      if (name === 'browser.screenshot' && !isBlind) return PICTURE;
      if (name !== 'element.click') throw new BridgeError('unknown_action', `There is no ${name}.`);
      clicks.push(tabId);
      look();
      await Promise.race([hold, new Promise((_, fail) => signal.addEventListener('abort', fail))]);
      return CLICKED;
    };
  };

  const scripted: TaskDecider = {
    interact: async (request, _signal, key) => {
      requests.push(request);
      keys.push(key);
      const line = left.shift() ?? { action: 'finish()', thought: 'Done.' };
      const said = typeof line === 'function' ? await line(request) : line;
      return { thought: '', ...said } as DeciderAnswer;
    },
  };

  /** One life of the worker: after `kill` it reaches neither storage nor page. */
  const begin = () => {
    let isDead = false;
    const never = new Promise<never>(() => {});
    const storage: StoredValues = {
      get: (key) => (isDead ? never : kept.get(key)),
      set: (key, value) => (isDead ? never : kept.set(key, value)),
      remove: (key) => (isDead ? never : kept.remove(key)),
    };
    const events: TaskEvent[] = [];
    const sessions = createTabSessions(storage);
    const tasks = createTabTasks({
      ...{ callOf, sessions, storage, semantic: () => true, newId: () => `task-${++count}` },
      clock: {
        now: clock.now,
        after: (ms, run) => {
          const handle = clock.setTimeout(run, ms);
          return () => clock.clearTimeout(handle);
        },
      },
      onChange: look,
      onEvent: (_task, event) => {
        events.push(event);
        look();
      },
      ...more,
      deciderOf: () => (isDead ? { interact: () => never } : (more.deciderOf?.() ?? scripted)),
    });
    return { tasks, sessions, events, kill: () => (isDead = true) };
  };

  return {
    ...{ clock, kept, lent, clicks, requests, keys, begin },
    /** Further pictures fail. */
    blind: () => {
      isBlind = true;
    },
    /** The next click starts and is not answered. */
    holdClicks: () => {
      hold = new Promise(() => {});
    },
    letClicks: () => {
      hold = undefined;
    },
    until: (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (!holds()) return;
          looks.delete(check);
          resolve();
        };
        looks.add(check);
        check();
      }),
  };
}

export const CLICK: Partial<DeciderAnswer> = { action: 'click(7)', taskId: 'mind-1', sessionId: 'session-1' };

export const stateOf = ({ tasks }: { tasks: { tasks: () => Readonly<Record<number, TabTask>> } }) =>
  tasks.tasks()[3]?.state;
