import { MessageText } from '@drawbridge/ui';
import { CircleCheck, CircleX } from '@drawbridge/ui/icons';
import type { ConversationRow } from '../conversation/rows.ts';
import type { PanelWords } from '../words/en.ts';
import { usePanelWords } from '../words/use-panel-words.ts';

const MINUTE_MS = 60_000;

const timeText = (ms: number, { task }: PanelWords): string =>
  ms < MINUTE_MS
    ? task.seconds(Math.max(1, Math.round(ms / 1_000)))
    : task.minutes(Math.round(ms / MINUTE_MS));

/** INT-166: the final message of the task. */
export function ResultCard({ row }: { readonly row: Extract<ConversationRow, { kind: 'result' }> }) {
  const words = usePanelWords();
  const { isDone, text, steps, ms } = row;
  const Icon = isDone ? CircleCheck : CircleX;
  return (
    <section
      aria-label={isDone ? words.task.done : words.task.ended}
      className={`rounded-card border p-3 ${isDone ? 'border-done/40 bg-done-soft' : 'border-fail/40 bg-fail-soft'}`}
    >
      <h3 className={`flex items-center gap-2 font-semibold ${isDone ? 'text-done' : 'text-fail'}`}>
        <Icon size={17} aria-hidden />
        {isDone ? words.task.done : words.task.ended}
      </h3>
      {text ? (
        <div className="mt-1">
          <MessageText text={text} />
        </div>
      ) : null}
      {steps !== undefined && ms !== undefined ? (
        <p className="mt-1 text-meta text-quiet">{words.task.doneSays(steps, timeText(ms, words))}</p>
      ) : null}
    </section>
  );
}
