import { DictationContext, EmptyState, en, useWords, type Words, WordsContext } from '@drawbridge/ui';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { AppContext, isAtHome, isOwner } from './app-context.ts';
import { api, type Me } from './client/api.ts';
import { type Connection, openConnection } from './client/connection.ts';
import { createDemoWatch, type DemoWatch } from './client/demo-watch.ts';
import { forgetDevice } from './client/memory.ts';
import { pairDevice } from './client/pair-device.ts';
import { rememberedMe, rememberMe } from './client/remembered-device.ts';
import { AppShell } from './screens/app-shell.tsx';
import { isUnpaired, PairScreen } from './screens/pair-screen.tsx';
import type { PreferenceStore, Preferences } from './state/preferences.ts';

type Gate =
  | { readonly kind: 'looking' | 'pairing' }
  | { readonly kind: 'unpaired'; readonly problem?: string }
  | { readonly kind: 'paired'; readonly me: Me };

const pairingSecret = (): string | undefined => /^#pair=(.+)$/.exec(location.hash)?.[1];

/** Pairings that run, by secret: React runs an effect twice during development. */
const pairings = new Map<string, Promise<Me>>();

/** The secret leaves the address and the history when the pairing is over, so that a reload repeats it. */
function pairOnce(secret: string): Promise<Me> {
  const running =
    pairings.get(secret) ??
    pairDevice(secret).finally(() => {
      pairings.delete(secret);
      if (pairingSecret() === secret) history.replaceState(null, '', '/');
    });
  pairings.set(secret, running);
  return running;
}

/** Undefined while another language loads: it is not in the first bundle. */
function useLanguage({ language }: Preferences): Words | undefined {
  const [german, setGerman] = useState<Words>();
  const isGerman = (language === 'system' ? navigator.language : language).startsWith('de');
  useEffect(() => {
    if (!isGerman) return;
    import('@drawbridge/ui/german').then(
      ({ de }) => setGerman(de),
      () => setGerman(en),
    );
  }, [isGerman]);
  return isGerman ? german : en;
}

export function Root({ preferences }: { readonly preferences: PreferenceStore }) {
  const known = useSyncExternalStore(preferences.subscribe, preferences.get);
  const spoken = useLanguage(known);
  const words = spoken ?? en;
  const [gate, setGate] = useState<Gate>({ kind: 'looking' });
  useLook(known, words.locale);

  const onPaired = useCallback((me: Me) => {
    rememberMe(me);
    setGate({ kind: 'paired', me });
  }, []);
  useEffect(() => {
    const look = (problem?: string): void => {
      api.me().then(onPaired, (error: unknown) => {
        const me = rememberedMe();
        if (isUnpaired(error)) {
          // Revoked while it was away.
          if (me !== undefined) forgetDevice(me.device_id, preferences);
          rememberMe(undefined);
          setGate({ kind: 'unpaired', ...(problem !== undefined && { problem }) });
        }
        // Opens offline with the stored state.
        else if (me !== undefined) setGate({ kind: 'paired', me });
        else setGate({ kind: 'unpaired', problem: '' });
      });
    };
    const pair = (secret: string): void => {
      setGate({ kind: 'pairing' });
      pairOnce(secret).then(onPaired, (error: unknown) => look(error instanceof Error ? error.message : ''));
    };
    const secret = pairingSecret();
    if (secret === undefined) look();
    else pair(secret);
    // Opening a link in the running app loads no page.
    const onHash = (): void => {
      const other = pairingSecret();
      if (other !== undefined) pair(other);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, [onPaired, preferences]);

  if (spoken === undefined) return null;
  return (
    <WordsContext value={words}>
      {gate.kind === 'paired' ? (
        <DictationContext
          value={{
            isKnown: known.isDictationKnown,
            onKnown: () => preferences.set({ isDictationKnown: true }),
          }}
        >
          <Paired
            me={gate.me}
            preferences={preferences}
            onSignedOut={(problem) => {
              rememberMe(undefined);
              forgetDevice(gate.me.device_id, preferences);
              setGate({ kind: 'unpaired', ...(problem !== undefined && { problem }) });
            }}
          />
        </DictationContext>
      ) : gate.kind === 'unpaired' ? (
        <PairScreen problem={gate.problem} onPaired={onPaired} />
      ) : (
        <EmptyState>{gate.kind === 'pairing' ? words.pair.pairing : words.pair.looking}</EmptyState>
      )}
    </WordsContext>
  );
}

interface PairedProps {
  readonly me: Me;
  readonly preferences: PreferenceStore;
  readonly onSignedOut: (problem?: string) => void;
}

function Paired({ me, preferences, onSignedOut }: PairedProps) {
  const [connection, setConnection] = useState<Connection>();
  const { device_id } = me;
  useEffect(() => {
    const opened = openConnection(device_id, preferences);
    setConnection(opened);
    return opened.client.close;
  }, [device_id, preferences]);
  const words = useWords();
  const signOut = useRef(onSignedOut);
  signOut.current = onSignedOut;
  useEffect(() => {
    const store = connection?.store;
    return store?.subscribe(() => {
      const { link } = store.get();
      // Revoked: nothing that this device knew stays on its screen.
      if (link.kind === 'closed' && link.isRefused) signOut.current(words.link.refused);
    });
  }, [connection, words]);
  const demo = useDemoWatch(me);
  if (connection === undefined || demo === undefined) return null;
  return (
    <AppContext value={{ ...connection, preferences, api, me, demo, onSignedOut: () => onSignedOut() }}>
      <AppShell />
    </AppContext>
  );
}

function useDemoWatch(me: Me): DemoWatch | undefined {
  const words = useWords();
  const [demo, setDemo] = useState<DemoWatch>();
  const isAllowed = isOwner(me) && isAtHome(me);
  useEffect(() => {
    const opened = createDemoWatch(() => words);
    setDemo(opened);
    if (isAllowed) void opened.look();
    return opened.close;
  }, [isAllowed, words]);
  return demo;
}

function useLook({ theme }: Preferences, locale: string): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const show = (): void => {
      const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
      document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
    };
    show();
    dark.addEventListener('change', show);
    return () => dark.removeEventListener('change', show);
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
}
