import type { TaskQuestion } from '@drawbridge/runtime/task';
import { Button, Notice, TextAreaField } from '@drawbridge/ui';
import { MessageCircleQuestion } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { useCommand } from '../use-command.ts';
import { usePanelWords } from '../words/use-panel-words.ts';

/** Servers send missing facts as text or as an object with text. */
export function missingText(missing: unknown): string {
  if (typeof missing === 'string') return missing;
  if (typeof missing !== 'object' || missing === null) return String(missing);
  const named = ['description', 'label', 'question', 'field', 'name', 'type']
    .map((key) => Reflect.get(missing, key))
    .find((value) => typeof value === 'string' && value !== '');
  return typeof named === 'string' ? named : JSON.stringify(missing);
}

/** INT-169 */
export function TaskQuestionCard({
  tabId,
  question,
}: {
  readonly tabId: number;
  readonly question: TaskQuestion;
}) {
  const words = usePanelWords();
  const { run, doing, problem } = useCommand();
  const [answer, setAnswer] = useState('');
  const { text, missing = [] } = question;
  const isEmpty = answer.trim() === '';
  return (
    <form
      aria-label={words.question.title}
      className="overflow-hidden rounded-card border border-wait-line bg-surface"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty || doing) return;
        void run({ do: 'say', tabId, text: answer }).then((isSaid) => isSaid && setAnswer(''));
      }}
    >
      <header className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 text-meta font-medium text-wait">
        <MessageCircleQuestion size={16} aria-hidden />
        {words.question.title}
      </header>
      <div className="flex flex-col gap-2 p-3">
        <p dir="auto" className="font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
        {missing.length > 0 ? (
          <div className="text-meta">
            <p className="text-quiet">{words.question.missing}</p>
            <ul className="list-disc ps-5">
              {missing.map((each, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and never move.
                <li key={at} className="[overflow-wrap:anywhere]">
                  {missingText(each)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        <TextAreaField
          label={words.question.answer}
          rows={2}
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
        {problem ? (
          <Notice meaning="fail" className="rounded-md">
            {words.task.failed(problem)}
          </Notice>
        ) : null}
        <Button look="primary" type="submit" disabled={isEmpty || doing !== undefined}>
          {doing ? words.question.sending : words.question.send}
        </Button>
      </div>
    </form>
  );
}
