import { Button, EmptyState, Notice, useWords } from '@drawbridge/ui';
import { useEffect, useMemo, useState } from 'react';
import type { FrontTab, LentTab, WorkerState } from '../wire.ts';
import type { Approvals, AskedPrompt } from './approval/approvals-fold.ts';
import { callWords } from './call-words.ts';
import { ConversationView } from './conversation/conversation-view.tsx';
import { conversationRows, isOver } from './conversation/rows.ts';
import { usePage } from './page-context.ts';
import { PanelComposer } from './panel-composer.tsx';
import { TabBar, useLending } from './tab-bar.tsx';
import { TaskHeader } from './task/task-header.tsx';
import { useCommand } from './use-command.ts';
import { type Relay, useConversation } from './use-relay.ts';
import { usePanelWords } from './words/use-panel-words.ts';

export interface TabConversationProps {
  readonly tab: FrontTab;
  readonly lent: LentTab | undefined;
  readonly state: WorkerState;
  readonly relay: Relay | undefined;
  readonly approvals: Approvals | undefined;
  /** Questions of this browser's tabs. */
  readonly prompts: readonly AskedPrompt[];
}

/** A tab's task, conversation, open questions and composer. */
export function TabConversation(props: TabConversationProps) {
  const { tab, lent, state, relay, approvals, prompts: own } = props;
  const ui = useWords();
  const words = usePanelWords();
  const { ports } = usePage();
  const { tabId } = tab;
  const task = state.tasks[tabId];
  const conversation = useConversation(
    relay,
    state.sessions[tabId],
    task ? `${task.taskId} ${task.state} ${task.events.length}` : '',
  );
  const question = task && !isOver(task.state) ? task.question : undefined;
  const rows = useMemo(() => {
    const all = conversationRows(conversation.messages, task);
    const last = all.at(-1);
    // A question is shown only in its card.
    return last?.kind === 'agent' && last.text === question?.text ? all.slice(0, -1) : all;
  }, [conversation.messages, task, question]);
  const elsewhere = (approvals?.prompts.size ?? 0) - own.length;
  const showing = useCommand();
  const show = (id: number) => (elementId: string) => void showing.run({ do: 'show', tabId: id, elementId });
  const showAt = (origin: string) => {
    const shown = [...state.tabs]
      .toSorted((a, b) => Number(b.tabId === tabId) - Number(a.tabId === tabId))
      .find(({ url }) => URL.canParse(url) && new URL(url).origin === origin);
    return shown && show(shown.tabId);
  };
  const [example, setExample] = useState<Example>();
  const isQuiet = rows.length === 0 && own.length === 0 && task === undefined;
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {own.length > 0 ? ui.prompt.bar(own.length) : question?.text}
      </p>
      <TabBar tab={tab} lent={lent} isLentBelow={isQuiet && conversation.state !== 'loading'} />
      {task ? <TaskHeader task={task} isTight={question !== undefined || own.length > 0} /> : null}
      {lent?.doing && lent.questions.length === 0 && (task === undefined || isOver(task.state)) ? (
        <Notice meaning="info">{words.tab.doing(callWords(lent.doing, ui, words))}</Notice>
      ) : null}
      {elsewhere > 0 && 'url' in state.relay ? (
        <Elsewhere count={elsewhere} url={state.relay.url} onOpen={ports.openTab} />
      ) : null}
      {conversation.state === 'failed' ? (
        <Notice meaning="wait">{`${words.empty.faultTitle}: ${conversation.problem ?? ''}`}</Notice>
      ) : null}
      {showing.problem ? <Notice meaning="fail">{showing.problem}</Notice> : null}
      {isQuiet ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {conversation.state === 'loading' ? (
            <EmptyState>{words.empty.loading}</EmptyState>
          ) : (
            <Quiet tab={tab} lent={lent} relay={relay} url={urlOf(state)} onExample={setExample} />
          )}
        </div>
      ) : (
        <ConversationView
          tabId={tabId}
          rows={rows}
          prompts={own}
          question={question}
          isOnline={approvals?.link === 'open'}
          onAnswer={(...answer) => relay?.approvalClient.answer(...answer)}
          loadPicture={relay?.approvalClient.picture}
          onShow={lent ? show(tabId) : undefined}
          onShowAt={showAt}
        />
      )}
      <TabComposer tab={tab} lent={lent} state={state} example={example} />
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

/** A request to put into the composer. A new object each time it is pressed. */
interface Example {
  readonly text: string;
}

const urlOf = ({ relay }: WorkerState): string | undefined => ('url' in relay ? relay.url : undefined);

interface QuietProps
  extends Pick<TabConversationProps, 'tab' | 'lent' | 'relay'>,
    Omit<ModelHintProps, 'relay'> {}

/** Shows the next step. */
function Quiet({ tab, lent, relay, url, onExample }: QuietProps) {
  const words = usePanelWords();
  const { lend, doing, problem } = useLending(tab);
  // Chrome shows a tab's address only after the person pressed the button.
  if (tab.url === '' && !lent)
    return <EmptyState title={words.empty.hiddenTitle}>{words.empty.hidden}</EmptyState>;
  if (tab.cannotLend !== undefined) {
    return <EmptyState title={words.empty.cannotTitle}>{words.tab.cannot(tab.cannotLend)}</EmptyState>;
  }
  if (lent)
    return (
      <EmptyState
        title={words.empty.quietTitle}
        action={relay ? <ModelHint relay={relay} url={url} onExample={onExample} /> : null}
      >
        {words.empty.quiet}
      </EmptyState>
    );
  return (
    <EmptyState
      title={words.empty.notLentTitle}
      action={
        <>
          <Button look="primary" disabled={doing !== undefined} onClick={() => lend()}>
            {doing ? words.tab.lending : words.tab.lend}
          </Button>
          {problem ? <Notice meaning="fail">{problem}</Notice> : null}
        </>
      }
    >
      {words.empty.notLent}
    </EmptyState>
  );
}

interface ModelHintProps {
  readonly relay: Relay;
  readonly url: string | undefined;
  readonly onExample: (example: Example) => void;
}

/** Whether a model decides; without one, requests that work. */
function ModelHint({ relay, url, onExample }: ModelHintProps) {
  const { tasks } = useWords();
  const { ports } = usePage();
  const [model, setModel] = useState<string | null>();
  useEffect(() => {
    let isOver = false;
    void relay.sessions.model().then((name) => {
      if (!isOver) setModel(name);
    });
    return () => {
      isOver = true;
    };
  }, [relay]);
  if (model === undefined) return null;
  if (model !== null) return <p className="text-meta">{tasks.withModel(model)}</p>;
  return (
    <div className="flex flex-wrap justify-center gap-2 text-meta">
      <p className="basis-full">{tasks.ruled}</p>
      {tasks.examples.map((text) => (
        <Button key={text} className="min-h-8 px-2 text-meta" onClick={() => onExample({ text })}>
          {text}
        </Button>
      ))}
      {url === undefined ? null : (
        <Button
          look="quiet"
          className="min-h-8 px-2 text-meta"
          onClick={() => ports.openTab(`${url}/settings`)}
        >
          {tasks.setModel}
        </Button>
      )}
    </div>
  );
}

/** Keeps a draft per tab. */
const drafts = new Map<number, string>();

interface TabComposerProps extends Pick<TabConversationProps, 'tab' | 'lent' | 'state'> {
  readonly example: Example | undefined;
}

function TabComposer({ tab: { tabId }, lent, state, example }: TabComposerProps) {
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
  useEffect(() => {
    if (example !== undefined) setText(example.text);
  }, [example]);
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
      {saying.problem ? <Notice meaning="fail">{words.task.failed(saying.problem)}</Notice> : null}
      {stopping.problem ? <Notice meaning="fail">{words.task.stopFailed(stopping.problem)}</Notice> : null}
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
