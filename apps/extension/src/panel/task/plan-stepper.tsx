import type { Plan } from '@drawbridge/protocol';
import { Check, Circle, CircleDot, X } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { usePanelWords } from '../words/use-panel-words.ts';

type StepPosition = 'past' | 'current' | 'future';

/** Dimmed and grey texts keep a contrast of 4.5 : 1. */
const LOOKS: Readonly<Record<StepPosition, string>> = {
  past: 'opacity-75',
  current: 'rounded-md bg-accent-soft font-semibold',
  future: 'text-quiet',
};
const MOST_SHOWN = 5;

export interface PlanStepperProps {
  readonly plan: Plan | undefined;
  readonly isOver: boolean;
  /** A question below needs the room. */
  readonly isTight: boolean;
}

/** INT-164, INT-165 */
export function PlanStepper({ plan, isOver, isTight }: PlanStepperProps) {
  const words = usePanelWords();
  const steps = plan?.steps ?? [];
  const [isWhole, setWhole] = useState<boolean>();
  if (plan === undefined || steps.length === 0) return isOver ? null : <Planning />;
  const current = plan.currentStepIndex;
  const isShownWhole = isWhole ?? (!isOver && !isTight && steps.length <= MOST_SHOWN);
  const placeOf = (at: number): StepPosition =>
    isOver && steps[at]?.status === 'completed'
      ? 'past'
      : at < current
        ? 'past'
        : at > current
          ? 'future'
          : 'current';
  const shown = steps
    .map((step, at) => ({ step, at }))
    .filter(({ at }) => isShownWhole || (!isOver && at === current));
  return (
    <section aria-label={words.plan.title} className="px-3 pb-2">
      <div className="flex items-center justify-between text-[12px] text-quiet">
        <span className="tabular-nums">
          {words.plan.title} · {words.plan.place(Math.min(current + 1, steps.length), steps.length)}
        </span>
        {steps.length > 1 ? (
          <button
            type="button"
            aria-expanded={isShownWhole}
            onClick={() => setWhole(!isShownWhole)}
            className="min-h-6 shrink-0 text-accent underline underline-offset-2 pointer-coarse:min-h-9"
          >
            {isShownWhole ? words.plan.hide : words.plan.show}
          </button>
        ) : null}
      </div>
      <ol className="mt-1 flex max-h-48 flex-col overflow-y-auto">
        {shown.map(({ step, at }) => (
          <Step
            key={step.id}
            text={step.description}
            why={step.reasoning}
            position={placeOf(at)}
            isFailed={step.status === 'failed'}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly text: string;
  readonly why: string | undefined;
  readonly position: StepPosition;
  readonly isFailed: boolean;
}

function Step({ text, why, position, isFailed }: StepProps) {
  const words = usePanelWords();
  const Icon = isFailed ? X : position === 'past' ? Check : position === 'current' ? CircleDot : Circle;
  const tone = isFailed
    ? 'text-fail'
    : position === 'past'
      ? 'text-done'
      : position === 'current'
        ? 'text-accent'
        : 'text-quiet';
  return (
    <li
      data-place={position}
      aria-current={position === 'current' ? 'step' : undefined}
      title={why}
      className={`flex gap-2 px-1.5 py-0.5 text-meta ${LOOKS[position]}`}
    >
      <Icon size={15} aria-hidden className={`mt-[2px] shrink-0 ${tone}`} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {text}
        <span className="sr-only"> ({isFailed ? words.plan.failed : words.plan[position]})</span>
      </span>
    </li>
  );
}

function Planning() {
  const words = usePanelWords();
  return (
    <section aria-label={words.plan.title} className="px-3 pb-2" data-skeleton>
      <p role="status" className="text-meta text-quiet">
        {words.plan.planning}
      </p>
      <div aria-hidden className="working-dot mt-1 flex flex-col gap-1.5">
        {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
          <span key={width} className={`h-2.5 rounded-full bg-sunken ${width}`} />
        ))}
      </div>
    </section>
  );
}
