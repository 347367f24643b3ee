import { parseAction } from '@drawbridge/protocol';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import { Disclosure, IconButton, useWords } from '@drawbridge/ui';
import { Brain, CircleCheck, CircleHelp, CircleX, Eye, LoaderCircle } from '@drawbridge/ui/icons';
import { usePanelWords } from '../words/use-panel-words.ts';
import type { Turn } from './rows.ts';

const ICONS = { running: LoaderCircle, ok: CircleCheck, failed: CircleX, unknown: CircleHelp } as const;
const TONES = { running: 'text-accent', ok: 'text-done', failed: 'text-fail', unknown: 'text-wait' } as const;
const ON_ELEMENTS = new Set(['click', 'setValue', 'select', 'check', 'uncheck', 'hover']);

/** The element id of an action, if it has one. */
export function elementIn(action: string | undefined): string | undefined {
  try {
    const { name, args } = parseAction(action ?? '');
    const [id] = args;
    return ON_ELEMENTS.has(name) && (typeof id === 'string' || typeof id === 'number')
      ? String(id)
      : undefined;
  } catch {
    return undefined;
  }
}

export interface TurnViewProps {
  readonly turn: Turn;
  /** Undefined if the page cannot highlight it. */
  readonly onShow: ((elementId: string) => void) | undefined;
}

/** INT-168 */
export function TurnView({ turn, onShow }: TurnViewProps) {
  const ui = useWords();
  const words = usePanelWords();
  const { action, subject, thought, reasoning, status, error, seen } = turn;
  const Icon = ICONS[status];
  const element = elementIn(action);
  const actionText = action === undefined ? undefined : stepActionOf(action, subject, ui.deed);
  return (
    <article aria-label={words.turn.agent} className="me-6 flex flex-col items-start text-meta">
      {thought ? (
        <Disclosure
          className="w-full"
          summary={
            <>
              <Brain size={14} aria-hidden className="shrink-0" />
              <span className="min-w-0 truncate italic">{thought}</span>
              <span className="sr-only"> ({words.turn.thought})</span>
            </>
          }
        >
          {() => (
            <p className="ms-6 mb-1 border-s-2 border-line ps-3 whitespace-pre-wrap text-quiet [overflow-wrap:anywhere]">
              {thought}
            </p>
          )}
        </Disclosure>
      ) : null}
      {actionText === undefined ? null : (
        <div className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
          <span
            title={action}
            data-badge
            className="max-w-full rounded-full border border-line bg-sunken px-2.5 py-0.5 font-medium [overflow-wrap:anywhere]"
          >
            {actionText}
          </span>
          <span className="inline-flex shrink-0 items-center gap-1">
            <span data-observed={status} className={`inline-flex items-center gap-1 ${TONES[status]}`}>
              <Icon size={14} aria-hidden className={status === 'running' ? 'working-dot' : ''} />
              {words.turn.observed[status]}
            </span>
            {element !== undefined && onShow ? (
              <IconButton
                className="size-6 text-accent pointer-coarse:size-9"
                label={words.turn.showMeSays(subject ?? actionText)}
                icon={<Eye size={15} aria-hidden />}
                onClick={() => onShow(element)}
              />
            ) : null}
          </span>
        </div>
      )}
      {error ? <p className="mt-0.5 text-fail [overflow-wrap:anywhere]">{error}</p> : null}
      {reasoning ? (
        <p className="mt-0.5 whitespace-pre-wrap text-quiet [overflow-wrap:anywhere]">
          <span className="font-medium">{words.turn.reasoning}: </span>
          {reasoning}
        </p>
      ) : null}
      {seen.length > 0 ? (
        <Disclosure summary={words.turn.changes} className="max-w-full">
          {() => (
            <ul className="ms-6 rounded-md border border-line bg-sunken p-2 font-mono text-[12px]">
              {seen.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
                <li key={at} className="[overflow-wrap:anywhere]">
                  {line}
                </li>
              ))}
            </ul>
          )}
        </Disclosure>
      ) : null}
    </article>
  );
}
