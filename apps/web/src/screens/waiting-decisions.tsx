import { Button, headlineOf, sessionName, useWords } from '@drawbridge/ui';
import { ShieldAlert } from '@drawbridge/ui/icons';
import { useAppState, usePreferences } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';

export interface WaitingDecision {
  readonly session_id: string;
  readonly id: string;
  readonly text: string;
}

/** Open decisions of all conversations, oldest conversation first. */
export function useWaitingDecisions(): readonly WaitingDecision[] {
  const talks = useAppState((state) => state.talks);
  return [...talks].flatMap(([session_id, { prompts, questions }]) => [
    ...[...prompts.values()].map(({ prompt_id, prompt_text }) => ({
      ...{ session_id, id: prompt_id, text: prompt_text },
    })),
    ...[...questions.values()].map(({ question_id, text }) => ({ session_id, id: question_id, text })),
  ]);
}

/** Leads to what waits, while no conversation is open. */
export function WaitingDecisions({ waiting }: { readonly waiting: readonly WaitingDecision[] }) {
  const words = useWords();
  const sessions = useAppState((state) => state.sessions);
  const { names } = usePreferences();
  const nameOf = (session_id: string): string => {
    const session = sessions.get(session_id);
    return names[session_id] ?? (session ? sessionName(session) : session_id);
  };
  return (
    <section
      aria-label={words.prompt.bar(waiting.length)}
      className="mx-auto w-full max-w-md overflow-hidden rounded-card border border-wait-line bg-surface text-start"
    >
      <h2 className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 font-semibold text-wait">
        <ShieldAlert size={16} aria-hidden />
        {words.prompt.bar(waiting.length)}
      </h2>
      <ul className="divide-y divide-line">
        {waiting.map(({ session_id, id, text }) => (
          <li key={`${session_id} ${id}`} className="flex items-center gap-2 p-3">
            <div className="min-w-0 flex-1">
              <p dir="auto" className="font-medium [overflow-wrap:anywhere]">
                {headlineOf(text, words)}
              </p>
              <p dir="auto" className="truncate text-meta text-quiet">
                {nameOf(session_id)}
              </p>
            </div>
            <Button
              look="primary"
              className="shrink-0"
              aria-label={words.prompt.decideIn(nameOf(session_id))}
              onClick={() => navigate(sessionPath(session_id))}
            >
              {words.prompt.decide}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
