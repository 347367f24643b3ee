import { Button, Confirm, IconButton, Notice, useWords } from '@drawbridge/ui';
import { OctagonX } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { isAtHome, useApp } from '../app-context.ts';
import { problemText } from '../client/request.ts';
import { tabApi } from '../client/tab-api.ts';

/** In the header of a phone, which has no column with the button. */
export function PhoneHalt() {
  return (
    <div className="desk:hidden">
      <HaltButton isSmall />
    </div>
  );
}

interface Said {
  readonly meaning: 'done' | 'fail' | 'info';
  readonly text: string;
  /** Everything is stopped: one press, confirmed, gives reading and acting back. */
  readonly isStopped?: boolean;
}

/** Stops every agent and call after one confirmation, and names those that did not stop. */
export function HaltButton({ isSmall = false }: { readonly isSmall?: boolean }) {
  const words = useWords();
  const { api, me } = useApp();
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState<Said>();
  if (!isAtHome(me)) return null;
  const halt = async (): Promise<void> => {
    setSaid({ meaning: 'info', text: words.halt.doing });
    try {
      const { interrupted, failed, calls_cancelled } = await api.halt();
      const names = failed.map(({ name, reason }) => `${name} (${reason})`).join(', ');
      setSaid(
        failed.length > 0
          ? { meaning: 'fail', text: words.halt.failed(names), isStopped: true }
          : { meaning: 'done', text: words.halt.done(interrupted.length, calls_cancelled), isStopped: true },
      );
    } catch (error) {
      setSaid({ meaning: 'fail', text: problemText(error, words) });
    }
  };
  const resume = async (): Promise<void> => {
    setSaid({ meaning: 'info', text: words.halt.resuming });
    try {
      setSaid({ meaning: 'done', text: words.halt.resumed(await tabApi.giveBack()) });
    } catch (error) {
      setSaid({ meaning: 'fail', text: problemText(error, words), isStopped: true });
    }
  };
  return (
    <>
      {said ? (
        <Notice
          meaning={said.meaning}
          className={isSmall ? 'fixed inset-x-3 top-14 z-30 rounded-card shadow-lg' : 'rounded-card'}
          action={
            <Button look="quiet" className="min-h-7 px-1 text-meta" onClick={() => setSaid(undefined)}>
              {words.act.dismiss}
            </Button>
          }
        >
          {said.text}
          {said.isStopped ? (
            <Button className="mt-2 flex w-full" onClick={() => void resume()}>
              {words.halt.resume}
            </Button>
          ) : null}
        </Notice>
      ) : null}
      {isSmall ? (
        <IconButton
          label={words.halt.button}
          className="text-fail!"
          icon={<OctagonX size={19} aria-hidden />}
          onClick={() => setAsking(true)}
        />
      ) : (
        <Button
          look="quiet"
          className="w-full justify-start text-fail"
          icon={<OctagonX size={17} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {words.halt.button}
        </Button>
      )}
      {isAsking ? (
        <Confirm
          title={words.halt.ask}
          says={words.halt.says}
          action={words.halt.button}
          onClose={() => setAsking(false)}
          onConfirm={() => void halt()}
        />
      ) : null}
    </>
  );
}
