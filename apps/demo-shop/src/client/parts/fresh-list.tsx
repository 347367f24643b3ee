import { type ReactNode, useLayoutEffect, useRef } from 'react';

/**
 * A list whose nodes are new after every render, as when a site builds keys from an index or a clock. Only
 * focus is kept: an element with `data-focus` gets it back in its new node.
 */
export function FreshList({ className, children }: { className: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const renders = useRef(0);
  renders.current += 1;

  const focused = focusName(frame.current);
  useLayoutEffect(() => {
    if (focused === undefined) return;
    frame.current?.querySelector<HTMLElement>(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
  });

  return (
    <div ref={frame}>
      <ul key={renders.current} className={className}>
        {children}
      </ul>
    </div>
  );
}

function focusName(frame: HTMLElement | null): string | undefined {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && frame?.contains(activeElement)
    ? activeElement.dataset['focus']
    : undefined;
}
