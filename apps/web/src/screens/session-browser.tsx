import { Button, Confirm, IconButton, Notice, useWords } from '@drawbridge/ui';
import { AppWindow, Eye, EyeOff, Unplug } from '@drawbridge/ui/icons';
import { useCallback, useEffect, useState } from 'react';
import { isAtHome, useApp, useAppState } from '../app-context.ts';
import { type LentBrowser, lentBrowserApi } from '../client/lent-browser-api.ts';
import { problemText } from '../client/request.ts';
import { isErrorPage } from '../client/tab-api.ts';
import type { Conversation } from '../state/conversation.ts';
import { LendDialog } from './lend-dialog.tsx';
import { LiveView } from './live-view.tsx';
import { usePolled } from './use-polled.ts';

/** Steps report sooner; this notices a tab that was lent or taken back elsewhere. */
const EVERY_MS = 5_000;

/** Changes with each browser step of the conversation. */
const lastStep = (conversation: Conversation | undefined): string => {
  const entry = conversation?.entries.findLast(
    (each) => each.kind === 'message' && each.details?.kind === 'step',
  );
  return entry?.kind === 'message' && entry.details?.kind === 'step' ? entry.id + entry.details.status : '';
};

export interface SessionBrowser {
  readonly lent: Extract<LentBrowser, { lent: true }> | undefined;
  /** A person refused it or took it back. */
  readonly isTaken: boolean;
  /** Whether the agent has acted in a tab. */
  readonly hasActed: boolean;
  readonly reload: () => void;
}

/** The tabs that the agent of a session may use now; undefined without a browser. */
export function useSessionBrowser(session_id: string): SessionBrowser {
  const words = useWords();
  const mark = useAppState((state) => lastStep(state.talks.get(session_id)));
  const load = useCallback(() => lentBrowserApi.get(session_id), [session_id]);
  const { value, reload } = usePolled(load, EVERY_MS, words);
  useEffect(() => {
    if (mark !== '') reload();
  }, [mark, reload]);
  const lent = value?.lent === true ? value : undefined;
  return { lent, isTaken: value?.lent === false && value.taken, hasActed: mark !== '', reload };
}

const hostOf = (url: string): string => URL.parse(url)?.host || url;

/** The tab that the agent used last. The only tab is not the agent’s while it was never used. */
export const shownTab = ({ lent, hasActed }: Pick<SessionBrowser, 'lent' | 'hasActed'>) => {
  if (lent === undefined) return undefined;
  const { tabs, tab, paused_by } = lent;
  const isOnly = tabs.length === 1 && (hasActed || paused_by !== undefined);
  return tabs.find(({ runtime_id }) => runtime_id === tab) ?? (isOnly ? tabs[0] : undefined);
};

interface BrowserStripProps extends SessionBrowser {
  readonly session_id: string;
  /** Undefined where the view is beside the conversation. */
  readonly view: { readonly isOpen: boolean; readonly toggle: () => void } | undefined;
}

/** Shows the agent's scope and tab, with the button to take them back. */
export function BrowserStrip(props: BrowserStripProps) {
  const { session_id, lent, isTaken, hasActed, reload, view } = props;
  const words = useWords();
  const { me } = useApp();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (lent === undefined) return isTaken ? <TakenStrip {...{ session_id, reload }} /> : null;
  const tab = shownTab({ lent, hasActed });
  const isMine = lent.paused_by !== undefined && lent.paused_by === me.label;
  const scope = lent.origins === undefined ? words.browser.everyTab : lent.origins.map(hostOf).join(', ');
  const where = tab
    ? isErrorPage(tab.url)
      ? words.tabs.unreachable
      : tab.url === 'about:blank'
        ? words.browser.isEmpty
        : words.browser.isAt(tab.title || hostOf(tab.url))
    : lent.tabs.length === 0
      ? words.browser.noTab
      : hasActed
        ? words.browser.nowhere
        : words.browser.notYet;
  const tried = (work: Promise<unknown>): void => {
    setProblem(undefined);
    work.then(reload, (error: unknown) => setProblem(problemText(error, words)));
  };
  const isPaused = lent.paused_by !== undefined;
  return (
    <section aria-label={words.browser.title} className="border-b border-line bg-surface">
      <div className="flex items-center gap-2 py-1 ps-3 pe-2">
        <AppWindow size={16} aria-hidden className="shrink-0 text-accent" />
        <p className="min-w-0 flex-1 text-meta">
          <span className="block truncate">{where}</span>
          <span className={`block truncate ${isPaused ? 'text-wait' : 'text-quiet'}`}>
            {lent.stopped
              ? words.browser.stopped
              : lent.paused_by === undefined
                ? words.browser.mayUse(scope)
                : isMine
                  ? words.browser.yours
                  : words.browser.paused(lent.paused_by)}
          </span>
          {lent.beside ? (
            <span className="block truncate text-wait">
              {words.browser.beside(lent.beside.map(({ name }) => name).join(', '))}
            </span>
          ) : null}
        </p>
        {view && tab && isAtHome(me) ? (
          <IconButton
            label={view.isOpen ? words.browser.hide : words.browser.show}
            icon={view.isOpen ? <EyeOff size={18} /> : <Eye size={18} />}
            onClick={view.toggle}
          />
        ) : null}
        {isAtHome(me) && !isPaused && !(lent.came && lent.stopped) ? (
          <IconButton
            label={words.browser.takeBack}
            icon={<Unplug size={18} />}
            onClick={() => setAsking(true)}
          />
        ) : null}
        {isAtHome(me) && !lent.stopped ? (
          <Button
            look={isMine ? 'primary' : 'plain'}
            className="text-meta"
            onClick={() =>
              tried(isPaused ? lentBrowserApi.handBack(session_id) : lentBrowserApi.takeOver(session_id))
            }
          >
            {isPaused ? words.browser.handBack : words.browser.takeOver}
          </Button>
        ) : null}
      </div>
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {isAsking ? (
        <Confirm
          title={words.browser.takeBackAsk}
          says={lent.came ? words.browser.stopSays : words.browser.takeBackSays}
          action={words.browser.takeBack}
          onClose={() => setAsking(false)}
          onConfirm={() => tried(lentBrowserApi.takeBack(session_id))}
        />
      ) : null}
    </section>
  );
}

/** Offers the browser to an agent that has none. */
function TakenStrip({ session_id, reload }: Pick<BrowserStripProps, 'session_id' | 'reload'>) {
  const words = useWords();
  const { me } = useApp();
  const [isLending, setLending] = useState(false);
  return (
    <section
      aria-label={words.browser.title}
      className="flex items-center gap-2 border-b border-line bg-surface py-1 ps-3 pe-2"
    >
      <AppWindow size={16} aria-hidden className="shrink-0 text-quiet" />
      <p className="min-w-0 flex-1 truncate text-meta text-quiet">{words.browser.taken}</p>
      {isAtHome(me) ? (
        <Button className="text-meta" onClick={() => setLending(true)}>
          {words.browser.lend}
        </Button>
      ) : null}
      {isLending ? (
        <LendDialog session_id={session_id} onLent={reload} onClose={() => setLending(false)} />
      ) : null}
    </section>
  );
}

interface BrowserPictureProps extends Pick<SessionBrowser, 'lent' | 'hasActed'> {
  readonly isLow?: boolean;
}

/** The agent's tab, live. */
export function BrowserPicture({ lent, hasActed, isLow = false }: BrowserPictureProps) {
  const { me } = useApp();
  const tab = shownTab({ lent, hasActed });
  return tab && isAtHome(me) ? (
    <LiveView key={tab.runtime_id} runtime_id={tab.runtime_id} isLow={isLow} />
  ) : null;
}
