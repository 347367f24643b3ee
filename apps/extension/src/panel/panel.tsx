import { ActionMenu, Button, EmptyState, IconButton, Notice, PromptBar } from '@drawbridge/ui';
import {
  AppWindow,
  ArrowLeft,
  Link,
  MessagesSquare,
  Settings as SettingsIcon,
  Unplug,
} from '@drawbridge/ui/icons';
import { useEffect, useState } from 'react';
import type { FrontTab, WorkerState } from '../wire.ts';
import { HealthView, healthWord } from './health-view.tsx';
import { LentTabs } from './lent-tabs.tsx';
import { usePage, useWorker } from './page-context.ts';
import { SessionList } from './session-list.tsx';
import { TabConversation } from './tab-conversation.tsx';
import { ownPrompts, type RelayConnections, useApprovals, useRelay } from './use-relay.ts';
import { usePanelWords } from './words/use-panel-words.ts';

type View = 'talk' | 'sessions' | 'tabs';

/** The panel's tab: the active one of its window, or the one it was opened for. */
export function frontTab(
  state: WorkerState,
  windowId: number | undefined,
  tabId: number | undefined,
): FrontTab | undefined {
  if (tabId === undefined) return windowId === undefined ? undefined : state.front[windowId];
  const known = Object.values(state.front).find((front) => front.tabId === tabId);
  return known ?? state.tabs.find((lent) => lent.tabId === tabId);
}

export function Panel(connections: RelayConnections) {
  const words = usePanelWords();
  const { ports } = usePage();
  const view = useWorker();
  const [windowId, setWindowId] = useState<number>();
  const relay = useRelay(connections);
  const approvals = useApprovals(relay);
  const [shown, setShown] = useState<View>('talk');
  const [isHealthShown, setHealthShown] = useState(false);
  useEffect(() => {
    ports.windowId().then(setWindowId, () => {});
  }, [ports]);
  const { state } = view;
  if (state === undefined) return <EmptyState>{words.options.loading}</EmptyState>;
  const tab = frontTab(state, windowId, ports.tabId);
  const lent = state.tabs.find(({ tabId }) => tabId === tab?.tabId);
  const health = healthWord(view, approvals, words);
  const { relay: relayState } = state;
  const own = ownPrompts(relay, approvals, state.tabs);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex items-center gap-1 border-b border-line bg-surface px-2 py-1">
        {shown === 'talk' ? null : (
          <IconButton
            label={words.menu.back}
            icon={<ArrowLeft size={18} aria-hidden />}
            onClick={() => setShown('talk')}
          />
        )}
        <h1 className="min-w-0 flex-1 truncate px-1 font-semibold">
          {shown === 'sessions' ? words.sessions.title : shown === 'tabs' ? words.tabs.title : 'Drawbridge'}
        </h1>
        {state.tabs.length > 0 && shown === 'talk' ? (
          <button
            type="button"
            onClick={() => setShown('tabs')}
            aria-label={words.tabs.open(state.tabs.length)}
            title={words.tabs.open(state.tabs.length)}
            className="inline-flex min-h-8 shrink-0 items-center gap-1 rounded-full px-2 text-[12px] text-quiet tabular-nums hover:bg-sunken pointer-coarse:min-h-11"
          >
            <AppWindow size={14} aria-hidden />
            {state.tabs.length}
          </button>
        ) : null}
        <HealthChip
          tone={health.tone}
          says={health.says}
          isOpen={isHealthShown}
          onToggle={() => setHealthShown(!isHealthShown)}
        />
        <ActionMenu
          label={words.menu.label}
          actions={[
            ...(relay && tab
              ? [
                  {
                    label: words.menu.sessions,
                    icon: <MessagesSquare size={16} aria-hidden />,
                    run: () => setShown('sessions'),
                  },
                ]
              : []),
            {
              label: words.menu.tabs,
              icon: <AppWindow size={16} aria-hidden />,
              run: () => setShown('tabs'),
            },
            ...('url' in relayState
              ? [
                  {
                    label: words.menu.webApp,
                    icon: <Link size={16} aria-hidden />,
                    run: () => ports.openTab(relayState.url),
                  },
                ]
              : []),
            {
              label: words.menu.options,
              icon: <SettingsIcon size={16} aria-hidden />,
              run: ports.openOptions,
            },
          ]}
        />
      </header>
      <main className="flex min-h-0 flex-1 flex-col">
        {isHealthShown ? <HealthView lent={lent} approvals={approvals} /> : null}
        {view.link === 'lost' ? <Notice meaning="wait">{words.link.lost}</Notice> : null}
        {relayState.kind === 'offline' ? (
          <Notice meaning="wait">{words.link.relayOffline(relayState.url, relayState.why)}</Notice>
        ) : null}
        {shown !== 'talk' && own.length > 0 ? (
          <PromptBar count={own.length} text={own[0]?.prompt_text ?? ''} onShow={() => setShown('talk')} />
        ) : null}
        {relayState.kind === 'unpaired' || relayState.kind === 'refused' ? (
          <EmptyState
            icon={<Unplug size={28} aria-hidden />}
            title={words.empty.unpairedTitle}
            action={
              <Button look="primary" onClick={ports.openOptions}>
                {words.empty.pair}
              </Button>
            }
          >
            {relayState.kind === 'refused' ? relayState.why : words.empty.unpaired}
          </EmptyState>
        ) : shown === 'tabs' ? (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <LentTabs tabs={state.tabs} />
          </div>
        ) : tab === undefined ? (
          <EmptyState>{words.tab.none}</EmptyState>
        ) : shown === 'sessions' && relay && approvals ? (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <SessionList
              tab={tab}
              current={state.sessions[tab.tabId]}
              approvals={approvals}
              sessions={relay.sessions}
              onChosen={() => setShown('talk')}
            />
          </div>
        ) : (
          <TabConversation
            key={tab.tabId}
            tab={tab}
            lent={lent}
            state={state}
            relay={relay}
            approvals={approvals}
            prompts={own}
          />
        )}
      </main>
    </div>
  );
}

const DOTS = { done: 'bg-done', wait: 'bg-wait', fail: 'bg-fail', quiet: 'bg-quiet' } as const;

interface HealthChipProps {
  readonly tone: keyof typeof DOTS;
  readonly says: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function HealthChip({ tone, says, isOpen, onToggle }: HealthChipProps) {
  const words = usePanelWords();
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${words.link.button}: ${says}`}
      onClick={onToggle}
      className="inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-full px-2 text-[12px] text-quiet hover:bg-sunken pointer-coarse:min-h-11"
    >
      <span aria-hidden className={`size-2 rounded-full ${DOTS[tone]}`} />
      {says}
    </button>
  );
}
