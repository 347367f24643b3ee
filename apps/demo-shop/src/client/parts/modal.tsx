import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

type ModalProps = { name: string; onClose: () => void; children: ReactNode };

/** A typical modal: a box over a covered page, which stays in the document and is not inert. */
export function Modal({ name, onClose, children }: ModalProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? holdFocus(box.current) : undefined), []);

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <div className="cover" data-testid="cover">
      <div
        className="modal"
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-labelledby="modal-name"
        tabIndex={-1}
        onKeyDown={closeOnEscape}
      >
        <header className="row">
          <h2 id="modal-name">{name}</h2>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </header>
        {children}
      </div>
    </div>
  );
}

/** Watches focus instead of the Tab key: a Tab out of another origin's frame is invisible here. */
function holdFocus(box: HTMLElement): () => void {
  const opener = document.activeElement;
  const holdBack = (event: FocusEvent) => {
    if (event.target instanceof Node && !box.contains(event.target)) box.focus();
  };
  box.focus();
  document.addEventListener('focusin', holdBack);
  return () => {
    document.removeEventListener('focusin', holdBack);
    if (opener instanceof HTMLElement) opener.focus();
  };
}
