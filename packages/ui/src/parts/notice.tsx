import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const MEANINGS = {
  wait: { look: 'bg-wait-soft text-wait', Icon: TriangleAlert },
  fail: { look: 'bg-fail-soft text-fail', Icon: CircleX },
  done: { look: 'bg-done-soft text-done', Icon: CircleCheck },
  info: { look: 'bg-sunken text-quiet', Icon: Info },
} as const;

export interface NoticeProps {
  readonly meaning: keyof typeof MEANINGS;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}

/** One sentence with an icon: never colour alone. */
export function Notice({ meaning, children, action, className = '' }: NoticeProps) {
  const { look, Icon } = MEANINGS[meaning];
  return (
    <div
      role="status"
      className={`flex gap-2 px-3 py-2 text-meta ${action ? 'items-center' : 'items-start'} ${look} ${className}`}
    >
      <Icon size={16} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0 grow basis-0 [overflow-wrap:anywhere]">{children}</div>
      {action}
    </div>
  );
}
