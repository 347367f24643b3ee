import { ShieldAlert } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/use-words.ts';
import { headlineOf } from './read-prompt.ts';

/** Sticks above the composer while a decision waits further up. Only scrolls to it. */
export function PromptBar({ count, text, onShow }: { count: number; text: string; onShow: () => void }) {
  const words = useWords();
  return (
    <div className="flex items-center gap-2 border-t border-wait-line bg-wait-soft px-3 py-1.5 text-meta text-wait">
      <ShieldAlert size={16} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1 truncate">
        <strong className="font-semibold">{words.prompt.bar(count)}</strong> {headlineOf(text, words)}
      </p>
      <Button className="min-h-8 shrink-0 px-2 text-meta" onClick={onShow}>
        {words.prompt.show}
      </Button>
    </div>
  );
}
