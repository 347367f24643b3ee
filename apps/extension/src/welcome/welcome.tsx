import { Button, EmptyState } from '@drawbridge/ui';
import { Ban, CircleCheck } from '@drawbridge/ui/icons';
import type { ReactNode } from 'react';
import { PairForm } from '../options/pairing-card.tsx';
import { Card } from '../panel/card.tsx';
import { usePage, useWorker } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import { AskPicture, LendPicture, SeePicture, StopPicture } from './pictures.tsx';

/** Shown once after installing: abilities, limits, and pairing. */
export function Welcome() {
  const { welcome, options } = usePanelWords();
  const { ports } = usePage();
  const { state } = useWorker();
  if (state === undefined) return <EmptyState>{options.loading}</EmptyState>;
  const isUnpaired = state.relay.kind === 'unpaired' || state.relay.kind === 'refused';
  return (
    <main className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-8">
      <header>
        <h1 className="text-[24px] font-semibold">{welcome.title}</h1>
        <p className="mt-1 text-quiet">{welcome.says}</p>
      </header>
      <ol className="grid gap-4 sm:grid-cols-2">
        <Step at={1} picture={<LendPicture />} title={welcome.lendTitle} says={welcome.lend} />
        <Step at={2} picture={<SeePicture />} title={welcome.seeTitle} says={welcome.see} />
        <Step at={3} picture={<AskPicture />} title={welcome.askTitle} says={welcome.ask} />
        <Step at={4} picture={<StopPicture />} title={welcome.stopTitle} says={welcome.stop} />
      </ol>
      <Card title={welcome.neverTitle}>
        <ul className="flex flex-col gap-2">
          {welcome.never.map((line) => (
            <li key={line} className="flex gap-2">
              <Ban size={16} aria-hidden className="mt-1 shrink-0 text-fail" />
              {line}
            </li>
          ))}
        </ul>
      </Card>
      <Card title={welcome.pairTitle}>
        {isUnpaired ? (
          <PairForm />
        ) : (
          <p className="flex gap-2">
            <CircleCheck size={17} aria-hidden className="mt-0.5 shrink-0 text-done" />
            {welcome.done}
          </p>
        )}
      </Card>
      <Button className="self-start" onClick={ports.openOptions}>
        {welcome.options}
      </Button>
    </main>
  );
}

interface StepProps {
  readonly at: number;
  readonly picture: ReactNode;
  readonly title: string;
  readonly says: string;
}

function Step({ at, picture, title, says }: StepProps) {
  return (
    <li className="flex flex-col gap-2">
      {picture}
      <h2 className="font-semibold">
        <span className="text-accent tabular-nums">{at}. </span>
        {title}
      </h2>
      <p className="text-meta text-quiet">{says}</p>
    </li>
  );
}
