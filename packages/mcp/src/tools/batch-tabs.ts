import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import { keyOf, routeTo, type TabRoute } from '../lent-tabs.ts';
import type { Step } from './act-steps.ts';
import type { ToolContext } from './tool.ts';

/** A tab in which steps of a batch act. */
export interface TabOfBatch {
  readonly route: TabRoute;
  /** Keys that are down. */
  readonly held: Set<string>;
  /** Ids whose elements an earlier step renamed. */
  readonly renamed: Set<string>;
  /** The address of the page that a step led to. */
  leftFor?: string;
  /** Set when the tab closed during a step, or is no longer lent. */
  isClosed?: boolean;
  isToldClosed?: boolean;
}

export type TabsOfBatch = ReturnType<typeof createTabsOfBatch>;

const FIND_MS = 5_000;
const LOOK_MS = 30;
const CLOSING_MS = 500;
const NEW = 'new';

export function createTabsOfBatch(route: TabRoute, { tabs, signal }: ToolContext) {
  const before = new Set(tabs().map(keyOf));
  const main: TabOfBatch = { route, held: new Set(), renamed: new Set() };
  const used = new Map<string, TabOfBatch>();
  if (route.view !== undefined) used.set(keyOf(route.view), main);
  const openedNow = () => tabs().filter((tab) => !before.has(keyOf(tab)));
  const until = async (isThere: () => boolean, ms: number) => {
    for (let left = ms; left > 0 && !isThere() && !signal.aborted; left -= LOOK_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  };
  const routeOf = (tab: string): TabRoute => {
    const newest = tab === NEW ? openedNow().at(-1) : undefined;
    return newest === undefined ? routeTo(tab, tabs()) : routeTo(newest.runtime_id, tabs());
  };

  return {
    /** The tab of the call. */
    main,
    used: (): readonly TabOfBatch[] => [...new Set([main, ...used.values()])],
    /** The tab of a step, which may still be opening. */
    async named({ tab, words }: Pick<Step, 'tab' | 'words'>): Promise<TabOfBatch> {
      if (tab === undefined) return main;
      await until(() => routeOf(tab).view !== undefined, FIND_MS);
      const found = routeOf(tab);
      if (found.view === undefined && tab === NEW)
        throw new BridgeError(
          'target_not_found',
          `${words}: no step has opened a tab that is lent to you. tabs {"do":"list"} names those that are.`,
        );
      const key = found.view === undefined ? undefined : keyOf(found.view);
      const known = key === undefined ? undefined : used.get(key);
      if (known !== undefined) return known;
      const named: TabOfBatch = { route: found, held: new Set(), renamed: new Set() };
      if (key !== undefined) used.set(key, named);
      return named;
    },
    /** Whether the tab is closed or no longer lent, or becomes so shortly. */
    async closed({ route: { view } }: TabOfBatch): Promise<boolean> {
      if (view === undefined) return false;
      const isGone = () => tabs().every((each) => keyOf(each) !== keyOf(view));
      await until(isGone, CLOSING_MS);
      return isGone();
    },
    /** Tabs that steps opened and the agent may use, waited for as long. */
    async opened(ms: number = 0): Promise<readonly RuntimeView[]> {
      await until(() => openedNow().length > 0, ms);
      return openedNow();
    },
  };
}
