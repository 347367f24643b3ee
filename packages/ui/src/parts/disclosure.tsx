import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

export interface DisclosureProps {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
  readonly isOpenFirst?: boolean;
  readonly className?: string;
}

/** Renders its content on first opening: long conversations have thousands that are never opened. */
export function Disclosure({ summary, children, isOpenFirst = false, className = '' }: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-8 w-full items-center gap-2 text-start text-meta text-quiet hover:text-ink"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 transition-transform duration-100 rtl:rotate-180 ${isOpen ? 'rotate-90 rtl:rotate-90' : ''}`}
        />
        {summary}
      </button>
      {isOpen ? children() : null}
    </div>
  );
}
