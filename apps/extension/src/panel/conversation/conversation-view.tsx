import type { TaskQuestion } from '@drawbridge/runtime/task';
import {
  clockTime,
  exactTime,
  type LoadPicture,
  MessageText,
  PromptBar,
  PromptCard,
  Transcript,
  useWords,
} from '@drawbridge/ui';
import type { ReactNode } from 'react';
import type { AskedPrompt } from '../approval/approvals-fold.ts';
import { ResultCard } from '../task/result-card.tsx';
import { TaskQuestionCard } from '../task/task-question.tsx';
import { usePanelWords } from '../words/use-panel-words.ts';
import type { ConversationRow } from './rows.ts';
import { TurnView } from './turn-view.tsx';

export interface ConversationViewProps {
  readonly tabId: number;
  readonly rows: readonly ConversationRow[];
  readonly prompts: readonly AskedPrompt[];
  readonly question: TaskQuestion | undefined;
  readonly isOnline: boolean;
  readonly onAnswer: (prompt_id: string, choice_id: string, reason?: string) => void;
  readonly loadPicture: LoadPicture | undefined;
  readonly onShow: ((elementId: string) => void) | undefined;
  readonly onShowAt: (origin: string) => ((elementId: string) => void) | undefined;
}

type ShownRow =
  | ConversationRow
  | { readonly kind: 'prompt'; readonly key: string; readonly prompt: AskedPrompt }
  | { readonly kind: 'question'; readonly key: string; readonly question: TaskQuestion };

const nothing = (): void => {};

/** Messages and steps, followed by open questions. */
export function ConversationView(props: ConversationViewProps) {
  const { tabId, rows, prompts, question, isOnline, onAnswer, loadPicture, onShow, onShowAt } = props;
  const shown: readonly ShownRow[] = [
    ...rows,
    ...(question ? [{ kind: 'question', key: `question ${question.text}`, question } as const] : []),
    ...prompts.map((prompt) => ({ kind: 'prompt', key: `prompt ${prompt.prompt_id}`, prompt }) as const),
  ];
  const render = (row: ShownRow): ReactNode => {
    switch (row.kind) {
      case 'user':
        return <SentMessage row={row} />;
      case 'agent':
        return <ReceivedMessage row={row} />;
      case 'note':
        return <p className="text-center text-meta text-quiet [overflow-wrap:anywhere]">{row.text}</p>;
      case 'turn':
        return <TurnView turn={row.turn} onShow={row.isCurrent ? onShow : undefined} />;
      case 'result':
        return <ResultCard row={row} />;
      case 'question':
        return <TaskQuestionCard tabId={tabId} question={row.question} />;
      case 'prompt': {
        const { prompt_id, answering, problem } = row.prompt;
        return (
          <PromptCard
            prompt={row.prompt}
            answering={answering}
            problem={problem}
            isOnline={isOnline}
            takesReason
            loadPicture={loadPicture}
            onAnswer={(choice, reason) => onAnswer(prompt_id, choice, reason)}
            onShow={onShowAt}
          />
        );
      }
    }
  };
  const waiting = [...prompts.map(({ prompt_text }) => prompt_text), ...(question ? [question.text] : [])];
  return (
    <Transcript
      rows={shown}
      render={render}
      openAt={undefined}
      onSeenAll={nothing}
      belowNote={
        waiting.length === 0
          ? undefined
          : (show) => <PromptBar count={waiting.length} text={waiting[0] ?? ''} onShow={show} />
      }
    />
  );
}

type SentRow = Extract<ConversationRow, { kind: 'user' | 'agent' | 'note' }>;

/** INT-167: the person's messages on the right, in the accent colour. */
function SentMessage({ row: { text, at } }: { readonly row: SentRow }) {
  const ui = useWords();
  const words = usePanelWords();
  return (
    <article
      data-role="user"
      aria-label={words.turn.you}
      className="ms-auto flex max-w-[88%] flex-col items-end gap-0.5"
    >
      <p
        dir="auto"
        className="max-w-full rounded-2xl rounded-ee-md bg-accent-soft px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </p>
      <p className="text-[12px] text-quiet">
        <time dateTime={new Date(at).toISOString()} title={exactTime(at, ui)}>
          {clockTime(at, ui)}
        </time>
      </p>
    </article>
  );
}

/** The agent's messages on the left, on the plain background. */
function ReceivedMessage({ row: { text, at } }: { readonly row: SentRow }) {
  const ui = useWords();
  const words = usePanelWords();
  return (
    <article
      data-role="agent"
      aria-label={words.turn.agent}
      title={exactTime(at, ui)}
      className="me-auto max-w-[92%] w-fit rounded-2xl rounded-es-md border border-line bg-surface px-3 py-2"
    >
      <MessageText text={text} />
    </article>
  );
}
