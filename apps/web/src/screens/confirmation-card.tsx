import { Button, CopyButton, Notice, ownCommand, useArmed, useWords, type Words } from '@drawbridge/ui';
import { KeyRound } from '@drawbridge/ui/icons';
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { type Confirmation, useWaiting, type Waiting } from '../client/confirmation.ts';
import { canUsePasskeys, confirmWithPasskey } from '../client/passkeys.ts';
import { ApiError, problemText } from '../client/request.ts';
import { rolesText } from './roles-text.ts';
import { Card } from './screen-frame.tsx';
import { usePolled } from './use-polled.ts';

const EVERY_MS = 3_000;

const sentence = ({ act, device_label, label, roles }: Confirmation, words: Words): string =>
  words.confirmation.acts[act](device_label, label, rolesText({ roles, scopes: [] }, words));

/** Shows this browser's own request and the ways to confirm it, on every screen. */
export function OwnConfirmation() {
  const waiting = useWaiting();
  return waiting ? <Ways key={waiting.confirmation.id} waiting={waiting} /> : null;
}

const focused = (node: HTMLElement | null): void => node?.focus();

function Ways({ waiting: { confirmation, onConfirmed, onRefused } }: { readonly waiting: Waiting }) {
  const words = useWords();
  const { api } = useApp();
  const { id } = confirmation;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const look = async (): Promise<void> => {
      for (;;) {
        const { state } = await api.confirmation(id, ending.signal);
        if (state === 'confirmed') return onConfirmed();
        if (state === 'refused') return onRefused(new ApiError(403, words.confirmation.refused));
      }
    };
    look().catch((error: unknown) => {
      if (!ending.signal.aborted) onRefused(error);
    });
    return () => ending.abort();
  }, [api, id, onConfirmed, onRefused, words]);
  const command = `${ownCommand()} devices --approve ${id}`;
  const cancel = (): void => {
    api.answerConfirmation(id, 'refuse').catch(() => {});
    onRefused(new ApiError(403, words.confirmation.refused));
  };
  return (
    <section
      ref={focused}
      tabIndex={-1}
      aria-label={words.confirmation.title}
      className="fixed inset-x-3 bottom-20 z-30 mx-auto max-h-[75dvh] max-w-lg overflow-y-auto rounded-card border border-accent bg-surface p-4 shadow-lg outline-offset-2"
    >
      <h2 className="mb-1 font-semibold">{words.confirmation.title}</h2>
      <p className="[overflow-wrap:anywhere]">{sentence(confirmation, words)}</p>
      <p className="mt-1 text-quiet">{words.confirmation.says}</p>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      <ul className="mt-3 flex flex-col gap-3">
        {confirmation.passkey && canUsePasskeys() ? (
          <li>
            <Button
              look="primary"
              icon={<KeyRound size={17} aria-hidden />}
              onClick={() => {
                setProblem(undefined);
                confirmWithPasskey(id).catch((error: unknown) => setProblem(problemText(error, words)));
              }}
            >
              {words.confirmation.passkey}
            </Button>
          </li>
        ) : null}
        <li>{words.confirmation.device}</li>
        <li>
          {words.confirmation.terminal}
          <p className="mt-1 flex items-center justify-between rounded-md bg-sunken ps-3 font-mono text-meta [overflow-wrap:anywhere]">
            {command}
            <CopyButton text={command} />
          </p>
        </li>
      </ul>
      <footer className="mt-3 flex items-center justify-between gap-2">
        <p role="status" className="text-meta text-accent">
          {words.confirmation.waiting}
        </p>
        <Button onClick={cancel}>{words.act.cancel}</Button>
      </footer>
    </section>
  );
}

interface OthersProps {
  readonly onSaid: (said: { readonly meaning: 'fail'; readonly text: string }) => void;
}

/** Lists the requests of other devices. */
export function OthersConfirmations({ onSaid }: OthersProps) {
  const words = useWords();
  const { api, me } = useApp();
  const { value = [], reload } = usePolled(api.confirmations, EVERY_MS, words);
  const others = value.filter(({ device_id }) => device_id !== me.device_id);
  // Buttons arm after a moment, so that a tap meant for another button confirms nothing.
  const isArmed = useArmed(others.map(({ id }) => id).join(' '));
  if (others.length === 0) return null;
  const answer = (id: string, verdict: 'confirm' | 'refuse'): void =>
    void api.answerConfirmation(id, verdict).then(reload, (error: unknown) => {
      onSaid({ meaning: 'fail', text: problemText(error, words) });
      reload();
    });
  return (
    <Card title={words.confirmation.waits}>
      <ul className="flex flex-col gap-3">
        {others.map((confirmation) => (
          <li key={confirmation.id}>
            <p className="[overflow-wrap:anywhere]">{sentence(confirmation, words)}</p>
            <p className="text-meta text-quiet">{words.confirmation.check}</p>
            <div className="mt-2 flex gap-2">
              <Button
                look="primary"
                aria-disabled={!isArmed}
                data-armed={isArmed}
                className={isArmed ? '' : 'opacity-60'}
                onClick={() => {
                  if (isArmed) answer(confirmation.id, 'confirm');
                }}
              >
                {words.confirmation.confirm}
              </Button>
              <Button onClick={() => answer(confirmation.id, 'refuse')}>{words.confirmation.refuse}</Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
