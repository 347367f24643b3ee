import {
  ActionMenu,
  Button,
  clockTime,
  Dialog,
  exactTime,
  IconButton,
  Notice,
  TextField,
  useWords,
} from '@drawbridge/ui';
import { Clock, X } from '@drawbridge/ui/icons';
import { useEffect, useState } from 'react';
import { useApp, useAppState } from '../app-context.ts';
import { problemText } from '../client/request.ts';
import { type NewScheduledSend, scheduledApi } from '../client/scheduled-api.ts';

interface OfSession {
  readonly session_id: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Messages that wait for their time, below the conversation (CHT-337). */
export function ScheduledMessages({ session_id }: OfSession) {
  const words = useWords();
  const { store } = useApp();
  const scheduled = useAppState((state) => state.scheduled);
  const isOpen = useAppState((state) => state.link.kind === 'open');
  const [problem, setProblem] = useState<string>();
  // Changes while this device was away have no frame.
  useEffect(() => {
    if (!isOpen) return;
    scheduledApi.list().then(
      (sends) => store.put({ type: 'scheduled', sends }),
      (error: unknown) => setProblem(problemText(error, words)),
    );
  }, [isOpen, store, words]);
  const mine = [...scheduled.values()].filter((send) => send.session_id === session_id);
  return (
    <>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {mine.length > 0 ? (
        <ul aria-label={words.later.list} className="mx-auto w-full max-w-3xl space-y-1 px-3 pb-2">
          {mine.map(({ id, content = '', deliver_at }) => (
            <li
              key={id}
              className="ms-auto flex w-fit max-w-full items-start gap-2 rounded-card border border-line-strong border-dashed px-3 py-1.5"
            >
              <div className="min-w-0">
                <p dir="auto" className="line-clamp-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {content}
                </p>
                <p className="flex items-center gap-1 text-meta text-quiet">
                  <Clock size={13} aria-hidden />
                  {deliver_at === undefined ? (
                    words.later.whenIdle
                  ) : (
                    <time dateTime={deliver_at} title={exactTime(Date.parse(deliver_at), words)}>
                      {words.later.at(whenText(Date.parse(deliver_at), words))}
                    </time>
                  )}
                </p>
              </div>
              <IconButton
                className="size-7 pointer-coarse:size-9"
                label={words.later.cancel}
                icon={<X size={14} aria-hidden />}
                onClick={() =>
                  void scheduledApi
                    .cancel(id)
                    .catch((error: unknown) => setProblem(problemText(error, words)))
                }
              />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** The time alone for today, otherwise with its date. */
const whenText = (at: number, words: ReturnType<typeof useWords>): string =>
  new Date(at).toDateString() === new Date().toDateString() ? clockTime(at, words) : exactTime(at, words);

interface SendLaterProps extends OfSession {
  readonly content: string;
  readonly isWorking: boolean;
  readonly onScheduled: () => void;
}

/** Menu beside Send. */
export function SendLater({ session_id, content, isWorking, onScheduled }: SendLaterProps) {
  const words = useWords();
  const { store } = useApp();
  const [isChoosing, setChoosing] = useState(false);
  const [problem, setProblem] = useState<string>();
  const schedule = (when: Pick<NewScheduledSend, 'trigger_kind' | 'deliver_at'>): void => {
    setChoosing(false);
    scheduledApi.add({ session_id, content, ...when }).then(
      (send) => {
        store.put({ type: 'scheduled', sends: [...store.get().scheduled.values(), send] });
        onScheduled();
      },
      (error: unknown) => setProblem(problemText(error, words)),
    );
  };
  const at = (time: number): void =>
    schedule({ trigger_kind: 'at', deliver_at: new Date(time).toISOString() });
  return (
    <>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      <ActionMenu
        label={words.later.menu}
        icon={<Clock size={18} aria-hidden />}
        actions={[
          ...(isWorking
            ? [{ label: words.later.onceIdle, run: () => schedule({ trigger_kind: 'idle' }) }]
            : []),
          { label: words.later.inAnHour, run: () => at(Date.now() + HOUR_MS) },
          { label: words.later.tomorrow, run: () => at(tomorrowMorning()) },
          { label: words.later.choose, run: () => setChoosing(true) },
        ]}
      />
      {isChoosing ? <ChooseTime onClose={() => setChoosing(false)} onChosen={at} /> : null}
    </>
  );
}

interface ChooseTimeProps {
  readonly onClose: () => void;
  readonly onChosen: (time: number) => void;
}

function ChooseTime({ onClose, onChosen }: ChooseTimeProps) {
  const words = useWords();
  const [value, setValue] = useState(() => localText(Date.now() + HOUR_MS));
  const time = Date.parse(value);
  const isValid = time > Date.now() && time < Date.now() + 366 * DAY_MS;
  return (
    <Dialog title={words.later.menu} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) onChosen(time);
        }}
      >
        <TextField
          label={words.later.time}
          hint={isValid ? undefined : words.later.notFuture}
          type="datetime-local"
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <Button type="submit" look="primary" disabled={!isValid}>
          {words.later.menu}
        </Button>
      </form>
    </Dialog>
  );
}

/** As `datetime-local` reads it, in the person's zone. */
function localText(at: number): string {
  const offset_ms = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset_ms).toISOString().slice(0, 16);
}

function tomorrowMorning(): number {
  const morning = new Date(Date.now() + DAY_MS);
  return morning.setHours(9, 0, 0, 0);
}
