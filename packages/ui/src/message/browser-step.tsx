import type { MessageDetails } from '@drawbridge/protocol';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import { CircleCheck, CircleHelp, CircleX, LoaderCircle } from 'lucide-react';
import { Disclosure } from '../parts/disclosure.tsx';
import { useWords } from '../words/use-words.ts';
import { type LoadFile, usePicture } from './use-file.ts';

export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

const ICONS = { running: LoaderCircle, ok: CircleCheck, failed: CircleX, unknown: CircleHelp } as const;
const TONES = {
  running: 'text-accent',
  ok: 'text-done',
  failed: 'text-fail',
  unknown: 'text-wait',
} as const;

/** One address if the page stayed the same. */
const wayOf = (from: string | undefined, to: string | undefined): string =>
  [...new Set([from, to].filter(Boolean))].join(' → ');

function Way({ before, after }: Pick<StepDetails, 'before' | 'after'>) {
  if (!before && !after) return null;
  return (
    <p className="text-meta text-quiet [overflow-wrap:anywhere]">
      {wayOf(before?.title, after?.title)}
      <span className="block font-mono text-[12px]">{wayOf(before?.url, after?.url)}</span>
    </p>
  );
}

export function StepMark({ status }: Pick<StepDetails, 'status'>) {
  const Icon = ICONS[status];
  const motion = status === 'running' ? 'working-dot' : '';
  return <Icon size={15} aria-hidden className={`shrink-0 ${TONES[status]} ${motion}`} />;
}

export function StepStatus({ status }: Pick<StepDetails, 'status'>) {
  const words = useWords();
  return <span className={status === 'ok' ? 'sr-only' : TONES[status]}>{words.talk.step[status]}</span>;
}

export interface BrowserStepProps {
  readonly details: StepDetails;
  readonly loadFile: LoadFile;
  /** The whole step in words, where its writer has better ones. */
  readonly sentence?: string;
}

/** A step in the page: action, element and result. */
export function BrowserStep({ details, loadFile, sentence }: BrowserStepProps) {
  const words = useWords();
  const { action, status, subject, thought, thumbnail } = details;
  const small = usePicture(loadFile, thumbnail);
  return (
    <Disclosure
      summary={
        <>
          <StepMark status={status} />
          <span className="min-w-0 flex-1 text-ink [overflow-wrap:anywhere]">
            {sentence ?? stepActionOf(action, subject, words.deed)}
          </span>
          {/* The relay's sentence says “Not done” or “Waits” itself. */}
          {sentence === undefined || status === 'ok' || status === 'unknown' ? (
            <StepStatus status={status} />
          ) : null}
          {small ? (
            <img
              src={small}
              alt=""
              className="h-12 w-16 shrink-0 rounded border border-line bg-sunken object-cover object-top"
            />
          ) : null}
        </>
      }
    >
      {() => (
        <div className="ms-6 flex flex-col gap-2 pb-2">
          {thought ? <p className="text-quiet italic [overflow-wrap:anywhere]">{thought}</p> : null}
          <StepOutcome details={details} loadFile={loadFile} />
        </div>
      )}
    </Disclosure>
  );
}

/** Address, result and screenshot after the step. */
export function StepOutcome({ details, loadFile }: BrowserStepProps) {
  const words = useWords();
  const { action, subject, before, after, changes = [], events = [], error, thumbnail } = details;
  const lines = [...events, ...changes];
  const picture = usePicture(loadFile, thumbnail);
  return (
    <>
      <Way {...(before && { before })} {...(after && { after })} />
      {error ? (
        <p className="text-meta text-fail [overflow-wrap:anywhere]">{words.reason(error.message)}</p>
      ) : null}
      {lines.length > 0 ? (
        <ul className="rounded-md border border-line bg-sunken p-2 font-mono text-[12px]">
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
            <li key={at} className="[overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
      ) : null}
      {picture ? (
        <img
          src={picture}
          alt={subject ?? stepActionOf(action, undefined, words.deed)}
          className="max-h-64 max-w-full self-start rounded-md border border-line"
        />
      ) : null}
    </>
  );
}
