import { CopyButton, useWords } from '@drawbridge/ui';

/** A command to run elsewhere, with a button that copies it. */
export function CommandLine({ command }: { readonly command: string }) {
  const words = useWords();
  return (
    <div className="flex items-center gap-1 rounded-card bg-sunken ps-3">
      <code className="min-w-0 flex-1 py-1 text-[13px] [overflow-wrap:anywhere]">{command}</code>
      <CopyButton text={command} label={words.launch.copyCommand} />
    </div>
  );
}
