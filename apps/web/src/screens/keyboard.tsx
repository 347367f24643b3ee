import { Button, Dialog, ownCommand, useWords } from '@drawbridge/ui';
import { useEffect } from 'react';
import { useAppState } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';
import { CommandLine } from './command-line.tsx';

/** The session with the first waiting decision or question. */
export function useWaitingSession(): string | undefined {
  return useAppState(({ talks }) => {
    for (const [session_id, { prompts, questions }] of talks)
      if (prompts.size + questions.size > 0) return session_id;
    return undefined;
  });
}

const FRAMES = 180;

/** Focuses an element that the next screen renders; gives up after about three seconds. */
function focusLater(selector: string, frames = FRAMES): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (each) => each.getClientRects().length > 0,
  );
  if (found !== undefined) {
    found.scrollIntoView({ block: 'nearest' });
    found.focus();
  } else if (frames > 0) requestAnimationFrame(() => focusLater(selector, frames - 1));
}

export function goToDecision(session_id: string): void {
  navigate(sessionPath(session_id));
  focusLater('[data-decision]');
}

/** The first stops of the keyboard: the waiting decision, and the content. */
export function SkipLinks() {
  const words = useWords();
  const waiting = useWaitingSession();
  const look =
    'sr-only focus:not-sr-only focus:fixed! focus:start-2 focus:top-2 focus:z-40 focus:bg-surface! focus:shadow-lg';
  return (
    <>
      {waiting === undefined ? null : (
        <Button className={look} onClick={() => goToDecision(waiting)}>
          {words.keys.decision}
        </Button>
      )}
      <Button className={look} onClick={() => focusLater('[data-content]')}>
        {words.keys.content}
      </Button>
    </>
  );
}

/** Tells a screen reader how many decisions wait, on every screen. A changed text is read again. */
export function DecisionAnnouncer() {
  const words = useWords();
  const count = useAppState(({ talks }) =>
    [...talks.values()].reduce((sum, { prompts, questions }) => sum + prompts.size + questions.size, 0),
  );
  return (
    <div role="alert" className="sr-only">
      {count > 0 ? words.keys.announced(count) : ''}
    </div>
  );
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export interface Shortcuts {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

export function useShortcuts({ onPalette, onHelp }: Shortcuts): void {
  const waiting = useWaitingSession();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (hasModifier || event.altKey || isTyping(event) || document.querySelector('dialog[open]')) return;
      if (event.key === '?') onHelp();
      else if (event.key === '/') focusLater('input[type="search"]', 1);
      else if (event.key === 'd' && waiting !== undefined) goToDecision(waiting);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onPalette, onHelp, waiting]);
}

/** The words of the screens, every shortcut, and where to read more. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { rows } = words.keys;
  const shortcuts: readonly (readonly [key: string, action: string])[] = [
    ['?', rows.help],
    ['Ctrl K, ⌘ K', rows.palette],
    ['/', rows.search],
    ['D', rows.decision],
    ['Enter', rows.send],
    ['Esc', rows.close],
  ];
  return (
    <Dialog title={words.help.title} onClose={onClose}>
      <dl className="flex flex-col gap-2">
        {words.help.words.map(([name, meaning]) => (
          <div key={name}>
            <dt className="inline font-medium">{name}: </dt>
            <dd className="inline text-quiet">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 mb-1 text-quiet">{words.help.guides}</p>
      <CommandLine command={`${ownCommand()} doctor`} />
      <h3 className="mt-4 mb-2 font-semibold">{words.keys.title}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {shortcuts.map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-md border border-line-strong bg-sunken px-1.5 font-mono text-meta">
                {key}
              </kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
