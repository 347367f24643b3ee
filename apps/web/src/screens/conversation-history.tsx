import {
  Button,
  EmptyState,
  MessageRow,
  PromptBar,
  PromptCard,
  QuestionCard,
  SettledNote,
  Transcript,
  useWords,
} from '@drawbridge/ui';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useApp, useAppState, usePreferences } from '../app-context.ts';
import { type Conversation, createConversation, positionOf } from '../state/conversation.ts';
import { type ConversationRow, conversationRows } from '../state/rows.ts';

const EMPTY_CONVERSATION = createConversation();
/** Pages fetched to find the last read entry; beyond them, opens at the oldest one. */
const MOST_PAGES_BACK = 5;

/** True while the last read entry is searched in older pages. */
function useLastRead(session_id: string, conversation: Conversation, readUpTo: string | undefined): boolean {
  const { client } = useApp();
  const [pages, setPages] = useState(0);
  const [isOver, setOver] = useState(false);
  const { state, before } = conversation.history;
  const isMissing = Boolean(readUpTo) && positionOf(conversation, readUpTo ?? '') === undefined;
  const canGoOn = state === 'there' && before !== undefined && pages < MOST_PAGES_BACK;
  const isSeeking = !isOver && isMissing && (canGoOn || (state === 'loading' && pages > 0));
  const isKnown = state === 'there' || state === 'failed';
  useEffect(() => {
    if (isSeeking && canGoOn) {
      setPages((count) => count + 1);
      client.older(session_id);
    }
    if (!isSeeking && isKnown) setOver(true);
  }, [isSeeking, canGoOn, isKnown, client, session_id]);
  return isSeeking;
}

/** Messages, open prompts, and unsent messages. */
export function ConversationHistory({ session_id }: { readonly session_id: string }) {
  const words = useWords();
  const { client, preferences, api } = useApp();
  const conversation = useAppState((state) => state.talks.get(session_id)) ?? EMPTY_CONVERSATION;
  const allPending = useAppState((state) => state.pending);
  const isOnline = useAppState((state) => state.link.kind === 'open');
  const { dropped } = usePreferences();
  const [readUpTo] = useState(() => preferences.get().read[session_id]);
  const isSeeking = useLastRead(session_id, conversation, readUpTo);

  const rows = useMemo(() => {
    const pending = allPending.filter((frame) => frame.session_id === session_id);
    return conversationRows(conversation, { pending, dropped, readUpTo });
  }, [conversation, allPending, dropped, readUpTo, session_id]);

  const onOlder = useCallback(() => client.older(session_id), [client, session_id]);
  const onReload = useCallback(() => client.reload(session_id), [client, session_id]);
  const onAtEnd = useCallback((isAtEnd: boolean) => client.hold(session_id, !isAtEnd), [client, session_id]);
  const last = conversation.entries.at(-1)?.id;
  const onSeenAll = useCallback(() => {
    const { read } = preferences.get();
    if (last !== undefined && read[session_id] !== last)
      preferences.set({ read: { ...read, [session_id]: last } });
  }, [preferences, session_id, last]);
  const actions = useMemo(
    () => ({
      onRetry: client.retry.bind(undefined, session_id),
      onDrop: client.drop.bind(undefined, session_id),
      onCancel: client.cancel.bind(undefined, session_id),
      onEdit: client.edit.bind(undefined, session_id),
      loadFile: api.file,
    }),
    [client, session_id, api],
  );

  const render = (row: ConversationRow) => {
    switch (row.kind) {
      case 'start':
        return <p className="text-center text-meta text-quiet">{words.talk.start}</p>;
      case 'older_failed':
        return (
          <p className="flex flex-wrap items-center justify-center gap-2 text-meta text-quiet">
            {words.talk.failed}
            <Button look="plain" onClick={conversation.history.before === undefined ? onReload : onOlder}>
              {words.talk.again}
            </Button>
          </p>
        );
      case 'unread':
        return (
          <p className="flex items-center gap-3 text-meta text-accent before:h-px before:flex-1 before:bg-accent/40 after:h-px after:flex-1 after:bg-accent/40">
            {words.talk.unread}
          </p>
        );
      case 'prompt':
        return (
          <PromptCard
            prompt={row.prompt}
            answering={row.prompt.answering}
            problem={row.prompt.problem}
            isOnline={isOnline}
            takesReason
            loadPicture={api.promptPicture}
            onAnswer={(choice_id, reason) =>
              client.answerPrompt(session_id, row.prompt.prompt_id, choice_id, reason)
            }
          />
        );
      case 'question':
        return (
          <QuestionCard
            question={row.question}
            isAnswering={row.question.answering === true}
            problem={row.question.problem}
            onAnswer={(values) => client.answerQuestion(session_id, row.question.question_id, values)}
            onDecline={() => client.answerQuestion(session_id, row.question.question_id, undefined)}
          />
        );
      case 'entry':
        return row.entry.kind === 'settled' ? (
          <SettledNote entry={row.entry} />
        ) : (
          <MessageRow
            entry={row.entry}
            isStarted={row.isStarted}
            actions={actions}
            {...(row.looks !== undefined && { looks: row.looks })}
          />
        );
    }
  };

  const waits = [
    ...[...conversation.prompts.values()].map(({ prompt_text }) => prompt_text),
    ...[...conversation.questions.values()].map(({ text }) => text),
  ];
  if (rows.length === 0 || isSeeking) {
    const { state } = conversation.history;
    const said = isSeeking ? words.talk.older : words.list.loading;
    const action =
      state === 'failed' ? (
        <Button look="plain" onClick={onReload}>
          {words.talk.again}
        </Button>
      ) : undefined;
    return (
      <div className="min-h-0 flex-1">
        <EmptyState action={action}>
          {state === 'failed' ? words.talk.failed : state === 'there' && !isSeeking ? words.talk.empty : said}
        </EmptyState>
      </div>
    );
  }
  return (
    <Transcript
      rows={rows}
      render={render}
      // A decision that waits is at the end, and comes before what is unread.
      openAt={waits.length === 0 && rows.some(({ kind }) => kind === 'unread') ? 'unread' : undefined}
      topOf={rows.find(({ kind }) => kind === 'prompt' || kind === 'question')?.key}
      olderBefore={conversation.history.state === 'there' ? conversation.history.before : undefined}
      onOlder={onOlder}
      onSeenAll={onSeenAll}
      onAtEnd={onAtEnd}
      belowNote={
        waits.length === 0
          ? undefined
          : (show) => <PromptBar count={waits.length} text={waits[0] ?? ''} onShow={show} />
      }
    />
  );
}
