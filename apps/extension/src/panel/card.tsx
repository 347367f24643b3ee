import type { ReactNode } from 'react';

export interface CardProps {
  readonly title: string;
  readonly says?: string;
  readonly children?: ReactNode;
}

export function Card({ title, says, children }: CardProps) {
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface p-4">
      <h2 className="font-semibold">{title}</h2>
      {says ? <p className="mt-0.5 mb-3 text-meta text-quiet">{says}</p> : <div className="mb-2" />}
      {children}
    </section>
  );
}
