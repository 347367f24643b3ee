import { Button, Notice, SelectField, useWords } from '@drawbridge/ui';
import { useEffect, useState } from 'react';
import { isOwner, useApp, usePreferences } from '../app-context.ts';
import { useInstall } from '../client/install.ts';
import { problemText } from '../client/request.ts';
import { navigate } from '../route.ts';
import type { Preferences } from '../state/preferences.ts';
import { DemoButton, DemoHint, useDemo } from './demo-button.tsx';
import { HaltButton } from './halt-button.tsx';
import { HelpDialog } from './keyboard.tsx';
import { ModelCard } from './model-card.tsx';
import { NoticeCard } from './notice-card.tsx';
import { Card, ScreenFrame } from './screen-frame.tsx';
import { WebhookCard } from './webhook-card.tsx';

const DAYS = [7, 30, 90, 365];
const THEMES: readonly Preferences['theme'][] = ['system', 'light', 'dark'];
const LANGUAGES: readonly Preferences['language'][] = ['system', 'en', 'de'];

export function SettingsScreen() {
  const words = useWords();
  const { preferences, me } = useApp();
  const { theme, language } = usePreferences();
  const install = useInstall();
  const { isThere: hasDemo } = useDemo();
  const [isHelp, setHelp] = useState(false);
  const named = { system: words.settings.themes.system, en: 'English', de: 'Deutsch' };
  return (
    <ScreenFrame title={words.settings.title} hasColumns>
      <Card title={words.settings.look}>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label={words.settings.theme}
            value={theme}
            options={THEMES.map((value) => ({ value, label: words.settings.themes[value] }))}
            onChoose={(value) => preferences.set({ theme: THEMES.find((one) => one === value) ?? 'system' })}
          />
          <SelectField
            label={words.settings.language}
            value={language}
            options={LANGUAGES.map((value) => ({ value, label: named[value] }))}
            onChoose={(value) =>
              preferences.set({ language: LANGUAGES.find((one) => one === value) ?? 'system' })
            }
          />
        </div>
      </Card>
      <NoticeCard />
      <ModelCard />
      <WebhookCard />
      <RetentionCard />
      <Card title={words.settings.device}>
        <div className="flex flex-col items-start gap-2">
          {install ? (
            <Button look="primary" onClick={install}>
              {words.settings.install}
            </Button>
          ) : null}
          <Button onClick={() => navigate('/devices')}>{words.nav.devices}</Button>
          {isOwner(me) ? <Button onClick={() => navigate('/audit')}>{words.nav.audit}</Button> : null}
          <Button onClick={() => setHelp(true)}>{words.help.title}</Button>
          <div className="desk:hidden">
            <HaltButton />
          </div>
        </div>
      </Card>
      {isHelp ? <HelpDialog onClose={() => setHelp(false)} /> : null}
      {hasDemo ? (
        <Card title={words.demo.title}>
          <div className="flex flex-col items-start gap-2">
            <p className="text-meta text-quiet">{words.demo.says}</p>
            <DemoButton />
            <div className="desk:hidden">
              <DemoHint />
            </div>
          </div>
        </Card>
      ) : null}
      <Card title={words.settings.about}>
        <ul className="flex flex-col gap-1 text-meta">
          {['/openapi.json', '/asyncapi.json'].map((path) => (
            <li key={path}>
              <a href={path} className="inline-block py-1 font-mono text-accent underline underline-offset-2">
                {path}
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </ScreenFrame>
  );
}

function RetentionCard() {
  const words = useWords();
  const { api, me } = useApp();
  const [days, setDays] = useState<number | null>();
  const [said, setSaid] = useState<{ readonly meaning: 'done' | 'fail'; readonly text: string }>();
  const failed = (error: unknown): void => setSaid({ meaning: 'fail', text: problemText(error, words) });
  useEffect(() => {
    api.settings().then(
      ({ retention_days }) => setDays(retention_days),
      () => {},
    );
  }, [api]);
  const choose = (value: string): void => {
    const next = value === '' ? null : Number(value);
    api.setRetention(next).then(() => {
      setDays(next);
      setSaid({ meaning: 'done', text: words.settings.saved });
    }, failed);
  };
  const known = [...new Set([...DAYS, ...(typeof days === 'number' ? [days] : [])])].toSorted(
    (a, b) => a - b,
  );
  return (
    <Card title={words.settings.keeping}>
      {isOwner(me) ? (
        <div className="max-w-sm">
          <SelectField
            label={words.settings.retention}
            hint={days === null ? words.settings.foreverSays : words.settings.retentionSays}
            disabled={days === undefined}
            value={days === undefined || days === null ? '' : String(days)}
            options={[
              { value: '', label: words.settings.forever },
              ...known.map((count) => ({ value: String(count), label: words.settings.days(count) })),
            ]}
            onChoose={choose}
          />
        </div>
      ) : (
        <p className="text-quiet">
          {words.settings.retention}:{' '}
          {typeof days === 'number' ? words.settings.days(days) : words.settings.forever}
        </p>
      )}
      {said ? (
        <Notice meaning={said.meaning} className="mt-2 rounded-card">
          {said.text}
        </Notice>
      ) : null}
    </Card>
  );
}
