import { useMemo, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/use-words.ts';
import { type DiffLine, lineDiff } from './line-diff.ts';

const FIRST_LINES = 60;
const LOOKS = {
  added: { look: 'bg-done-soft', mark: '+', tone: 'text-done' },
  removed: { look: 'bg-fail-soft', mark: '−', tone: 'text-fail' },
  same: { look: '', mark: ' ', tone: 'text-quiet' },
  skipped: { look: 'bg-sunken text-quiet', mark: '⋯', tone: 'text-quiet' },
} as const;

function Line({ line: { kind, text } }: { readonly line: DiffLine }) {
  const words = useWords();
  const { look, mark, tone } = LOOKS[kind];
  return (
    <div className={`flex ${look}`}>
      <span className={`w-5 shrink-0 select-none text-center ${tone}`}>{mark}</span>
      <span className="min-w-0 flex-1 whitespace-pre-wrap pe-2 [overflow-wrap:anywhere]">
        {kind === 'skipped' ? words.talk.lines(Number(text)) : text || ' '}
      </span>
    </div>
  );
}

export interface DiffViewProps {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** One column with wrapped lines, for phones. */
export function DiffView({ path, before, after }: DiffViewProps) {
  const words = useWords();
  const lines = useMemo(() => lineDiff(before ?? '', after), [before, after]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex gap-2 border-b border-line bg-sunken px-3 py-1 text-meta">
        <span className="min-w-0 flex-1 truncate font-mono text-left [direction:rtl]" title={path}>
          <bdi>{path}</bdi>
        </span>
        {before === null ? <span className="text-quiet">{words.talk.newFile}</span> : null}
        <span className="text-done">+{count('added')}</span>
        <span className="text-fail">−{count('removed')}</span>
      </figcaption>
      <div className="font-mono text-[12.5px] leading-[1.5]" dir="ltr">
        {shown.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
          <Line key={at} line={line} />
        ))}
      </div>
      {lines.length > FIRST_LINES ? (
        <Button look="quiet" className="w-full text-meta" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.talk.less : `${words.talk.more} (${words.talk.lines(lines.length - FIRST_LINES)})`}
        </Button>
      ) : null}
    </figure>
  );
}
