import { BridgeError } from '@drawbridge/protocol';
import type { Dialog, Dialogs } from '../../host.ts';
import type { Session } from './connection.ts';
import { createInterruption, dialogOpen, withheld } from './interruption.ts';

export interface OpenDialogs extends Dialogs {
  /** While a dialog is open the page does not answer: pending work fails with that fact. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T>;
  readonly listen: (session: Session) => void;
}

/** Browser dialogs of one tab, which stay open until answered. */
export function createOpenDialogs(
  main: Session,
  onOpen: (dialog: Dialog) => void,
  holdsSecrets: () => boolean,
): OpenDialogs {
  const waiting = createInterruption();
  let open: Dialog | undefined;
  let text = '';
  return {
    open: () => open,
    async answer(accept, typed) {
      if (open === undefined) {
        throw new BridgeError('state_mismatch', 'No dialog is open, so there is nothing to answer.');
      }
      open = undefined;
      await main.send('Page.handleJavaScriptDialog', {
        accept,
        ...(typed !== undefined && { promptText: typed }),
      });
      return text;
    },
    guard(work) {
      return open === undefined ? waiting.guard(work()) : Promise.reject(dialogOpen(open));
    },
    // Chromium notifies every session of the tab, and any of them may answer.
    listen(session) {
      session.on('Page.javascriptDialogOpening', ({ type, message }) => {
        if (open !== undefined) return;
        text = message;
        open = holdsSecrets() ? withheld(type) : { dialog: type, message };
        waiting.interrupt(dialogOpen(open));
        onOpen(open);
      });
      session.on('Page.javascriptDialogClosed', () => {
        open = undefined;
      });
    },
  };
}
