import { CopyButton, useWords } from '@drawbridge/ui';

/** A command to run elsewhere, with a button that copies it. */
export function CommandLine({ command }: { readonly command: string }) {
  const words = useWords();
  return (
    <div className="flex items-center gap-1 rounded-card bg-sunken ps-3">
      <code className="flex min-w-0 flex-1 flex-wrap gap-x-[1ch] py-1 text-[13px]">
        {/* A line ends between words: the hyphens of an option are no place for it. */}
        {command.split(' ').map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name, and never move.
          <span key={at} className="[overflow-wrap:anywhere]">
            {word}{' '}
          </span>
        ))}
      </code>
      <CopyButton text={command} label={words.launch.copyCommand} />
    </div>
  );
}
