import { ArrowUp, CircleStop } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/use-words.ts';

export interface SendAndStopProps {
  readonly canSend: boolean;
  /** Undefined while there is nothing to stop. */
  readonly stop: { readonly isPending: boolean; readonly run: () => void } | undefined;
}

/** The end of a composer's line; sending is the form's submit. */
export function SendAndStop({ canSend, stop }: SendAndStopProps) {
  const words = useWords().compose;
  return (
    <>
      {stop ? (
        <Button
          look="danger"
          disabled={stop.isPending}
          onClick={stop.run}
          icon={<CircleStop size={17} aria-hidden />}
          className="shrink-0 px-2"
        >
          {stop.isPending ? words.stopping : words.stop}
        </Button>
      ) : null}
      <button
        type="submit"
        aria-label={words.send}
        title={words.send}
        disabled={!canSend}
        className="inline-grid size-9 shrink-0 place-items-center rounded-card bg-accent text-on-accent disabled:bg-sunken disabled:text-quiet pointer-coarse:size-11"
      >
        <ArrowUp size={18} aria-hidden />
      </button>
    </>
  );
}
