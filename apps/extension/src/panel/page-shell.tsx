import { en as enUi, type Words, WordsContext } from '@drawbridge/ui';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { Settings } from '../wire.ts';
import { type Page, PageContext } from './page-context.ts';
import { en, type PanelWords } from './words/en.ts';
import { PanelWordsContext } from './words/use-panel-words.ts';

type Look = Pick<Settings, 'language' | 'theme'>;

const REMEMBERED = 'drawbridge-look';
const THEMES: readonly Look['theme'][] = ['system', 'light', 'dark'];
const LANGUAGES: readonly Look['language'][] = ['auto', 'en', 'de'];

/** Read before the worker's first state: a dark screen must not flash white. */
export function rememberedLook(storage: Pick<Storage, 'getItem'>): Look {
  const [theme, language] = (storage.getItem(REMEMBERED) ?? '').split(' ');
  return {
    theme: THEMES.find((one) => one === theme) ?? 'system',
    language: LANGUAGES.find((one) => one === language) ?? 'auto',
  };
}

const isDarkNow = (theme: Look['theme']): boolean =>
  theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);

export const showTheme = (theme: Look['theme']): void => {
  document.documentElement.dataset['theme'] = isDarkNow(theme) ? 'dark' : 'light';
};

interface Spoken {
  readonly ui: Words;
  readonly panel: PanelWords;
}

const ENGLISH: Spoken = { ui: enUi, panel: en };

/** Undefined while the first language loads; a change keeps the old one until the new one has loaded. */
function useSpoken(language: Look['language']): Spoken | undefined {
  const isGerman = (language === 'auto' ? navigator.language : language).startsWith('de');
  const [spoken, setSpoken] = useState<Spoken | undefined>(isGerman ? undefined : ENGLISH);
  useEffect(() => {
    if (!isGerman) return setSpoken(ENGLISH);
    let isOver = false;
    void Promise.all([import('@drawbridge/ui/german'), import('./words/de.ts')]).then(([ui, panel]) => {
      if (!isOver) setSpoken({ ui: ui.de, panel: panel.de });
    });
    return () => {
      isOver = true;
    };
  }, [isGerman]);
  return spoken;
}

export interface PageShellProps {
  readonly page: Page;
  readonly title: (words: PanelWords) => string;
  readonly children: ReactNode;
}

/** Provides texts, theme and worker to each page. */
export function PageShell({ page, title, children }: PageShellProps) {
  const { link } = page;
  const { state } = useSyncExternalStore(link.subscribe, link.get);
  const [first] = useState(() => rememberedLook(localStorage));
  const { theme, language } = state?.settings ?? first;
  const spoken = useSpoken(language);
  useEffect(() => {
    localStorage.setItem(REMEMBERED, `${theme} ${language}`);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const show = (): void => showTheme(theme);
    show();
    dark.addEventListener('change', show);
    return () => dark.removeEventListener('change', show);
  }, [theme, language]);
  useEffect(() => {
    if (spoken === undefined) return;
    document.documentElement.lang = spoken.ui.locale;
    document.title = title(spoken.panel);
  }, [spoken, title]);
  if (spoken === undefined) return null;
  return (
    <PageContext value={page}>
      <WordsContext value={spoken.ui}>
        <PanelWordsContext value={spoken.panel}>{children}</PanelWordsContext>
      </WordsContext>
    </PageContext>
  );
}
