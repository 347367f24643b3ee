import type { MessageDetails } from '@drawbridge/protocol';
import { Circle, CircleCheck, CircleDot, CircleX } from 'lucide-react';
import { useWords } from '../words/use-words.ts';

export type PlanDetails = Extract<MessageDetails, { kind: 'plan' }>;

const ICONS = { pending: Circle, active: CircleDot, completed: CircleCheck, failed: CircleX } as const;
const TONES = {
  pending: 'text-quiet',
  active: 'text-accent',
  completed: 'text-done',
  failed: 'text-fail',
} as const;

export function PlanSteps({ steps }: Pick<PlanDetails, 'steps'>) {
  const words = useWords();
  const done = steps.filter(({ status }) => status === 'completed').length;
  return (
    <div>
      <p className="mb-1 text-meta text-quiet">{words.talk.stepDone(done, steps.length)}</p>
      <ol className="flex flex-col gap-1">
        {steps.map(({ text, status }, at) => {
          const Icon = ICONS[status];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a plan's steps are known by their place.
            <li key={at} className="flex gap-2" aria-current={status === 'active' ? 'step' : undefined}>
              <Icon size={16} aria-hidden className={`mt-[3px] shrink-0 ${TONES[status]}`} />
              <span
                className={`min-w-0 [overflow-wrap:anywhere] ${status === 'active' ? 'font-semibold' : status === 'completed' ? 'text-quiet' : ''}`}
              >
                {text}
                <span className="sr-only"> ({words.talk.planStep[status]})</span>
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
