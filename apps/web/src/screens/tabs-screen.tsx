import { Button, dueTime, EmptyState, Notice, permissionText, useWords } from '@drawbridge/ui';
import { useState } from 'react';
import { lentBrowserApi } from '../client/lent-browser-api.ts';
import { problemText } from '../client/request.ts';
import { type Grant, isErrorPage, type Tab, tabApi } from '../client/tab-api.ts';
import { type Task, taskApi } from '../client/task-api.ts';
import { navigate, sessionPath } from '../route.ts';
import { LiveView } from './live-view.tsx';
import { MapCard } from './map-card.tsx';
import { Card, ScreenFrame } from './screen-frame.tsx';
import { TaskStateMark } from './task-state.tsx';
import { usePolled } from './use-polled.ts';

const POLL_MS = 4_000;

export function TabsScreen() {
  const words = useWords();
  const { value, problem, reload } = usePolled(tabApi.all, POLL_MS, words);
  const [refused, setRefused] = useState<string>();
  // One at a time: each picture is a call to the tab, and each stream a connection.
  const [watched, setWatched] = useState<string>();
  const tried = (work: Promise<unknown>): void => {
    setRefused(undefined);
    work.then(reload, (error: unknown) => setRefused(problemText(error, words)));
  };
  return (
    <ScreenFrame title={words.tabs.title} says={words.tabs.says}>
      {[problem, refused].map((text) =>
        text === undefined ? null : (
          <Notice key={text} meaning="fail" className="rounded-card">
            {text}
          </Notice>
        ),
      )}
      {value?.tabs.length === 0 ? <EmptyState>{words.tabs.empty}</EmptyState> : null}
      {value?.tabs.map((tab) => (
        <TabCard
          key={tab.runtime_id}
          tab={tab}
          grants={value.grants.filter(({ runtime_id }) => runtime_id === tab.runtime_id)}
          task={value.tasks.find(({ runs_on }) => runs_on === tab.runtime_id)}
          onTask={(work) => tried(work)}
          onAgent={(work) => tried(work)}
          isWatched={watched === tab.runtime_id}
          onWatch={() => setWatched(watched === tab.runtime_id ? undefined : tab.runtime_id)}
          onGiveBack={() => tried(tabApi.giveBack(tab.runtime_id))}
          onRevoke={(grant_id) => tried(tabApi.revoke(tab.runtime_id, grant_id))}
        />
      ))}
      {value ? <MapCard maps={value.maps} onChecked={reload} /> : null}
    </ScreenFrame>
  );
}

/** The task in the tab, and a button to take over. */
function RunningTask({ task, onTask }: { readonly task: Task; readonly onTask: TabCardProps['onTask'] }) {
  const words = useWords();
  const { task_id, state, prompt } = task;
  const isPaused = state === 'paused';
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 rounded-md bg-sunken p-2">
      <div className="min-w-40 flex-1">
        <p className="line-clamp-2 [overflow-wrap:anywhere]">{prompt}</p>
        <TaskStateMark state={state} />
      </div>
      {state === 'queued' ? null : (
        <Button
          onClick={() =>
            onTask(isPaused ? taskApi.controls.goOn(task_id) : taskApi.controls.takeover(task_id))
          }
        >
          {isPaused ? words.tasks.handBack : words.tasks.takeover}
        </Button>
      )}
    </div>
  );
}

type Agent = NonNullable<Tab['agents']>[number];

/** An agent that works in the tab: its conversation, and a button to take over from it. */
function AgentHere({ agent, onAgent }: { readonly agent: Agent; readonly onAgent: TabCardProps['onAgent'] }) {
  const words = useWords();
  const { session_id, name, paused_by } = agent;
  const isPaused = paused_by !== undefined;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 rounded-md bg-sunken p-2">
      <div className="min-w-40 flex-1">
        <button type="button" className="underline" onClick={() => navigate(sessionPath(session_id))}>
          {name}
        </button>
        {isPaused ? <p className="text-meta text-wait">{words.browser.paused(paused_by)}</p> : null}
      </div>
      <Button
        look={isPaused ? 'primary' : 'plain'}
        onClick={() =>
          onAgent(isPaused ? lentBrowserApi.handBack(session_id) : lentBrowserApi.takeOver(session_id))
        }
      >
        {isPaused ? words.browser.handBack : words.browser.takeOver}
      </Button>
    </div>
  );
}

interface TabCardProps {
  readonly tab: Tab;
  readonly grants: readonly Grant[];
  readonly task: Task | undefined;
  readonly onTask: (work: Promise<Task>) => void;
  readonly onAgent: (work: Promise<unknown>) => void;
  readonly isWatched: boolean;
  readonly onWatch: () => void;
  readonly onGiveBack: () => void;
  readonly onRevoke: (grant_id?: string) => void;
}

function TabCard({
  tab,
  grants,
  task,
  onTask,
  onAgent,
  isWatched,
  onWatch,
  onGiveBack,
  onRevoke,
}: TabCardProps) {
  const words = useWords();
  const { runtime_id, title, url, liveness, states, browser } = tab;
  return (
    <Card>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">
            {title || (isErrorPage(url) ? words.tabs.unreachable : url)}
          </h2>
          {isErrorPage(url) ? (
            <p className="text-meta text-wait">{words.tabs.unreachable}</p>
          ) : (
            <p className="truncate font-mono text-meta text-quiet">{url}</p>
          )}
          <p className="text-meta text-quiet">
            {[
              words.tabs.liveness[liveness],
              browser ? words.tabs.in(browser) : words.tabs.inOwn,
              ...states.map((state) => state.replaceAll('_', ' ')),
            ].join(' · ')}
          </p>
        </div>
        <Button onClick={onWatch} aria-pressed={isWatched}>
          {isWatched ? words.tabs.unwatch : words.tabs.watch}
        </Button>
      </div>
      {task ? <RunningTask task={task} onTask={onTask} /> : null}
      {tab.agents?.map((agent) => (
        <AgentHere key={agent.session_id} agent={agent} onAgent={onAgent} />
      ))}
      {isWatched ? (
        <div className="mt-3">
          <LiveView runtime_id={runtime_id} />
        </div>
      ) : null}
      <h3 className="mt-3 text-meta font-semibold text-quiet">{words.tabs.grants}</h3>
      {grants.length === 0 ? <p className="text-meta text-quiet">{words.tabs.noGrants}</p> : null}
      <ul>
        {grants.map((grant) => (
          <li key={grant.grant_id} className="flex items-center gap-2 py-1">
            <p className="min-w-0 max-w-none flex-1 [overflow-wrap:anywhere]">
              {words.tabs.effects[grant.effect]}: {permissionText(grant.name, words)}
              <span className="block text-meta text-quiet">
                {[
                  grant.origin === '*' ? words.tabs.anywhere : grant.origin,
                  words.tabs.givenBy(grant.by),
                  ...(grant.expires_at === undefined
                    ? []
                    : [words.tabs.until(dueTime(grant.expires_at, Date.now(), words))]),
                ].join(' · ')}
              </span>
            </p>
            <Button look="danger" className="text-meta" onClick={() => onRevoke(grant.grant_id)}>
              {words.tabs.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {isLent(grants) ? null : (
        <Button className="mt-2 me-2" onClick={onGiveBack}>
          {words.tabs.giveBack}
        </Button>
      )}
      {grants.length > 1 ? (
        <Button look="danger" className="mt-2" onClick={() => onRevoke()}>
          {words.tabs.revokeAll}
        </Button>
      ) : null}
    </Card>
  );
}

/** Whether agents may read and act in the tab, as when it was lent. */
const isLent = (grants: readonly Grant[]): boolean =>
  (['read', 'act'] as const).every((effect) =>
    grants.some((grant) => grant.effect === effect && grant.name === undefined && grant.origin === '*'),
  );
