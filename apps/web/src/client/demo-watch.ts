import type { DemoView } from '@drawbridge/protocol/http';
import type { Words } from '@drawbridge/ui';
import { ApiError, call, problemText } from './request.ts';

/** State of the demo that an owner can play. */
export type DemoWatch = ReturnType<typeof createDemoWatch>;

const EVERY_MS = 1_000;
const READY: DemoView = { state: 'ready', said: '', done: [] };
const ALREADY = 409;

/** True for the conversation of an agent that came by MCP: it takes messages (CHT-342). */
export const isAgentSession = (session_id: string): boolean => session_id.startsWith('browser_agent_');

export function createDemoWatch(wordsNow: () => Pick<Words, 'reason' | 'fault'>) {
  let view: DemoView = { state: 'none', said: '', done: [] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** Sessions that were there before, and those opened since; undefined unless the person started the demo. */
  let others: Set<string> | undefined;
  let hasVisitor = false;
  const listeners = new Set<() => void>();
  const show = (next: DemoView): void => {
    if (isClosed) return;
    view = next;
    for (const listener of [...listeners]) listener();
    clearTimeout(timer);
    if (view.state === 'playing') timer = setTimeout(() => void look(), EVERY_MS);
  };
  const look = async (): Promise<void> => {
    try {
      const told = await call('GET /api/demo');
      const isOver = told.state === 'played' || told.state === 'failed';
      // Looks may overlap, so the state at the answer counts, not the state at the question.
      const isUnseen = view.state === 'none' || view.state === 'ready';
      // An end that this page did not see, or that the person dismissed, is not shown.
      show(isOver && isUnseen ? READY : told);
    } catch {
      // Disconnected: keep the last state.
      show(view);
    }
  };
  return {
    get: (): DemoView => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Polls the relay while the demo is playing. */
    look,
    /** `known`: sessions that are not the demo's. */
    async play(known: Iterable<string>): Promise<void> {
      others = new Set(known);
      hasVisitor = false;
      try {
        show(await call('POST /api/demo'));
      } catch (error) {
        if (error instanceof ApiError && error.status === ALREADY) await look();
        else show({ state: 'failed', said: problemText(error, wordsNow()), done: [] });
      }
    },
    /** True once for each conversation of the demo that the person just started. */
    opens(session_id: string): boolean {
      if (others === undefined || others.has(session_id)) return false;
      // A second agent that comes by itself is not the demo's.
      const isVisitor = isAgentSession(session_id) && !hasVisitor;
      if (!isVisitor && session_id !== view.session_id) return false;
      hasVisitor ||= isVisitor;
      others.add(session_id);
      return true;
    },
    /** Called when its end was read. */
    dismiss: () => show(READY),
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
