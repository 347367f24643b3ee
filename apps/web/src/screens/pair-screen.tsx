import { Button, CopyButton, Notice, ownCommand, useWords } from '@drawbridge/ui';
import { KeyRound } from '@drawbridge/ui/icons';
import { useEffect, useState } from 'react';
import { api, type Me } from '../client/api.ts';
import { deviceLabel } from '../client/device-label.ts';
import { canUsePasskeys, signInWithPasskey } from '../client/passkeys.ts';
import { ApiError, problemText } from '../client/request.ts';

export interface PairScreenProps {
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly onPaired: (me: Me) => void;
}

/** Pairs an unknown device by link, code or passkey. */
export function PairScreen({ problem, onPaired }: PairScreenProps) {
  const words = useWords();
  const command = `${ownCommand()} pair`;
  const [said, setSaid] = useState(problem && words.reason(problem));
  const [code, setCode] = useState<Awaited<ReturnType<typeof api.openCode>>>();
  useEffect(() => setSaid(problem && words.reason(problem)), [problem, words]);
  useEffect(() => {
    if (code === undefined) return;
    const ending = new AbortController();
    const collect = async (): Promise<void> => {
      for (;;) {
        const me = await api.collectCode(code, ending.signal);
        if (me !== undefined) return onPaired(me);
      }
    };
    collect().catch((error: unknown) => {
      if (ending.signal.aborted) return;
      setCode(undefined);
      setSaid(problemText(error, words));
    });
    return () => ending.abort();
  }, [code, onPaired, words]);

  const tried = (work: Promise<unknown>): void => {
    setSaid(undefined);
    work.catch((error: unknown) => setSaid(problemText(error, words)));
  };

  return (
    <main className="mx-auto flex min-h-full max-w-md flex-col justify-center gap-4 p-6">
      <header className="flex items-center gap-3">
        <img src="/icon.svg" alt="" width={44} height={44} />
        <h1 className="text-xl font-semibold">{words.app}</h1>
      </header>
      {said === undefined ? null : (
        <Notice meaning="fail" className="rounded-card">
          {said || words.pair.offline}
        </Notice>
      )}
      <section className="rounded-card border border-line bg-surface p-4">
        <h2 className="font-semibold">{words.pair.title}</h2>
        <p className="mt-1 text-quiet">{words.pair.says}</p>
        <p className="mt-2 flex items-center justify-between rounded-md bg-sunken ps-3 font-mono text-meta">
          <span className="min-w-0 [overflow-wrap:anywhere]">{command}</span>
          <CopyButton text={command} />
        </p>
      </section>
      <section className="rounded-card border border-line bg-surface p-4">
        <h2 className="font-semibold">{words.pair.byCode}</h2>
        {code ? (
          <>
            <p data-testid="code" className="mt-2 font-mono text-3xl tracking-[6px]">
              {code.code}
            </p>
            <p className="text-quiet">{words.pair.typeIt}</p>
            <p role="status" className="mt-1 text-meta text-accent">
              {words.pair.waiting}
            </p>
          </>
        ) : (
          <Button className="mt-2" onClick={() => tried(api.openCode(deviceLabel()).then(setCode))}>
            {words.pair.showCode}
          </Button>
        )}
      </section>
      {canUsePasskeys() ? (
        <Button
          icon={<KeyRound size={17} aria-hidden />}
          onClick={() => tried(signInWithPasskey(deviceLabel()).then(api.me).then(onPaired))}
        >
          {words.pair.passkey}
        </Button>
      ) : null}
    </main>
  );
}

export const isUnpaired = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);
