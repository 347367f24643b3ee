import type { MessageDetails } from '@drawbridge/protocol';
import { CircleCheck, CircleHelp, CircleX, LoaderCircle } from 'lucide-react';
import { Disclosure } from '../parts/disclosure.tsx';
import { useWords } from '../words/use-words.ts';

export type StepDetails = Extract<MessageDetails, { kind: 'step' }>;

const ICONS = { running: LoaderCircle, ok: CircleCheck, failed: CircleX, unknown: CircleHelp } as const;
const TONES = {
  running: 'text-accent working-dot',
  ok: 'text-done',
  failed: 'text-fail',
  unknown: 'text-wait',
} as const;

const placeOf = (place: StepDetails['before']): string => place?.title || place?.url || '';

function Changed({ before, after }: Pick<StepDetails, 'before' | 'after'>) {
  if (!before && !after) return null;
  const isSame = placeOf(before) === placeOf(after);
  return (
    <p className="text-meta text-quiet [overflow-wrap:anywhere]">
      {isSame ? placeOf(after) : `${placeOf(before)} → ${placeOf(after)}`}
      {after?.url ? <span className="block font-mono text-[12px]">{after.url}</span> : null}
    </p>
  );
}

/** What was done in the page, to what, and what came of it. */
export function BrowserStep({
  details,
  fileUrl,
}: {
  details: StepDetails;
  fileUrl: (file_id: string) => string;
}) {
  const words = useWords();
  const { index, action, status, subject, thought, changes = [], events = [], error, thumbnail } = details;
  const Icon = ICONS[status];
  return (
    <Disclosure
      summary={
        <>
          <Icon size={15} aria-hidden className={`shrink-0 ${TONES[status]}`} />
          <span className="min-w-0 flex-1 truncate">
            <span className="tabular-nums">{index + 1}. </span>
            <span className="text-ink">{subject ?? action}</span>
            {subject ? <span className="font-mono text-[12px]"> {action}</span> : null}
          </span>
          <span className={status === 'ok' ? 'sr-only' : TONES[status]}>{words.talk.step[status]}</span>
        </>
      }
    >
      {() => (
        <div className="ms-6 flex flex-col gap-2 pb-2">
          {thought ? <p className="text-quiet italic [overflow-wrap:anywhere]">{thought}</p> : null}
          <Changed
            {...(details.before && { before: details.before })}
            {...(details.after && { after: details.after })}
          />
          {error ? <p className="text-meta text-fail [overflow-wrap:anywhere]">{error.message}</p> : null}
          {[...events, ...changes].length > 0 ? (
            <ul className="rounded-md border border-line bg-sunken p-2 font-mono text-[12px]">
              {[...events, ...changes].map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
                <li key={at} className="[overflow-wrap:anywhere]">
                  {line}
                </li>
              ))}
            </ul>
          ) : null}
          {thumbnail ? (
            <img
              src={fileUrl(thumbnail)}
              alt={subject ?? action}
              loading="lazy"
              className="max-h-64 self-start rounded-md border border-line"
            />
          ) : null}
        </div>
      )}
    </Disclosure>
  );
}
