import { stepActionOf } from '@drawbridge/protocol/sentences';
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { useWords } from '../words/use-words.ts';
import {
  type BrowserStepProps,
  type StepDetails,
  StepMark,
  StepOutcome,
  StepStatus,
} from './browser-step.tsx';

const STEP_MS = 1_500;

export interface StepPlayerProps extends Pick<BrowserStepProps, 'loadFile'> {
  readonly steps: readonly StepDetails[];
}

const focused = (node: HTMLElement | null): void => node?.focus();

/** Shows the steps of a task one by one, timed or by hand. */
export function StepPlayer({ steps, loadFile }: StepPlayerProps) {
  const words = useWords();
  const last = steps.length - 1;
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => {
      setAt(at + 1);
      setPlaying(at + 1 < last);
    }, STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at, last]);
  const step = steps[at];
  if (step === undefined) return null;
  const { action, subject, status, thought } = step;
  const move = (by: number): void => {
    setPlaying(false);
    setAt(Math.max(0, Math.min(last, at + by)));
  };
  const toggle = (): void => {
    if (at === last) setAt(0);
    setPlaying(!isPlaying && last > 0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  };
  // A disabled button would lose the focus, and the arrow keys with it.
  const ended = (isEnded: boolean) => ({ 'aria-disabled': isEnded, className: isEnded ? 'opacity-60' : '' });
  return (
    <section
      aria-label={words.replay.title}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-2 rounded-card border border-line p-3"
    >
      <div className="flex items-center gap-1">
        <IconButton
          label={words.replay.previous}
          icon={<ChevronLeft size={18} aria-hidden />}
          onClick={() => move(-1)}
          {...ended(at === 0)}
        />
        <IconButton
          ref={focused}
          label={isPlaying ? words.replay.pause : words.replay.play}
          icon={isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
          onClick={toggle}
        />
        <IconButton
          label={words.replay.next}
          icon={<ChevronRight size={18} aria-hidden />}
          onClick={() => move(1)}
          {...ended(at === last)}
        />
      </div>
      <p aria-live="polite" aria-atomic className="flex flex-wrap items-center gap-x-2">
        <span className="w-full text-meta text-quiet tabular-nums">
          {words.replay.place(at + 1, steps.length)}
        </span>
        <StepMark status={status} />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          {stepActionOf(action, subject, words.deed)}
        </span>
        <StepStatus status={status} />
      </p>
      {thought ? (
        <Disclosure summary={words.talk.thought}>
          {() => <p className="ms-6 text-quiet italic [overflow-wrap:anywhere]">{thought}</p>}
        </Disclosure>
      ) : null}
      <StepOutcome details={step} loadFile={loadFile} />
    </section>
  );
}
