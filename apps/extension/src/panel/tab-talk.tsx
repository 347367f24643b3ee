import { Button, EmptyState, Notice, useWords } from '@drawbridge/ui';
import { useMemo, useState } from 'react';
import type { FrontTab, LentTab, WorkerState } from '../wire.ts';
import type { Approvals, AskedPrompt } from './approval/approvals-fold.ts';
import { usePage } from './page-context.ts';
import { PanelComposer } from './panel-composer.tsx';
import { TabBar, useLending } from './tab-bar.tsx';
import { isOver, talkRows } from './talk/rows.ts';
import { TalkView } from './talk/talk-view.tsx';
import { TaskHeader } from './task/task-header.tsx';
import { useCommand } from './use-command.ts';
import { type Relay, useTalk } from './use-relay.ts';
import { usePanelWords } from './words/use-panel-words.ts';

export interface TabTalkProps {
  readonly tab: FrontTab;
  readonly lent: LentTab | undefined;
  readonly state: WorkerState;
  readonly relay: Relay | undefined;
  readonly approvals: Approvals | undefined;
}

const NO_PROMPTS: readonly AskedPrompt[] = [];

/** A tab's task, conversation, open questions and composer. */
export function TabTalk({ tab, lent, state, relay, approvals }: TabTalkProps) {
  const ui = useWords();
  const words = usePanelWords();
  const { ports } = usePage();
  const { tabId } = tab;
  const task = state.tasks[tabId];
  const talk = useTalk(
    relay,
    state.sessions[tabId],
    task ? `${task.taskId} ${task.state} ${task.events.length}` : '',
  );
  const question = task && !isOver(task.state) ? task.question : undefined;
  const rows = useMemo(() => {
    const all = talkRows(talk.messages, task);
    const last = all.at(-1);
    // A question is shown only in its card.
    return last?.kind === 'agent' && last.text === question?.text ? all.slice(0, -1) : all;
  }, [talk.messages, task, question]);
  const prompts = [...(approvals?.prompts.values() ?? NO_PROMPTS)];
  const own = prompts.filter(({ session_id }) => session_id === relay?.ownSession);
  const elsewhere = prompts.length - own.length;
  const showing = useCommand();
  const show = (id: number) => (elementId: string) => void showing.run({ do: 'show', tabId: id, elementId });
  const showAt = (origin: string) => {
    const shown = [...state.tabs]
      .toSorted((a, b) => Number(b.tabId === tabId) - Number(a.tabId === tabId))
      .find(({ url }) => URL.canParse(url) && new URL(url).origin === origin);
    return shown && show(shown.tabId);
  };
  const isQuiet = rows.length === 0 && own.length === 0 && task === undefined;
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {own.length > 0 ? ui.prompt.bar(own.length) : question?.text}
      </p>
      <TabBar tab={tab} lent={lent} isLentBelow={isQuiet && talk.state !== 'loading'} />
      {task ? <TaskHeader task={task} isTight={question !== undefined || own.length > 0} /> : null}
      {lent?.doing && (task === undefined || isOver(task.state)) ? (
        <Notice meaning="info">{words.tab.doing(lent.doing)}</Notice>
      ) : null}
      {elsewhere > 0 && 'url' in state.relay ? (
        <Elsewhere count={elsewhere} url={state.relay.url} onOpen={ports.openTab} />
      ) : null}
      {talk.state === 'failed' ? (
        <Notice meaning="wait">{`${words.empty.faultTitle}: ${talk.trouble ?? ''}`}</Notice>
      ) : null}
      {showing.trouble ? <Notice meaning="fail">{showing.trouble}</Notice> : null}
      {isQuiet ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {talk.state === 'loading' ? (
            <EmptyState>{words.empty.loading}</EmptyState>
          ) : (
            <Quiet tab={tab} lent={lent} />
          )}
        </div>
      ) : (
        <TalkView
          tabId={tabId}
          rows={rows}
          prompts={own}
          question={question}
          isOnline={approvals?.link === 'open'}
          onAnswer={(prompt_id, choice_id) => relay?.desk.answer(prompt_id, choice_id)}
          onShow={lent ? show(tabId) : undefined}
          onShowAt={showAt}
        />
      )}
      <TabComposer tab={tab} lent={lent} state={state} />
    </>
  );
}

function Elsewhere({
  count,
  url,
  onOpen,
}: {
  readonly count: number;
  readonly url: string;
  readonly onOpen: (url: string) => void;
}) {
  const words = usePanelWords();
  return (
    <Notice
      meaning="wait"
      action={
        <Button className="min-h-8 shrink-0 px-2 text-meta" onClick={() => onOpen(url)}>
          {words.prompt.open}
        </Button>
      }
    >
      {words.prompt.elsewhere(count)} {words.prompt.elsewhereSays}
    </Notice>
  );
}

/** Shows the next step. */
function Quiet({ tab, lent }: Pick<TabTalkProps, 'tab' | 'lent'>) {
  const words = usePanelWords();
  const { lend, doing, trouble } = useLending(tab);
  // Chrome shows a tab's address only after the person pressed the button.
  if (tab.url === '' && !lent)
    return <EmptyState title={words.empty.hiddenTitle}>{words.empty.hidden}</EmptyState>;
  if (tab.cannotLend !== undefined) {
    return <EmptyState title={words.empty.cannotTitle}>{words.tab.cannot(tab.cannotLend)}</EmptyState>;
  }
  if (lent) return <EmptyState title={words.empty.quietTitle}>{words.empty.quiet}</EmptyState>;
  return (
    <EmptyState
      title={words.empty.notLentTitle}
      action={
        <>
          <Button look="primary" disabled={doing !== undefined} onClick={() => lend()}>
            {doing ? words.tab.lending : words.tab.lend}
          </Button>
          {trouble ? <Notice meaning="fail">{trouble}</Notice> : null}
        </>
      }
    >
      {words.empty.notLent}
    </EmptyState>
  );
}

/** Keeps a draft per tab. */
const drafts = new Map<number, string>();

function TabComposer({ tab: { tabId }, lent, state }: Pick<TabTalkProps, 'tab' | 'lent' | 'state'>) {
  const words = usePanelWords();
  const task = state.tasks[tabId];
  const isActive = task !== undefined && !isOver(task.state);
  const [text, setText] = useState(drafts.get(tabId) ?? '');
  const saying = useCommand();
  const stopping = useCommand();
  /** Id of the task being stopped, pending until the worker reports its end. */
  const [stopped, setStopped] = useState<string>();
  const running = isActive ? task.taskId : lent?.doing === undefined ? undefined : 'call';
  const isPending = stopping.doing !== undefined || (stopped !== undefined && stopped === running);
  const write = (draft: string): void => {
    drafts.set(tabId, draft);
    setText(draft);
  };
  const send = (): void => {
    const said = text.trim();
    void saying
      .run(isActive ? { do: 'say', tabId, text: said } : { do: 'start_task', tabId, query: said })
      .then((isSaid) => isSaid && write(''));
  };
  const stop = (): void => {
    setStopped(running);
    void stopping.run({ do: 'stop', tabId }).then((isDone) => isDone || setStopped(undefined));
  };
  const placeholder =
    lent === undefined
      ? words.compose.unlent
      : !isActive
        ? words.compose.start
        : task.question
          ? words.compose.answer
          : words.compose.say;
  return (
    <>
      {saying.trouble ? <Notice meaning="fail">{words.task.failed(saying.trouble)}</Notice> : null}
      {stopping.trouble ? <Notice meaning="fail">{words.task.stopFailed(stopping.trouble)}</Notice> : null}
      <PanelComposer
        text={text}
        placeholder={placeholder}
        isDisabled={lent === undefined && !isActive}
        isSending={saying.doing !== undefined}
        onText={write}
        onSend={send}
        stop={running === undefined ? undefined : { isPending, run: stop }}
      />
    </>
  );
}
