import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { IconButton } from './button.tsx';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label, className }: { text: string; label?: string; className?: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <IconButton
      label={isCopied ? words.talk.copied : (label ?? words.talk.copy)}
      icon={isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      onClick={copy}
      {...(className && { className })}
    />
  );
}
