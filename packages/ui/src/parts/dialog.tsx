import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useWords } from '../words/use-words.ts';
import { Button, IconButton } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

const FIRST = 'input:not([type="radio"]), select, textarea, [data-first]';

/** Slides up from the bottom on a phone, centred elsewhere. Escape and the backdrop close it. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const words = useWords();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // React's autoFocus runs before the dialog opens, which then focuses its first button.
    dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself.
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={`mx-auto mt-auto mb-0 max-h-[90dvh] w-full max-w-full overflow-y-auto rounded-t-2xl border border-line bg-surface p-0 sm:my-auto sm:rounded-card ${isWide ? 'sm:max-w-2xl' : 'sm:max-w-md'}`}
    >
      <div className="p-4 pb-[max(16px,env(safe-area-inset-bottom))]">
        <div className="mb-3 flex items-center justify-between gap-2">
          <h2 id={id} className="text-[17px] font-semibold [overflow-wrap:anywhere]">
            {title}
          </h2>
          <IconButton label={words.act.close} icon={<X size={18} aria-hidden />} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

export interface ConfirmProps {
  readonly title: string;
  readonly says: string;
  readonly action: string;
  readonly look?: 'danger' | 'primary';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, says, action, look = 'danger', onConfirm, onClose }: ConfirmProps) {
  const words = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-quiet">{says}</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button data-first onClick={onClose}>
          {words.act.cancel}
        </Button>
        <Button
          look={look}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
