import { Button, ConnectionBanner, EmptyState, IconButton, useWords } from '@drawbridge/ui';
import { CircleHelp, Command, MessagesSquare } from '@drawbridge/ui/icons';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { useApp, useAppState, usePreferences } from '../app-context.ts';
import { navigate, parseRoute, type Route, usePath } from '../route.ts';
import { ClosedNotices } from './closed-notices.tsx';
import { OwnConfirmation } from './confirmation-card.tsx';
import { useDemoSession } from './demo-button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { HaltButton, PhoneHalt } from './halt-button.tsx';
import { DecisionAnnouncer, HelpDialog, SkipLinks, useShortcuts } from './keyboard.tsx';
import { destinationsOf } from './navigation.ts';
import { SessionListPane } from './session-list-pane.tsx';
import { useVisibleSession } from './use-visible-session.ts';
import { useWaitingDecisions, WaitingDecisions } from './waiting-decisions.tsx';

const conversationPane = () =>
  import('./conversation-pane.tsx').then((all) => ({ default: all.ConversationPane }));
const detailsPane = () => import('./details-pane.tsx').then((all) => ({ default: all.DetailsPane }));
const ConversationPane = lazy(conversationPane);
const DetailsPane = lazy(detailsPane);
const TasksScreen = lazy(() => import('./tasks-screen.tsx').then((all) => ({ default: all.TasksScreen })));
const TabsScreen = lazy(() => import('./tabs-screen.tsx').then((all) => ({ default: all.TabsScreen })));
const DevicesScreen = lazy(() =>
  import('./devices-screen.tsx').then((all) => ({ default: all.DevicesScreen })),
);
const AuditScreen = lazy(() => import('./audit-screen.tsx').then((all) => ({ default: all.AuditScreen })));
const SettingsScreen = lazy(() =>
  import('./settings-screen.tsx').then((all) => ({ default: all.SettingsScreen })),
);
const LaunchDialog = lazy(() => import('./launch-dialog.tsx').then((all) => ({ default: all.LaunchDialog })));
const Palette = lazy(() => import('./palette.tsx').then((all) => ({ default: all.Palette })));

/** Loads the panes that the list does not need. */
export function preloadPanes(): void {
  for (const load of [conversationPane, detailsPane]) load().catch(() => {});
}

/** Up to three columns; one at a time on a phone. */
export function AppShell() {
  const words = useWords();
  const { preferences, me } = useApp();
  const route = parseRoute(usePath());
  const { isDetailsOpen } = usePreferences();
  /** The session whose details cover a phone. */
  const [detailed, setDetailed] = useState<string>();
  const [isLaunching, setLaunching] = useState(false);
  const [isPalette, setPalette] = useState(false);
  const openLaunch = useCallback(() => setLaunching(true), []);
  useAttention();
  useDemoSession();
  const [isHelp, setHelp] = useState(false);
  const openPalette = useCallback(() => setPalette(true), []);
  const openHelp = useCallback(() => setHelp(true), []);
  useShortcuts({ onPalette: openPalette, onHelp: openHelp });

  const session_id = route.screen === 'sessions' ? route.session_id : undefined;
  useVisibleSession(session_id);
  const isList = route.screen === 'sessions' && session_id === undefined;
  const hasDetails = session_id !== undefined;
  const isPhoneDetails = hasDetails && detailed === session_id;
  const isDesk = useMedia('(min-width: 60rem)');
  const isWide = useMedia('(min-width: 76rem)');
  return (
    <div className="flex h-dvh flex-col">
      <SkipLinks />
      <DecisionAnnouncer />
      <Banner />
      <div className="flex min-h-0 flex-1">
        {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles take a name. */}
        <div
          // On a phone the list is the page; beside a conversation it is complementary.
          role={isList && !isDesk ? 'main' : 'complementary'}
          {...(isList && !isDesk && { 'data-content': true, tabIndex: -1 })}
          aria-label={words.nav.sessions}
          className={`min-h-0 w-full flex-col border-line bg-ground desk:flex desk:w-75 desk:shrink-0 huge:w-96 desk:border-e ${isList ? 'flex' : 'hidden'}`}
        >
          <div className="flex items-center gap-2 ps-4 pe-2 pt-2">
            <h1 className="flex-1 font-semibold">{words.app}</h1>
            <LiveMark />
            <PhoneHalt />
            <span className="hidden desk:contents">
              <IconButton
                label={words.palette.open}
                icon={<Command size={17} aria-hidden />}
                onClick={openPalette}
              />
            </span>
            {/* A phone has no keyboard for the palette, and no room for Help at the bottom. */}
            <span className="desk:hidden">
              <IconButton
                label={words.help.open}
                icon={<CircleHelp size={17} aria-hidden />}
                onClick={openHelp}
              />
            </span>
          </div>
          <div className="min-h-0 flex-1">
            <ErrorBoundary>
              <SessionListPane chosen={session_id} isDesk={isDesk} onLaunch={openLaunch} />
            </ErrorBoundary>
          </div>
          <nav aria-label={words.nav.main} className="hidden grid-cols-2 border-t border-line p-2 desk:grid">
            {destinationsOf(me)
              .slice(1)
              .map(({ path, screen, name, Icon }) => (
                <NavLink key={path} path={path} isCurrent={screen === route.screen}>
                  <Icon size={17} aria-hidden />
                  {words.nav[name]}
                </NavLink>
              ))}
            <Button
              look="quiet"
              className="justify-start text-quiet"
              icon={<CircleHelp size={17} aria-hidden />}
              onClick={openHelp}
            >
              {words.help.open}
            </Button>
            <div className="col-span-2">
              <HaltButton />
            </div>
          </nav>
        </div>
        <main
          data-content
          tabIndex={-1}
          className={`min-h-0 min-w-0 flex-1 bg-ground ${isList ? 'hidden desk:block' : ''}`}
        >
          <ErrorBoundary key={`${route.screen} ${session_id}`}>
            <Suspense fallback={<EmptyState>{words.list.loading}</EmptyState>}>
              <Screen
                route={route}
                isViewBeside={isWide && isDetailsOpen}
                onLaunch={isDesk ? openLaunch : undefined}
                onDetails={() =>
                  isWide
                    ? preferences.set({ isDetailsOpen: !isDetailsOpen })
                    : setDetailed(isPhoneDetails ? undefined : session_id)
                }
              />
            </Suspense>
          </ErrorBoundary>
        </main>
        {hasDetails ? (
          <aside
            aria-label={words.session.details}
            className={`border-line bg-surface wide:static wide:w-96 wide:shrink-0 huge:w-104 wide:border-s ${isDetailsOpen ? 'wide:block' : 'wide:hidden'} ${isPhoneDetails ? 'fixed inset-0 z-20 wide:z-auto' : 'hidden'}`}
          >
            <ErrorBoundary>
              <Suspense>
                <DetailsPane
                  session_id={session_id}
                  isViewHere={isWide && isDetailsOpen}
                  onClose={() => setDetailed(undefined)}
                />
              </Suspense>
            </ErrorBoundary>
          </aside>
        ) : null}
      </div>
      {session_id === undefined ? <PhoneBar route={route} /> : null}
      <ClosedNotices />
      <OwnConfirmation />
      {isLaunching ? (
        <Suspense>
          <LaunchDialog onClose={() => setLaunching(false)} />
        </Suspense>
      ) : null}
      {isHelp ? <HelpDialog onClose={() => setHelp(false)} /> : null}
      {isPalette ? (
        <Suspense>
          <Palette onClose={() => setPalette(false)} onLaunch={openLaunch} onHelp={openHelp} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface ScreenProps {
  readonly route: Route;
  readonly isViewBeside: boolean;
  /** Undefined on a phone, where the list has the first steps. */
  readonly onLaunch: (() => void) | undefined;
  readonly onDetails: () => void;
}

function Screen({ route, isViewBeside, onLaunch, onDetails }: ScreenProps) {
  const words = useWords();
  const hasSessions = useAppState((state) => state.sessions.size > 0);
  const hasFirstSteps = useFirstSteps();
  const waiting = useWaitingDecisions();
  const { me } = useApp();
  if (destinationsOf(me).every(({ screen }) => screen !== route.screen))
    return <EmptyState>{words.nav.notYours}</EmptyState>;
  switch (route.screen) {
    case 'tasks':
      return <TasksScreen />;
    case 'tabs':
      return <TabsScreen />;
    case 'devices':
      return <DevicesScreen />;
    case 'audit':
      return <AuditScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'sessions':
      return route.session_id === undefined ? (
        <div className="grid h-full content-center overflow-y-auto p-4">
          {onLaunch && waiting.length > 0 ? (
            <WaitingDecisions waiting={waiting} />
          ) : hasSessions || !hasFirstSteps ? (
            <EmptyState icon={<MessagesSquare size={28} aria-hidden />}>
              {hasSessions ? words.session.choose : words.session.nothing}
            </EmptyState>
          ) : null}
          {onLaunch && hasFirstSteps && waiting.length === 0 ? <FirstSteps onLaunch={onLaunch} /> : null}
        </div>
      ) : (
        <ConversationPane
          key={route.session_id}
          session_id={route.session_id}
          isViewBeside={isViewBeside}
          onDetails={onDetails}
        />
      );
  }
}

interface NavLinkProps {
  readonly path: string;
  readonly isCurrent: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

function NavLink({ path, isCurrent, className = 'w-full justify-start', children }: NavLinkProps) {
  return (
    <a
      href={path}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(path);
      }}
      className={`flex min-h-9 items-center gap-2 rounded-card px-3 [&>svg]:shrink-0 ${isCurrent ? 'bg-accent-soft text-accent' : 'text-quiet hover:bg-sunken hover:text-ink'} ${className}`}
    >
      {children}
    </a>
  );
}

function PhoneBar({ route }: { readonly route: Route }) {
  const words = useWords();
  const { me } = useApp();
  return (
    <nav
      aria-label={words.nav.main}
      className="flex border-t border-line bg-surface px-2 pt-1 pb-[max(4px,env(safe-area-inset-bottom))] desk:hidden"
    >
      {destinationsOf(me)
        .filter(({ isOnPhone }) => isOnPhone)
        .map(({ path, screen, name, Icon }) => (
          <NavLink
            key={path}
            path={path}
            isCurrent={screen === route.screen}
            className="min-h-12 min-w-0 flex-1 flex-col justify-center gap-0! px-1! text-[12px]"
          >
            <Icon size={19} aria-hidden />
            <span className="max-w-full truncate">{words.nav[name]}</span>
          </NavLink>
        ))}
    </nav>
  );
}

function LiveMark() {
  const words = useWords();
  const kind = useAppState((state) => state.link.kind);
  const isLive = kind === 'open';
  return (
    <span className={`flex items-center gap-1.5 text-meta ${isLive ? 'text-done' : 'text-wait'}`}>
      <span aria-hidden className={`size-2 rounded-full ${isLive ? 'bg-done' : 'border border-wait'}`} />
      {isLive ? words.link.live : kind === 'connecting' ? words.link.connecting : words.link.down}
    </span>
  );
}

function Banner() {
  const { client, onSignedOut } = useApp();
  const link = useAppState((state) => state.link);
  const waiting = useAppState((state) => state.pending.length);
  const asOf = useAppState((state) => state.asOf);
  if (link.kind === 'open') return null;
  if (link.kind === 'closed' && !link.isRefused) return null;
  return (
    <ConnectionBanner
      state={link.kind === 'closed' ? 'refused' : link.kind}
      {...(link.kind === 'waiting' && { until: link.until })}
      asOf={asOf}
      waitingMessages={waiting}
      onTry={client.wake}
      onPair={onSignedOut}
    />
  );
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Shows the number of waiting decisions in the tab's title and the app badge. */
function useAttention(): void {
  const words = useWords();
  const talks = useAppState((state) => state.talks);
  const waits = [...talks.values()].reduce(
    (sum, { prompts, questions }) => sum + prompts.size + questions.size,
    0,
  );
  useEffect(() => {
    document.title = waits > 0 ? `(${waits}) ${words.app}` : words.app;
    if ('setAppBadge' in navigator) {
      (waits > 0 ? navigator.setAppBadge(waits) : navigator.clearAppBadge()).catch(() => {});
    }
  }, [waits, words]);
}
