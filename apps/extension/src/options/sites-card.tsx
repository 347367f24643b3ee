import { Button, IconButton, Notice, SelectField, TextField } from '@drawbridge/ui';
import { Trash2 } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { Card } from '../panel/card.tsx';
import { useWorkerState } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import type { SiteRule } from '../wire.ts';
import { useSaving } from './use-saving.tsx';

const RULES: readonly SiteRule['rule'][] = ['never', 'ask'];

/** `bank.example/login` is the site https://bank.example. */
export function originOf(text: string): string | undefined {
  const written = text.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(written) ? written : `https://${written}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.origin : undefined;
}

export function SitesCard() {
  const words = usePanelWords();
  const { settings } = useWorkerState();
  const { save, said } = useSaving();
  const [site, setSite] = useState('');
  const [rule, setRule] = useState<SiteRule['rule']>('never');
  const [isWrong, setWrong] = useState(false);
  const add = (): void => {
    const origin = originOf(site);
    setWrong(origin === undefined);
    if (origin === undefined) return;
    const others = settings.sites.filter((one) => one.origin !== origin);
    void save({ sites: [...others, { origin, rule }] }).then((isSaved) => isSaved && setSite(''));
  };
  return (
    <Card title={words.options.sites} says={words.options.sitesSay}>
      {settings.sites.length === 0 ? (
        <p className="mb-3 text-meta text-quiet">{words.options.noSites}</p>
      ) : null}
      <ul className="mb-3 divide-y divide-line">
        {settings.sites.map(({ origin, rule: known }) => (
          <li key={origin} className="flex items-center gap-2 py-1">
            <span className="min-w-0 flex-1 text-meta">
              <span className="block font-mono [overflow-wrap:anywhere]">{origin}</span>
              <span className={known === 'never' ? 'text-fail' : 'text-wait'}>
                {words.options.rules[known]}
              </span>
            </span>
            <IconButton
              label={words.options.removeSite(origin)}
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => void save({ sites: settings.sites.filter((one) => one.origin !== origin) })}
            />
          </li>
        ))}
      </ul>
      <form
        className="grid items-end gap-2 sm:grid-cols-[1fr_auto_auto]"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={words.options.origin}
          placeholder={words.options.originHint}
          value={site}
          spellCheck={false}
          aria-invalid={isWrong}
          onChange={({ target }) => setSite(target.value)}
        />
        <SelectField
          label={words.options.rule}
          value={rule}
          options={RULES.map((value) => ({ value, label: words.options.rules[value] }))}
          onChoose={(value) => setRule(RULES.find((one) => one === value) ?? 'never')}
        />
        <Button type="submit" className="justify-self-start" disabled={site.trim() === ''}>
          {words.options.addSite}
        </Button>
      </form>
      {isWrong ? (
        <Notice meaning="fail" className="mt-2 rounded-md">
          {words.options.badOrigin}
        </Notice>
      ) : null}
      {said}
    </Card>
  );
}
