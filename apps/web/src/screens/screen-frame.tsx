import { IconButton, useWords } from '@drawbridge/ui';
import { ArrowLeft } from '@drawbridge/ui/icons';
import type { ReactNode } from 'react';
import { navigate } from '../route.ts';

export interface ScreenFrameProps {
  readonly title: string;
  readonly says?: string;
  /** Places cards side by side on wide screens. */
  readonly hasColumns?: boolean;
  readonly children: ReactNode;
}

const COLUMNS = 'huge:block huge:max-w-6xl huge:columns-2 huge:*:mb-4 huge:*:break-inside-avoid';

export function ScreenFrame({ title, says, hasColumns = false, children }: ScreenFrameProps) {
  const words = useWords();
  return (
    <div className="h-full overflow-y-auto">
      <div
        className={`mx-auto flex max-w-3xl flex-col gap-4 px-4 pt-2 pb-8 desk:pt-6 ${hasColumns ? COLUMNS : ''}`}
      >
        <header className="flex items-start gap-1 [column-span:all]">
          <IconButton
            className="-ms-2 desk:hidden"
            label={words.session.back}
            icon={<ArrowLeft size={20} aria-hidden className="rtl:rotate-180" />}
            onClick={() => navigate('/')}
          />
          <div className="pt-1.5">
            <h1 className="text-[17px] font-semibold">{title}</h1>
            {says ? <p className="mt-1 text-quiet">{says}</p> : null}
          </div>
        </header>
        {children}
      </div>
    </div>
  );
}

export function Card({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-surface p-4">
      {title ? <h2 className="mb-2 font-semibold">{title}</h2> : null}
      {children}
    </section>
  );
}
