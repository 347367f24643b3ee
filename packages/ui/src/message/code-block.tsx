import { CopyButton } from '../parts/copy-button.tsx';
import { useWords } from '../words/use-words.ts';

/** Scrolls sideways itself, so the page never does. */
export function CodeBlock({
  text,
  language,
  className = '',
}: {
  text: string;
  language?: string;
  className?: string;
}) {
  const words = useWords();
  return (
    <div className={`group relative overflow-hidden rounded-md border border-line bg-sunken ${className}`}>
      <div className="flex items-center justify-between ps-3 text-meta text-quiet">
        <span className="truncate font-mono text-[12px]">{language ?? ''}</span>
        <CopyButton text={text} label={words.talk.copyCode} className="size-8 pointer-coarse:size-9" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} className="max-h-96 overflow-auto px-3 pb-3 font-mono text-meta">
        <code>{text}</code>
      </pre>
    </div>
  );
}
