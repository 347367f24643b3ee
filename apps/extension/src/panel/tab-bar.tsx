import { Button, Notice } from '@drawbridge/ui';
import { AppWindow, CircleCheck } from '@drawbridge/ui/icons';
import type { FrontTab, LentTab } from '../wire.ts';
import { usePage } from './page-context.ts';
import { useCommand } from './use-command.ts';
import { usePanelWords } from './words/use-panel-words.ts';

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host || url : url);

/** Lends within the person's click: Chrome asks for the site, then the worker claims the tab. */
export function useLending(tab: FrontTab | undefined) {
  const words = usePanelWords();
  const { ports } = usePage();
  const command = useCommand();
  return {
    ...command,
    lend(trusted?: true): void {
      if (tab === undefined) return;
      const { tabId, url } = tab;
      void command.run({ do: 'lend', tabId, ...(trusted && { trusted }) }, async () =>
        (await ports.askForSite(url)) ? undefined : words.tab.refusedSite,
      );
    },
    release(): void {
      if (tab !== undefined) void command.run({ do: 'release', tabId: tab.tabId });
    },
  };
}

export interface TabBarProps {
  readonly tab: FrontTab;
  readonly lent: LentTab | undefined;
  /** Another Lend button is on the screen. */
  readonly isLentBelow: boolean;
}

/** The tab, and whether agents can see it. */
export function TabBar({ tab, lent, isLentBelow }: TabBarProps) {
  const words = usePanelWords();
  const { lend, release, doing, problem } = useLending(tab);
  const small = 'min-h-8 shrink-0 px-2.5 text-meta';
  return (
    <section aria-label={words.link.tab} className="border-b border-line bg-surface">
      <div className="flex items-center gap-2 px-3 py-1.5">
        {tab.icon?.startsWith('data:') ? (
          <img src={tab.icon} alt="" className="size-4 shrink-0 rounded-sm" />
        ) : (
          <AppWindow size={16} aria-hidden className="shrink-0 text-quiet" />
        )}
        <div className="min-w-0 flex-1">
          <p className="truncate text-meta font-medium" dir="auto" title={tab.title}>
            {tab.title || hostOf(tab.url) || words.link.tab}
          </p>
          <p className="flex min-w-0 items-center gap-1 text-[12px] text-quiet">
            {lent ? (
              <span className="inline-flex shrink-0 items-center gap-1 text-done">
                <CircleCheck size={12} aria-hidden />
                {words.tab.lent}
              </span>
            ) : (
              <span className="shrink-0">{words.tab.notLent}</span>
            )}
            <span className="truncate font-mono text-[11.5px]">{hostOf(tab.url)}</span>
          </p>
        </div>
        {lent ? (
          <Button className={small} disabled={doing !== undefined} onClick={release}>
            {doing === 'release' ? words.tab.releasing : words.tab.release}
          </Button>
        ) : tab.cannotLend === undefined && tab.url !== '' && !isLentBelow ? (
          <Button look="primary" className={small} disabled={doing !== undefined} onClick={() => lend()}>
            {doing === 'lend' ? words.tab.lending : words.tab.lend}
          </Button>
        ) : null}
      </div>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {lent?.problem ? (
        <Notice
          meaning="wait"
          action={
            <Button className={small} disabled={doing !== undefined} onClick={() => lend()}>
              {words.tab.allowAgain}
            </Button>
          }
        >
          {lent.problem}
        </Notice>
      ) : null}
    </section>
  );
}
