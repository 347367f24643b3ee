import { Button, CheckField, EmptyState, Notice, TimeAgo, useWords } from '@drawbridge/ui';
import type { LentTab } from '../wire.ts';
import { callWords } from './call-words.ts';
import { usePage } from './page-context.ts';
import { hostOf } from './tab-bar.tsx';
import { useCommand } from './use-command.ts';
import { usePanelWords } from './words/use-panel-words.ts';

/** All lent tabs of all windows. */
export function LentTabs({ tabs }: { readonly tabs: readonly LentTab[] }) {
  const ui = useWords();
  const words = usePanelWords();
  const { ports } = usePage();
  const { run, doing, problem } = useCommand();
  if (tabs.length === 0) return <EmptyState>{words.tabs.empty}</EmptyState>;
  return (
    <>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      <ul className="divide-y divide-line">
        {tabs.map(({ tabId, title, url, lentAt, doing: work, trusted, problem: fault }) => (
          <li key={tabId} className="flex flex-col gap-1 px-3 py-2">
            <p className="truncate font-medium" dir="auto" title={title}>
              {title || hostOf(url)}
            </p>
            <p className="truncate font-mono text-[12px] text-quiet">{hostOf(url)}</p>
            <p className="text-meta text-quiet">
              {words.tabs.since} <TimeAgo at={lentAt} />
            </p>
            {work ? (
              <p className="text-meta text-accent [overflow-wrap:anywhere]">
                {words.tab.doing(callWords(work, ui, words))}
              </p>
            ) : null}
            {fault ? <p className="text-meta text-wait [overflow-wrap:anywhere]">{fault}</p> : null}
            <CheckField
              label={words.tab.trusted}
              checked={trusted}
              onCheck={(isTrusted) => void run({ do: 'lend', tabId, trusted: isTrusted })}
            />
            {trusted ? <p className="text-meta text-quiet">{words.tab.trustedSays}</p> : null}
            <div className="flex gap-2">
              <Button className="min-h-8 px-2 text-meta" onClick={() => ports.showTab(tabId)}>
                {words.tabs.show}
              </Button>
              <Button
                className="min-h-8 px-2 text-meta"
                aria-label={words.tabs.release(title || hostOf(url))}
                disabled={doing !== undefined}
                onClick={() => void run({ do: 'release', tabId })}
              >
                {words.tab.release}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
