import type { Grant } from '@drawbridge/runtime';
import { Button, exactTime, Notice, permissionText, useWords, type Words } from '@drawbridge/ui';
import { Card } from '../panel/card.tsx';
import { useWorkerState } from '../panel/page-context.ts';
import { useCommand } from '../panel/use-command.ts';
import type { PanelWords } from '../panel/words/en.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import type { LentTab } from '../wire.ts';

const whatOf = ({ covers }: Grant, { options }: PanelWords, ui: Words): string =>
  `${options.effects[covers.effect]}: ${permissionText('name' in covers ? covers.name : undefined, ui)}`;

function placeOf({ origin, runtime_key }: Grant, tabs: readonly LentTab[], { options }: PanelWords): string {
  if (origin !== '*') return options.on(origin);
  const tab = tabs.find(({ runtimeKey }) => runtimeKey === runtime_key);
  return tab === undefined ? options.anywhere : options.inTab(tab.title || tab.url);
}

/** Standing grants, each with Revoke. */
export function GrantsCard() {
  const ui = useWords();
  const words = usePanelWords();
  const { grants, tabs } = useWorkerState();
  const { run, doing, problem } = useCommand();
  return (
    <Card title={words.options.grants} says={words.options.grantsSay}>
      {problem ? <Notice meaning="fail">{words.task.failed(problem)}</Notice> : null}
      {grants.length === 0 ? <p className="text-meta text-quiet">{words.options.noGrants}</p> : null}
      <ul className="divide-y divide-line">
        {grants.map((grant) => {
          const what = whatOf(grant, words, ui);
          return (
            <li
              key={grant.grant_id}
              className="flex flex-col items-start gap-2 py-2 sm:flex-row sm:items-center"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium [overflow-wrap:anywhere]">{what}</p>
                <p className="text-meta text-quiet [overflow-wrap:anywhere]">
                  {[
                    placeOf(grant, tabs, words),
                    words.options.givenBy(grant.by),
                    ...(grant.expires_at === undefined
                      ? []
                      : [words.options.until(exactTime(grant.expires_at, ui))]),
                  ].join(' · ')}
                </p>
              </div>
              <Button
                className="min-h-8 shrink-0 px-2 text-meta"
                aria-label={words.options.revokeNamed(what)}
                disabled={doing !== undefined}
                onClick={() => void run({ do: 'revoke_grant', grantId: grant.grant_id })}
              >
                {words.options.revoke}
              </Button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
