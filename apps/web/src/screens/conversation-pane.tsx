import {
  ActionMenu,
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
import { useState } from 'react';
import { useApp, useAppState, usePreferences } from '../app-context.ts';
import { problemText } from '../client/request.ts';
import { navigate } from '../route.ts';
import { isAway, isWorking } from '../state/activity.ts';
import { createConversation } from '../state/conversation.ts';
import { ConversationHistory } from './conversation-history.tsx';
import { useUploads } from './use-uploads.ts';

const EMPTY_CONVERSATION = createConversation();

export interface ConversationPaneProps {
  readonly session_id: string;
  readonly onDetails: () => void;
}

/** One conversation with header, history and composer. */
export function ConversationPane({ session_id, onDetails }: ConversationPaneProps) {
  const words = useWords();
  const session = useAppState((state) => state.sessions.get(session_id));
  const conversation = useAppState((state) => state.talks.get(session_id)) ?? EMPTY_CONVERSATION;
  const isListed = useAppState((state) => state.isListed);
  const isGone = isListed && session === undefined;
  if (isGone && conversation.entries.length === 0) return <EmptyState>{words.session.gone}</EmptyState>;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ConversationHeader session_id={session_id} onDetails={onDetails} />
      <ConversationHistory session_id={session_id} />
      {isGone || conversation.isClosed ? (
        <Notice meaning="info">{words.session.closed}</Notice>
      ) : (
        <ConversationComposer session_id={session_id} />
      )}
    </div>
  );
}

function useName(session_id: string): string {
  const session = useAppState((state) => state.sessions.get(session_id));
  const { names } = usePreferences();
  return names[session_id] ?? (session ? sessionName(session) : '');
}

function ConversationHeader({ session_id, onDetails }: ConversationPaneProps) {
  const words = useWords();
  const { client, api } = useApp();
  const session = useAppState((state) => state.sessions.get(session_id));
  const name = useName(session_id);
  const [isDeleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = (work: Promise<unknown>, after: () => void = () => {}): void => {
    work.then(after, (error: unknown) => setProblem(problemText(error, words.fault.relay)));
  };
  const doing = session && isWorking(session.activity) ? session.activity : undefined;
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
            {session ? <span className="truncate">{sessionLocation(session)}</span> : null}
            {doing ? (
              <span className="flex min-w-0 items-center gap-1 text-accent">
                <span aria-hidden className="working-dot size-2 shrink-0 rounded-full bg-accent" />
                <span className="truncate">{doing.label || words.activity[doing.kind]}</span>
              </span>
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
  const uploads = useUploads(session_id, api, words.fault.relay);
  const setText = (draft: string): void =>
    preferences.set(({ drafts: { [session_id]: _, ...drafts } }) => ({
      drafts: draft === '' ? drafts : { ...drafts, [session_id]: draft },
    }));
  const canStop = isWorking(session?.activity) && conversation.config?.capabilities?.interrupt !== false;
  const stop =
    canStop || conversation.stop.pending
      ? { isPending: conversation.stop.pending, run: () => client.stop(session_id) }
      : undefined;
  return (
    <>
      {conversation.stop.problem ? (
        <Notice meaning="fail">{words.compose.stopFailed(conversation.stop.problem)}</Notice>
      ) : null}
      {session && isAway(session) ? <Notice meaning="wait">{words.compose.waitsNote}</Notice> : null}
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
      />
    </>
  );
}
