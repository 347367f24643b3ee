import { Button, Disclosure, PromptCard, useArmed, useWords } from '@drawbridge/ui';
import { Eye, ShieldAlert } from '@drawbridge/ui/icons';
import { usePanelWords } from '../words/use-panel-words.ts';
import type { AskedPrompt } from './approvals-fold.ts';
import { readPrompt } from './read-prompt.ts';

export interface ApprovalCardProps {
  readonly prompt: AskedPrompt;
  readonly isOnline: boolean;
  readonly onAnswer: (choice_id: string) => void;
  /** Undefined where no lent tab shows that site. */
  readonly onShow: ((origin: string) => ((elementId: string) => void) | undefined) | undefined;
}

const weight = (effect: string | undefined): number => (effect === 'deny' ? 0 : effect === 'allow' ? 2 : 1);

/** What would be done, where, and with which data. Its buttons take a moment to arm, as in the web app. */
export function ApprovalCard({ prompt, isOnline, onAnswer, onShow }: ApprovalCardProps) {
  const ui = useWords();
  const words = usePanelWords();
  const isArmed = useArmed(`${prompt.prompt_id} ${prompt.detected_at}`);
  const read = readPrompt(prompt.prompt_text, words);
  if (read === undefined) {
    const { answering, trouble } = prompt;
    return (
      <PromptCard
        prompt={prompt}
        answering={answering}
        trouble={trouble}
        isOnline={isOnline}
        onAnswer={onAnswer}
      />
    );
  }
  const { headline, origin, data, isFinal, elementId } = read;
  const { answering, trouble, choices } = prompt;
  const isLocked = !isArmed || answering !== undefined || !isOnline;
  const show = elementId === undefined ? undefined : onShow?.(origin);
  const known: Readonly<Record<string, string>> = words.prompt.choices;
  return (
    <section
      aria-label={ui.prompt.title}
      className="overflow-hidden rounded-card border border-wait-line bg-surface"
    >
      <header className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 text-meta font-medium text-wait">
        <ShieldAlert size={16} aria-hidden />
        {ui.prompt.title}
      </header>
      <div className="flex flex-col gap-2 p-3">
        <p dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {headline}
        </p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-meta">
          <dt className="text-quiet">{words.prompt.where}</dt>
          <dd className="font-mono text-[12.5px] [overflow-wrap:anywhere]">{origin}</dd>
          {data.length > 0 ? (
            <>
              <dt className="text-quiet">{words.prompt.data}</dt>
              <dd>
                <ul className="max-h-40 overflow-y-auto">
                  {data.map((line, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
                    <li key={at} dir="auto" className="[overflow-wrap:anywhere]">
                      {line}
                    </li>
                  ))}
                </ul>
              </dd>
            </>
          ) : null}
        </dl>
        {isFinal ? <p className="text-meta font-medium text-wait">{words.prompt.undone}</p> : null}
        {show !== undefined && elementId !== undefined ? (
          <Button
            look="quiet"
            className="-ms-3 self-start text-meta text-accent"
            icon={<Eye size={15} aria-hidden />}
            onClick={() => show(elementId)}
          >
            {words.turn.showMe}
          </Button>
        ) : null}
        {trouble ? <p className="text-meta text-fail">{ui.prompt.failed(trouble)}</p> : null}
        {isOnline ? null : <p className="text-meta text-wait">{words.link.chatDown}</p>}
        <div className="flex flex-wrap gap-2">
          {choices
            .toSorted((a, b) => weight(a.effect) - weight(b.effect))
            .map(({ choice_id, label, effect }) => (
              <Button
                key={choice_id}
                look={effect === 'allow' ? 'primary' : effect === 'deny' ? 'danger' : 'plain'}
                aria-disabled={isLocked}
                data-armed={!isLocked}
                className={`min-w-24 flex-1 [overflow-wrap:anywhere] ${isLocked ? 'opacity-60' : ''}`}
                onClick={() => {
                  if (!isLocked) onAnswer(choice_id);
                }}
              >
                {Object.hasOwn(known, choice_id) ? known[choice_id] : label}
              </Button>
            ))}
        </div>
        {answering === undefined ? null : (
          <p role="status" className="text-meta text-quiet">
            {ui.prompt.sending}
          </p>
        )}
        <Disclosure summary={words.prompt.asked}>
          {() => (
            <p
              dir="auto"
              className="rounded-md bg-sunken p-2 font-mono text-[12px] whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              {prompt.prompt_text}
            </p>
          )}
        </Disclosure>
      </div>
    </section>
  );
}
