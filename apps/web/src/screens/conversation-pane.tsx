import type { Activity } from '@drawbridge/protocol';
import {
  ActionMenu,
  Button,
  Composer,
  Confirm,
  EmptyState,
  IconButton,
  Notice,
  saveFile,
  sessionLocation,
  sessionName,
  useWords,
} from '@drawbridge/ui';
import { ArrowLeft, CircleX, Download, PanelRight, Trash2 } from '@drawbridge/ui/icons';
import type { Words } from '@drawbridge/ui/model';
import { useEffect, useState } from 'react';
import { useApp, useAppState, usePreferences } from '../app-context.ts';
import { isAgentSession } from '../client/demo-watch.ts';
import { problemText } from '../client/request.ts';
import { navigate } from '../route.ts';
import { isAway, isOver, isWorking } from '../state/activity.ts';
import { isBrowserCall } from '../state/browser-calls.ts';
import { createConversation } from '../state/conversation.ts';
import { ClosedBar, useClosedSessions } from './closed-sessions.tsx';
import { ConversationHistory } from './conversation-history.tsx';
import { ScheduledMessages, SendLater } from './scheduled-messages.tsx';
import { BrowserPicture, BrowserStrip, useSessionBrowser } from './session-browser.tsx';
import { useUploads } from './use-uploads.ts';

const EMPTY_CONVERSATION = createConversation();

export interface ConversationPaneProps {
  readonly session_id: string;
  readonly onDetails: () => void;
  /** The agent's tab is shown in the details, beside the conversation. */
  readonly isViewBeside: boolean;
}

/** One conversation with header, history and composer. */
export function ConversationPane({ session_id, onDetails, isViewBeside }: ConversationPaneProps) {
  const words = useWords();
  const { client } = useApp();
  const session = useAppState((state) => state.sessions.get(session_id));
  const conversation = useAppState((state) => state.talks.get(session_id)) ?? EMPTY_CONVERSATION;
  const isListed = useAppState((state) => state.isListed);
  const isGone = isListed && session === undefined;
  const isOnline = useAppState((state) => state.link.kind === 'open');
  const { closed } = useClosedSessions(isGone && isOnline);
  const stored = closed?.find((each) => each.session_id === session_id);
  const { state } = conversation.history;
  useEffect(() => {
    if (stored !== undefined && state === 'none') client.reload(session_id);
  }, [stored, state, client, session_id]);
  const browser = useSessionBrowser(session_id);
  const [isViewOpen, setViewOpen] = useState(true);
  // A decision has its own picture, and needs the room.
  const isAsked = conversation.prompts.size + conversation.questions.size > 0;
  if (isGone && conversation.entries.length === 0 && stored === undefined)
    return (
      <EmptyState>{closed === undefined && isOnline ? words.list.loading : words.session.gone}</EmptyState>
    );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ConversationHeader
        session_id={session_id}
        onDetails={onDetails}
        storedName={stored?.name}
        pausedBy={browser.lent?.paused_by}
      />
      <BrowserStrip
        session_id={session_id}
        {...browser}
        view={
          isViewBeside || isAsked ? undefined : { isOpen: isViewOpen, toggle: () => setViewOpen(!isViewOpen) }
        }
      />
      {isViewBeside || !isViewOpen || isAsked || browser.lent === undefined ? null : (
        <div className="shrink-0 border-b border-line">
          <BrowserPicture {...browser} isLow />
        </div>
      )}
      <ConversationHistory session_id={session_id} />
      <ScheduledMessages session_id={session_id} />
      {isGone || conversation.isClosed || (session && isOver(session)) ? (
        <ClosedBar session={stored} />
      ) : isBrowser(session_id) ? null : (
        <ConversationComposer session_id={session_id} />
      )}
    </div>
  );
}

/** The questions of a browser: it takes no messages. */
const isBrowser = (session_id: string): boolean =>
  session_id.startsWith('browser_') && !isAgentSession(session_id);

/** An agent names a browser call by its own word for the tool. */
const doingIn = ({ kind, label }: Activity, words: Words): string => {
  if (label !== undefined && isBrowserCall(label)) return words.browser.inUse;
  return label || words.activity[kind];
};

function useName(session_id: string): string {
  const session = useAppState((state) => state.sessions.get(session_id));
  const { names } = usePreferences();
  return names[session_id] ?? (session ? sessionName(session) : '');
}

interface ConversationHeaderProps extends Omit<ConversationPaneProps, 'isViewBeside'> {
  /** The name of a closed session. */
  readonly storedName: string | undefined;
  /** Name of a person who works in the browser: the agent waits. */
  readonly pausedBy: string | undefined;
}

function ConversationHeader({ session_id, onDetails, storedName, pausedBy }: ConversationHeaderProps) {
  const words = useWords();
  const { client, api, me } = useApp();
  const session = useAppState((state) => state.sessions.get(session_id));
  const name = useName(session_id) || storedName || words.talk.history;
  const [isDeleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = (work: Promise<unknown>, after: () => void = () => {}): void => {
    work.then(after, (error: unknown) => setProblem(problemText(error, words)));
  };
  const doing = session && isWorking(session.activity) ? session.activity : undefined;
  const conversation = useAppState((state) => state.talks.get(session_id));
  const hasQuestion = (conversation?.prompts.size ?? 0) + (conversation?.questions.size ?? 0) > 0;
  const isWaiting =
    hasQuestion || (session && !isAway(session) && session.activity?.kind === 'waiting_for_user');
  return (
    <header className="border-b border-line bg-surface">
      <div className="flex items-center gap-1 px-2 py-1.5">
        <IconButton
          className="desk:hidden"
          label={words.session.back}
          icon={<ArrowLeft size={20} aria-hidden className="rtl:rotate-180" />}
          onClick={() => navigate('/')}
        />
        <div className="min-w-0 flex-1 px-1">
          <h1 className="truncate font-semibold">{name}</h1>
          <p className="flex min-w-0 gap-2 text-meta text-quiet">
            {session ? <span className="min-w-0 shrink-[9] truncate">{sessionLocation(session)}</span> : null}
            {isWaiting ? (
              <span className="truncate font-medium text-wait">{words.activity.waiting_for_user}</span>
            ) : doing && pausedBy !== undefined ? (
              <span className="truncate font-medium text-wait">
                {pausedBy === me.label ? words.browser.yours : words.browser.paused(pausedBy)}
              </span>
            ) : doing ? (
              <span className="flex min-w-0 items-center gap-1 text-accent">
                <span aria-hidden className="working-dot size-2 shrink-0 rounded-full bg-accent" />
                <span className="truncate">{doingIn(doing, words)}</span>
              </span>
            ) : session?.activity?.kind === 'idle' && !isAway(session) && !isBrowser(session_id) ? (
              <span className="truncate">{words.activity.idle}</span>
            ) : null}
          </p>
        </div>
        <IconButton
          label={words.session.details}
          icon={<PanelRight size={18} aria-hidden />}
          onClick={onDetails}
        />
        <ActionMenu
          label={words.list.actions(name)}
          actions={[
            {
              label: words.session.export,
              icon: <Download size={16} aria-hidden />,
              run: () =>
                run(api.exportSession(session_id).then((file) => saveFile(file, `${session_id}.json`))),
            },
            ...(session && !isAway(session)
              ? [
                  {
                    label: words.session.close,
                    icon: <CircleX size={16} aria-hidden />,
                    isDanger: true,
                    run: () => client.closeSession(session_id),
                  },
                ]
              : [
                  {
                    label: words.session.delete,
                    icon: <Trash2 size={16} aria-hidden />,
                    isDanger: true,
                    run: () => setDeleting(true),
                  },
                ]),
          ]}
        />
      </div>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {isDeleting ? (
        <Confirm
          title={words.session.deleteAsk(name)}
          says={words.session.deleteSays}
          action={words.session.delete}
          onClose={() => setDeleting(false)}
          onConfirm={() => run(api.deleteSession(session_id), () => navigate('/'))}
        />
      ) : null}
    </header>
  );
}

function ConversationComposer({ session_id }: { readonly session_id: string }) {
  const words = useWords();
  const { client, preferences, api } = useApp();
  const session = useAppState((state) => state.sessions.get(session_id));
  const conversation = useAppState((state) => state.talks.get(session_id)) ?? EMPTY_CONVERSATION;
  const text = usePreferences().drafts[session_id] ?? '';
  const name = useName(session_id);
  const uploads = useUploads(session_id, api, words);
  const setText = (draft: string): void =>
    preferences.set(({ drafts: { [session_id]: _, ...drafts } }) => ({
      drafts: draft === '' ? drafts : { ...drafts, [session_id]: draft },
    }));
  // An agent that asks is working, too: its turn ends with the answer.
  const isAsking = conversation.prompts.size > 0 && session !== undefined && !isAway(session);
  const canStop =
    (isAsking || isWorking(session?.activity)) && conversation.config?.capabilities?.interrupt !== false;
  const stop =
    canStop || conversation.stop.pending
      ? { isPending: conversation.stop.pending, run: () => client.stop(session_id) }
      : undefined;
  return (
    <>
      {conversation.stop.problem ? (
        <Notice
          meaning="fail"
          action={
            <span className="flex shrink-0 flex-wrap justify-end gap-1">
              <Button className="min-h-8 px-2 text-meta" onClick={() => client.closeSession(session_id)}>
                {words.compose.endAgent}
              </Button>
              <Button
                look="quiet"
                className="min-h-8 px-2 text-meta"
                onClick={() => client.waitForStop(session_id)}
              >
                {words.compose.wait}
              </Button>
            </span>
          }
        >
          {words.compose.stopFailed(conversation.stop.problem)}
        </Notice>
      ) : null}
      {session && isAway(session) ? (
        <Notice meaning="wait">
          {isAgentSession(session_id) ? words.compose.waitsNoteAgent : words.compose.waitsNote}
        </Notice>
      ) : null}
      <Composer
        name={name}
        text={text}
        onText={setText}
        onSend={() => {
          client.send({
            session_id,
            ...(text.trim() !== '' && { content: text }),
            ...(uploads.attachments.length > 0 && { attachments: [...uploads.attachments] }),
          });
          setText('');
          uploads.clear();
        }}
        uploads={uploads.list}
        onFiles={uploads.add}
        onRemove={uploads.remove}
        onRetry={uploads.retry}
        stop={stop}
        later={
          text.trim() !== '' && uploads.list.length === 0 ? (
            <SendLater
              session_id={session_id}
              content={text}
              isWorking={isWorking(session?.activity)}
              onScheduled={() => setText('')}
            />
          ) : null
        }
      />
    </>
  );
}
