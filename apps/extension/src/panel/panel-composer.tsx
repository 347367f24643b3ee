import { SendAndStop, type SendAndStopProps } from '@drawbridge/ui';
import type { KeyboardEvent } from 'react';
import { usePanelWords } from './words/use-panel-words.ts';

export interface PanelComposerProps {
  readonly text: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  readonly isSending: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Undefined while there is nothing to stop. */
  readonly stop: SendAndStopProps['stop'];
}

const MAX_ROWS = 6;

/** Sends tasks and messages, and stops: both stay usable under a prompt. */
export function PanelComposer(props: PanelComposerProps) {
  const { text, placeholder, isDisabled, isSending, onText, onSend, stop } = props;
  const words = usePanelWords();
  const canSend = !isDisabled && !isSending && text.trim() !== '';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  return (
    <form
      className="border-t border-line bg-surface p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <div className="flex items-end gap-2">
        <textarea
          aria-label={words.compose.label}
          placeholder={placeholder}
          dir="auto"
          rows={Math.min(MAX_ROWS, text.split('\n').length)}
          value={text}
          disabled={isDisabled}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={onKeyDown}
          className="max-h-40 min-h-9 min-w-0 flex-1 resize-none rounded-card border border-line-strong bg-ground px-3 py-[7px] [field-sizing:content] placeholder:overflow-hidden placeholder:text-nowrap placeholder:text-ellipsis disabled:opacity-60 pointer-coarse:min-h-11"
        />
        <SendAndStop canSend={canSend} stop={stop} />
      </div>
    </form>
  );
}
