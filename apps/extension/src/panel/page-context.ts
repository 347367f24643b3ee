import { createContext, use, useSyncExternalStore } from 'react';
import type { PanelCommand, Settings, WorkerState } from '../wire.ts';
import type { PagePorts } from './ports.ts';
import type { PanelWords } from './words/en.ts';
import { WorkerGone, type WorkerLink, type WorkerView } from './worker-link.ts';

export interface Page {
  readonly link: WorkerLink;
  readonly ports: PagePorts;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = use(PageContext);
  if (page === undefined) throw new Error('usePage needs a PageContext around it.');
  return page;
}

export function useWorker(): WorkerView {
  const { link } = usePage();
  return useSyncExternalStore(link.subscribe, link.get);
}

export const useAsk = (): ((command: PanelCommand) => Promise<void>) => usePage().link.ask;

/** Pages render only after the worker's first state. */
export function useWorkerState(): WorkerState {
  const { state } = useWorker();
  if (state === undefined) throw new Error('The worker has not spoken yet.');
  return state;
}

/** Changes some settings on top of the worker's current ones. */
export function useSet(): (change: Partial<Settings>) => Promise<void> {
  const { link } = usePage();
  return (change) => {
    const settings = link.get().state?.settings;
    return settings === undefined
      ? Promise.reject(new WorkerGone())
      : link.ask({ do: 'set', settings: { ...settings, ...change } });
  };
}

export const problemOf = (error: unknown, { link }: PanelWords): string =>
  error instanceof WorkerGone || !(error instanceof Error) ? link.unanswered : error.message;
