import { Eye, ShieldAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useDictation } from '../compose/use-dictation.tsx';
import type { OpenPrompt } from '../message/entry.ts';
import { Button } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { TextField } from '../parts/field.tsx';
import { useNow } from '../parts/time-ago.tsx';
import { relative } from '../time-words.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';
import { type LoadPicture, PromptPicture } from './prompt-picture.tsx';
import { type ReadPrompt, readPrompt } from './read-prompt.ts';
import { useArmed } from './use-armed.ts';

export interface PromptCardProps {
  readonly prompt: OpenPrompt;
  readonly answering?: string | undefined;
  readonly problem?: string | undefined;
  readonly isOnline: boolean;
  /** Whether a browser's question may be denied with a reason. */
  readonly takesReason?: boolean;
  /** The reason goes with a denial, for the agent to read. */
  readonly onAnswer: (choice_id: string, reason?: string) => void;
  /** Returns how to show an element of a site, where its page can be shown. */
  readonly onShow?: ((origin: string) => ((elementId: string) => void) | undefined) | undefined;
  /** Fetches the page as it looks now, of a browser's question. */
  readonly loadPicture?: LoadPicture | undefined;
}

/** Deny comes first and allow last, away from the thumb. */
const allowsLast = (choices: OpenPrompt['choices']): OpenPrompt['choices'] =>
  choices.toSorted((a, b) => Number(a.effect === 'allow') - Number(b.effect === 'allow'));

/** The reach of a choice; undefined where its label says it all. */
function reachOf(
  choice_id: string,
  { covers, origin }: ReadPrompt,
  choices: OpenPrompt['choices'],
  { reach }: Words['prompt'],
): string | undefined {
  if (choice_id === 'once') {
    const isOnly = choices.every((each) => each.choice_id !== 'always');
    return covers === 'action' && isOnly ? undefined : reach.once[covers];
  }
  if (choice_id !== 'always') return undefined;
  if (covers === 'address') return reach.once.address;
  return reach.always[covers](URL.parse(origin)?.host || origin);
}

const MAX_REASON_CHARS = 500;

/**
 * A lasting permission is rarely meant: it looks quieter than one for this time. Beside a reason against it, no
 * permission is the button that stands out.
 */
function lookOf(
  choice_id: string,
  effect: string | undefined,
  hasReason: boolean,
): 'primary' | 'danger' | 'plain' | 'quiet' {
  if (choice_id === 'always') return 'quiet';
  return effect === 'allow' ? (hasReason ? 'plain' : 'primary') : effect === 'deny' ? 'danger' : 'plain';
}

/**
 * Shows the prompt as text, never as markup (CHT-228). A browser's question is put into words, with the
 * original below. Buttons arm after a moment, so that a tap meant for something else decides nothing.
 */
export function PromptCard(props: PromptCardProps) {
  const { prompt, answering, problem, isOnline, takesReason = false, onAnswer, onShow, loadPicture } = props;
  const words = useWords();
  const now = useNow();
  const id = useId();
  const isArmed = useArmed(`${prompt.prompt_id} ${prompt.detected_at}`);
  const read = readPrompt(prompt.prompt_text, words);
  const known: Readonly<Record<string, string>> = read === undefined ? {} : words.prompt.choices;
  const [hasReason, setHasReason] = useState(false);
  const [reason, setReason] = useState('');
  const dictation = useDictation(reason, (said) => setReason(said.slice(0, MAX_REASON_CHARS)));
  const canDenyWithReason = read !== undefined && takesReason;
  const isLocked = !isArmed || answering !== undefined || !isOnline;
  return (
    <section
      aria-label={words.prompt.title}
      data-decision
      tabIndex={-1}
      className="overflow-hidden rounded-card border border-wait-line bg-surface"
    >
      <header className="flex items-center gap-2 bg-wait-soft px-3 py-1.5 text-meta font-medium text-wait">
        <ShieldAlert size={16} aria-hidden />
        <span className="flex-1">{words.prompt.title}</span>
        {prompt.expires_at ? (
          <span>{words.prompt.runsOut(relative(Date.parse(prompt.expires_at), now, words))}</span>
        ) : null}
      </header>
      <div className="p-3">
        {read === undefined ? (
          <AsAsked text={prompt.prompt_text} />
        ) : (
          <InWords
            read={read}
            onShow={onShow}
            picture={
              loadPicture ? <PromptPicture prompt_id={prompt.prompt_id} load={loadPicture} /> : undefined
            }
          />
        )}
        {problem ? <p className="mt-2 text-meta text-fail">{words.prompt.failed(problem)}</p> : null}
        {isOnline ? null : <p className="mt-2 text-meta text-wait">{words.link.down}</p>}
        {canDenyWithReason && hasReason ? (
          <div className="mt-2">
            <div className="flex items-end gap-1">
              <div className="flex-1">
                <TextField
                  label={words.prompt.reason}
                  dir="auto"
                  autoFocus
                  maxLength={MAX_REASON_CHARS}
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              </div>
              {dictation?.button}
            </div>
            {dictation?.note}
          </div>
        ) : null}
        <div className="mt-3 flex flex-wrap gap-2">
          {allowsLast(prompt.choices).map(({ choice_id, label, effect }) => {
            const reach = read && reachOf(choice_id, read, prompt.choices, words.prompt);
            const reachId = `${id} ${choice_id}`;
            return (
              <div
                key={choice_id}
                className={`flex min-w-24 flex-col ${choice_id === 'always' ? 'basis-full' : 'flex-1'}`}
              >
                <Button
                  look={lookOf(choice_id, effect, hasReason)}
                  aria-disabled={isLocked}
                  aria-describedby={reach === undefined ? undefined : reachId}
                  data-armed={!isLocked}
                  className={`w-full transition-opacity [overflow-wrap:anywhere] ${choice_id === 'always' ? 'text-meta text-quiet' : ''} ${isLocked ? 'opacity-60' : ''}`}
                  onClick={() => {
                    if (isLocked) return;
                    if (effect === 'deny' && reason.trim() !== '') onAnswer(choice_id, reason.trim());
                    else onAnswer(choice_id);
                  }}
                >
                  {Object.hasOwn(known, choice_id) ? known[choice_id] : label}
                </Button>
                {reach === undefined ? null : (
                  <p
                    id={reachId}
                    dir="auto"
                    className="px-1 text-center text-[12px] text-quiet [overflow-wrap:anywhere]"
                  >
                    {reach}
                  </p>
                )}
              </div>
            );
          })}
        </div>
        {canDenyWithReason && !hasReason ? (
          <Button
            look="quiet"
            className="-ms-3 mt-1 self-start text-meta text-quiet"
            onClick={() => setHasReason(true)}
          >
            {words.prompt.withReason}
          </Button>
        ) : null}
        {answering === undefined ? null : (
          <p role="status" className="mt-2 text-meta text-quiet">
            {words.prompt.sending}
          </p>
        )}
        {read === undefined ? null : (
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
        )}
      </div>
    </section>
  );
}

function AsAsked({ text }: { readonly text: string }) {
  const [headline = '', ...lines] = text.split('\n');
  return (
    <>
      <p dir="auto" className="font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">
        {headline}
      </p>
      {lines.length > 0 ? (
        <p
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
          className="mt-2 max-h-64 max-w-full overflow-auto rounded-md bg-sunken p-2 font-mono text-meta whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {lines.join('\n')}
        </p>
      ) : null}
    </>
  );
}

interface InWordsProps extends Pick<PromptCardProps, 'onShow'> {
  readonly read: ReadPrompt;
  readonly picture: ReactNode;
}

/** Action, place, and the data that would be sent. */
function InWords({ read, onShow, picture }: InWordsProps) {
  const { prompt: words } = useWords();
  const { asker, headline, origin, page, frameOn, destination, sends, changed, data } = read;
  const { isFinal, elementId, tool, steps, notes, amounts, prices, goods } = read;
  const show = elementId === undefined ? undefined : onShow?.(origin);
  return (
    <div className="flex flex-col gap-2">
      {changed === undefined ? null : (
        <div role="alert" className="rounded-md bg-wait-soft p-2 text-meta">
          <p className="font-medium text-wait">
            {changed.since === 'allowed' ? words.changedSince : words.changed}
          </p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
            <Row term={words.before} lines={changed.before} />
            <Row term={words.now} lines={changed.now} />
          </dl>
        </div>
      )}
      <div>
        {asker === undefined ? null : (
          <p dir="auto" className="text-meta text-quiet [overflow-wrap:anywhere]">
            {words.asks(asker)}
          </p>
        )}
        <p dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {headline}
        </p>
        {tool === undefined ? null : (
          <p dir="auto" className="[overflow-wrap:anywhere]">
            {tool}
          </p>
        )}
        {notes.map((note) => (
          <p key={note} className="text-meta text-quiet [overflow-wrap:anywhere]">
            {note}
          </p>
        ))}
      </div>
      {picture}
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-meta">
        {frameOn === undefined ? null : <Row term={words.where} lines={[frameOn]} />}
        {page === undefined ? null : <Row term={words.page} lines={[page]} />}
        <dt className="text-quiet">{frameOn === undefined ? words.where : words.frameOn}</dt>
        <dd className="font-mono text-[12.5px] [overflow-wrap:anywhere]">{origin}</dd>
        {destination === undefined ? null : (
          <>
            <dt className="text-quiet">{words.sendsTo}</dt>
            <dd
              className={`font-mono text-[12.5px] [overflow-wrap:anywhere] ${isAt(destination, origin) ? '' : 'font-semibold text-wait'}`}
            >
              {destination}
            </dd>
          </>
        )}
        <Row term={words.amount} lines={amounts} isStrong />
        <Row term={words.prices} lines={prices} />
        <Row term={words.goods} lines={goods} />
        <Row term={words.sends} lines={sends} />
        <Row term={words.data} lines={data} />
        <Row term={words.steps} lines={steps} />
      </dl>
      {isFinal ? <p className="text-meta font-medium text-wait">{words.undone}</p> : null}
      {show !== undefined && elementId !== undefined ? (
        <Button
          look="quiet"
          className="-ms-3 self-start text-meta text-accent"
          icon={<Eye size={15} aria-hidden />}
          onClick={() => show(elementId)}
        >
          {words.showMe}
        </Button>
      ) : null}
    </div>
  );
}

const isAt = (address: string, origin: string): boolean => URL.parse(address)?.origin === origin;

/** A list that scrolls must be reachable by keyboard; any other would be one more stop before the buttons. */
const reachable = (list: HTMLUListElement | null): void => {
  if (list !== null && list.scrollHeight > list.clientHeight) list.tabIndex = 0;
};

interface RowProps {
  readonly term: string;
  readonly lines: readonly string[];
  readonly isStrong?: boolean;
}

function Row({ term, lines, isStrong = false }: RowProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <dt className="text-quiet">{term}</dt>
      <dd>
        <ul ref={reachable} className={`max-h-64 overflow-y-auto ${isStrong ? 'font-semibold' : ''}`}>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
            <li key={at} dir="auto" className="[overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}
