import { Button, Dialog, Notice, useWords } from '@drawbridge/ui';
import { useState } from 'react';
import { lentBrowserApi } from '../client/lent-browser-api.ts';
import { problemText } from '../client/request.ts';
import { tabApi } from '../client/tab-api.ts';
import { type BrowserChoice, LaunchBrowser } from './launch-browser.tsx';
import { usePolled } from './use-polled.ts';

/** A tab appears soon after it was lent. */
const EVERY_MS = 3_000;
const EVERY_TAB: BrowserChoice = { isOn: true };

interface LendDialogProps {
  readonly session_id: string;
  readonly onLent: () => void;
  readonly onClose: () => void;
}

/** Lends the tabs to the agent of a running session (CHT-362). */
export function LendDialog({ session_id, onLent, onClose }: LendDialogProps) {
  const words = useWords();
  const { value: tabs = [] } = usePolled(tabApi.list, EVERY_MS, words);
  const [choice, setChoice] = useState<BrowserChoice>(EVERY_TAB);
  const [problem, setProblem] = useState<string>();
  const lend = (): void => {
    lentBrowserApi.lend(session_id, choice.origins).then(
      () => {
        onClose();
        onLent();
      },
      (error: unknown) => setProblem(problemText(error, words)),
    );
  };
  return (
    <Dialog title={words.browser.lend} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <LaunchBrowser tabs={tabs} isLent choice={choice} onChoose={setChoice} />
        {problem ? <Notice meaning="fail">{problem}</Notice> : null}
        <Button look="primary" disabled={choice.origins?.length === 0} onClick={lend}>
          {words.browser.lend}
        </Button>
      </div>
    </Dialog>
  );
}
