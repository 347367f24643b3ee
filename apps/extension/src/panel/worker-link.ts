import type { PanelCommand, PanelMessage, WorkerState } from '../wire.ts';

/** The part of `chrome.runtime.Port` that a page uses. */
export interface WorkerPort {
  readonly postMessage: (message: unknown) => void;
  readonly onMessage: { readonly addListener: (listener: (message: PanelMessage) => void) => void };
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void };
  readonly disconnect: () => void;
}

/** `lost`: the state may be old. `state` is undefined until the worker's first message. */
export interface WorkerView {
  readonly link: 'connecting' | 'up' | 'lost';
  readonly state?: WorkerState;
}

export type WorkerLink = ReturnType<typeof createWorkerLink>;

export interface WorkerLinkOptions {
  /** Throws when the extension itself is gone, as after an update. */
  readonly connect: () => WorkerPort;
  readonly newId: () => string;
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The worker was stopped before it answered: the next state shows the outcome. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5_000;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Chrome stops an idle worker and closes its port; connecting starts it again. The outcome of a command in
 * progress is unknown until the next state.
 */
export function createWorkerLink({ connect, newId, after }: WorkerLinkOptions) {
  const listeners = new Set<() => void>();
  const waiting = new Map<string, Waiting>();
  let view: WorkerView = { link: 'connecting' };
  let port: WorkerPort | undefined;
  let wait = FIRST_WAIT_MS;
  let stopWaiting = () => {};
  let closed = false;

  const become = (next: WorkerView): void => {
    view = next;
    for (const listener of [...listeners]) listener();
  };

  const hear = (message: PanelMessage): void => {
    if (message.kind === 'state') {
      wait = FIRST_WAIT_MS;
      become({ link: 'up', state: message.state });
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) asked?.resolve();
    else asked?.reject(new Error(message.message));
  };

  const lose = (): void => {
    port = undefined;
    const unanswerable = [...waiting.values()];
    waiting.clear();
    for (const { reject } of unanswerable) reject(new WorkerGone());
    if (closed) return;
    become({ ...view, link: 'lost' });
    stopWaiting = after(wait, open);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  };

  const open = (): void => {
    if (closed) return;
    try {
      const opened = connect();
      port = opened;
      opened.onMessage.addListener((message) => {
        if (port === opened) hear(message);
      });
      opened.onDisconnect.addListener(() => {
        if (port === opened) lose();
      });
    } catch {
      lose();
    }
  };
  open();

  return {
    get: (): WorkerView => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Rejects with the worker's error, or with an unknown outcome: a command is never sent twice. */
    ask: (command: PanelCommand): Promise<void> =>
      new Promise((resolve, reject) => {
        if (port === undefined) return reject(new WorkerGone());
        const id = newId();
        waiting.set(id, { resolve, reject });
        port.postMessage({ id, command });
      }),
    close(): void {
      if (closed) return;
      closed = true;
      stopWaiting();
      port?.disconnect();
      lose();
    },
  };
}
