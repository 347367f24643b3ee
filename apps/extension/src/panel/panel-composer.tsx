import { Button } from '@drawbridge/ui';
import { ArrowUp, CircleStop } from '@drawbridge/ui/icons';
import type { KeyboardEvent } from 'react';
import { usePanelWords } from './words/use-panel-words.ts';

export interface PanelComposerProps {
  readonly text: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  readonly isSending: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Undefined where nothing is done that could be stopped. */
  readonly stop: { readonly isPending: boolean; readonly run: () => void } | undefined;
}

const MAX_ROWS = 6;

/** Says what shall be done, and stops it: both stay usable under a prompt. */
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
      <div className="flex items-end gap-1">
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
        {stop ? (
          <Button
            look="danger"
            disabled={stop.isPending}
            onClick={stop.run}
            icon={<CircleStop size={17} aria-hidden />}
            className="shrink-0 px-2"
          >
            {stop.isPending ? words.compose.stopping : words.compose.stop}
          </Button>
        ) : null}
        <button
          type="submit"
          aria-label={words.compose.send}
          title={words.compose.send}
          disabled={!canSend}
          className="inline-grid size-9 shrink-0 place-items-center rounded-card bg-accent text-on-accent disabled:bg-sunken disabled:text-quiet pointer-coarse:size-11"
        >
          <ArrowUp size={18} aria-hidden />
        </button>
      </div>
    </form>
  );
}
