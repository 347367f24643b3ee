import type { ReactNode } from 'react';

/** Teaches the next step in one sentence with one button. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode;
  readonly title?: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-3 px-6 py-12 text-center text-quiet">
      {icon}
      {title ? <h2 className="font-semibold text-ink">{title}</h2> : null}
      <p className="text-balance">{children}</p>
      {action}
    </div>
  );
}
