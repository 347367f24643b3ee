import { CircleCheck, CircleX, TimerOff } from 'lucide-react';
import { headlineOf } from '../prompt/read-prompt.ts';
import { useWords } from '../words/use-words.ts';
import type { SettledEntry } from './entry.ts';

/** A prompt's outcome and who decided it, shown where the prompt was. */
export function SettledNote({ entry: { text, outcome } }: { readonly entry: SettledEntry }) {
  const words = useWords();
  const isAnswered = outcome.how === 'answered';
  const Icon = isAnswered ? (outcome.allows ? CircleCheck : CircleX) : TimerOff;
  const tone = isAnswered ? (outcome.allows ? 'text-done' : 'text-fail') : 'text-quiet';
  return (
    <p className="flex items-start gap-2 text-meta text-quiet">
      <Icon size={15} aria-hidden className={`mt-0.5 shrink-0 ${tone}`} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {headlineOf(text, words)}{' '}
        <span className="text-ink">
          {isAnswered ? words.prompt.answered(outcome.by, outcome.choice) : expired()}
        </span>
      </span>
    </p>
  );

  function expired(): string {
    return outcome.how === 'expired' && outcome.choice
      ? words.prompt.expiredWith(outcome.choice)
      : words.prompt.expired;
  }
}
