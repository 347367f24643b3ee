import { CheckField, EmptyState, SelectField } from '@drawbridge/ui';
import { Card } from '../panel/card.tsx';
import { useWorker, useWorkerState } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import type { Settings } from '../wire.ts';
import { AuditCard } from './audit-card.tsx';
import { GrantsCard } from './grants-card.tsx';
import { PairingCard } from './pairing-card.tsx';
import { ServerCard } from './server-card.tsx';
import { SitesCard } from './sites-card.tsx';
import { useSaving } from './use-saving.tsx';

const THEMES: readonly Settings['theme'][] = ['system', 'light', 'dark'];
const LANGUAGES: readonly Settings['language'][] = ['auto', 'en', 'de'];

export function Options() {
  const words = usePanelWords();
  const { state } = useWorker();
  if (state === undefined) return <EmptyState>{words.options.loading}</EmptyState>;
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-4 px-3 py-6 sm:px-6">
      <header className="flex flex-wrap items-baseline gap-x-4">
        <h1 className="w-full text-[19px] font-semibold sm:w-auto sm:flex-1">{words.options.title}</h1>
        <a href="/welcome.html" className="text-meta text-accent underline underline-offset-2">
          {words.options.tour}
        </a>
      </header>
      <PairingCard />
      <GrantsCard />
      <SitesCard />
      <ServerCard />
      <ReadingCard />
      <AuditCard />
      <LookCard />
    </main>
  );
}

function ReadingCard() {
  const words = usePanelWords();
  const { settings } = useWorkerState();
  const { save, said } = useSaving();
  return (
    <Card title={words.options.reading}>
      <CheckField
        label={words.options.semantic}
        checked={settings.semantic}
        onCheck={(semantic) => void save({ semantic })}
      />
      <p className="text-meta text-quiet">{words.options.semanticSays}</p>
      {said}
    </Card>
  );
}

function LookCard() {
  const words = usePanelWords();
  const { settings } = useWorkerState();
  const { save, said } = useSaving();
  const named = { auto: words.options.auto, en: 'English', de: 'Deutsch' };
  return (
    <Card title={words.options.look}>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={words.options.theme}
          value={settings.theme}
          options={THEMES.map((value) => ({ value, label: words.options.themes[value] }))}
          onChoose={(value) => void save({ theme: THEMES.find((one) => one === value) ?? 'system' })}
        />
        <SelectField
          label={words.options.language}
          value={settings.language}
          options={LANGUAGES.map((value) => ({ value, label: named[value] }))}
          onChoose={(value) => void save({ language: LANGUAGES.find((one) => one === value) ?? 'auto' })}
        />
      </div>
      {said}
    </Card>
  );
}
