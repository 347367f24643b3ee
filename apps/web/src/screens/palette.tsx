import { Dialog, useWords } from '@drawbridge/ui';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { isAtHome, useApp, useAppState, usePreferences } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';
import { sessionRows } from '../state/session-list.ts';
import { useDemo } from './demo-button.tsx';
import { destinationsOf } from './navigation.ts';

interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

const MAX_SHOWN = 12;

export interface PaletteProps {
  readonly onClose: () => void;
  readonly onLaunch: () => void;
  readonly onHelp: () => void;
}

/** Opens with Ctrl or ⌘ K. */
export function Palette({ onClose, onLaunch, onHelp }: PaletteProps) {
  const words = useWords();
  const { preferences, me } = useApp();
  const state = useAppState((all) => all);
  const known = usePreferences();
  const { isThere: hasDemo, state: demoState, play } = useDemo();
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const commands = useMemo((): readonly Command[] => {
    const sessions = sessionRows(state, known, words).map(({ session_id, name, location }) => ({
      id: session_id,
      label: name,
      hint: location,
      run: () => navigate(sessionPath(session_id)),
    }));
    const screens = destinationsOf(me).map(({ path, name }) => ({
      id: path,
      label: words.palette.go(words.nav[name]),
      hint: '',
      run: () => navigate(path),
    }));
    const themes = (['light', 'dark', 'system'] as const).map((theme) => ({
      id: theme,
      label: `${words.settings.theme}: ${words.settings.themes[theme]}`,
      hint: '',
      run: () => preferences.set({ theme }),
    }));
    const hint = demoState === 'playing' ? words.demo.playing : '';
    return [
      ...sessions,
      ...(isAtHome(me) ? [{ id: 'launch', label: words.launch.title, hint: '', run: onLaunch }] : []),
      ...(hasDemo ? [{ id: 'demo', label: words.demo.play, hint, run: () => void play() }] : []),
      ...screens,
      { id: 'help', label: words.help.title, hint: '?', run: onHelp },
      ...themes,
    ];
  }, [me, state, known, words, onLaunch, onHelp, preferences, hasDemo, demoState, play]);
  const found = commands
    .filter(({ label, hint }) =>
      query
        .toLowerCase()
        .split(/\s+/)
        .every((word) => `${label} ${hint}`.toLowerCase().includes(word)),
    )
    .slice(0, MAX_SHOWN);
  const chosen = found[Math.min(at, found.length - 1)];
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + by + found.length) % Math.max(found.length, 1));
    }
    if (event.key === 'Enter') run(chosen);
  };
  return (
    <Dialog title={words.palette.title} onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${chosen.id}`}
        aria-label={words.palette.placeholder}
        placeholder={words.palette.placeholder}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="w-full min-h-11 rounded-card border border-line-strong bg-ground px-3"
      />
      <div id={id} role="listbox" aria-label={words.palette.title} className="mt-2">
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => run(command)}
            className={`flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-3 pointer-coarse:min-h-11 ${command === chosen ? 'bg-accent-soft' : ''}`}
          >
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            <span className="max-w-[40%] truncate text-meta text-quiet">{command.hint}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="p-3 text-quiet">{words.palette.none}</p> : null}
    </Dialog>
  );
}
