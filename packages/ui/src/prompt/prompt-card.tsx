import { ShieldAlert } from 'lucide-react';
import type { OpenPrompt } from '../message/entry.ts';
import { Button } from '../parts/button.tsx';
import { useNow } from '../parts/time-ago.tsx';
import { relative } from '../time-words.ts';
import { useWords } from '../words/use-words.ts';
import { useArmed } from './use-armed.ts';

export interface PromptCardProps {
  readonly prompt: OpenPrompt;
  readonly answering?: string | undefined;
  readonly trouble?: string | undefined;
  readonly isOnline: boolean;
  readonly onAnswer: (choice_id: string) => void;
}

/** What denies stands first, what allows last: the thumb rests far from it. */
const allowsLast = (choices: OpenPrompt['choices']): OpenPrompt['choices'] =>
  choices.toSorted((a, b) => Number(a.effect === 'allow') - Number(b.effect === 'allow'));

/**
 * Shows exactly what was asked, as text: nothing that it says is markup (CHT-228). Its buttons take a moment to arm, so
 * that a tap meant for something else decides nothing.
 */
export function PromptCard({ prompt, answering, trouble, isOnline, onAnswer }: PromptCardProps) {
  const words = useWords();
  const now = useNow();
  const isArmed = useArmed(`${prompt.prompt_id} ${prompt.detected_at}`);
  const [headline = '', ...lines] = prompt.prompt_text.split('\n');
  const isLocked = !isArmed || answering !== undefined || !isOnline;
  return (
    <section
      aria-label={words.prompt.title}
      className="overflow-hidden rounded-card border border-wait-line bg-surface"
    >
      <header className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 text-meta font-medium text-wait">
        <ShieldAlert size={16} aria-hidden />
        <span className="flex-1">{words.prompt.title}</span>
        {prompt.expires_at ? (
          <span>{words.prompt.runsOut(relative(Date.parse(prompt.expires_at), now, words))}</span>
        ) : null}
      </header>
      <div className="p-3">
        <p dir="auto" className="font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">
          {headline}
        </p>
        {lines.length > 0 ? (
          <p
            dir="auto"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            tabIndex={0}
            className="mt-2 max-h-64 overflow-auto rounded-md bg-sunken p-2 font-mono text-meta whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {lines.join('\n')}
          </p>
        ) : null}
        {trouble ? <p className="mt-2 text-meta text-fail">{words.prompt.failed(trouble)}</p> : null}
        {isOnline ? null : <p className="mt-2 text-meta text-wait">{words.link.down}</p>}
        <div className="mt-3 flex flex-wrap gap-2">
          {allowsLast(prompt.choices).map(({ choice_id, label, effect }) => (
            <Button
              key={choice_id}
              look={effect === 'allow' ? 'primary' : effect === 'deny' ? 'danger' : 'plain'}
              aria-disabled={isLocked}
              data-armed={!isLocked}
              className={`min-w-24 flex-1 transition-opacity [overflow-wrap:anywhere] ${isLocked ? 'opacity-60' : ''}`}
              onClick={() => {
                if (!isLocked) onAnswer(choice_id);
              }}
            >
              {label}
            </Button>
          ))}
        </div>
        {answering === undefined ? null : (
          <p role="status" className="mt-2 text-meta text-quiet">
            {words.prompt.sending}
          </p>
        )}
      </div>
    </section>
  );
}
