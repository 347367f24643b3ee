import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Pairing } from '../wire.ts';
import type { ApprovalDesk } from './approval/approval-desk.ts';
import type { Approvals } from './approval/approvals-fold.ts';
import { usePage } from './page-context.ts';
import { NO_TALK, type SessionsPort, type TalkView } from './sessions-port.ts';

/** The panel's own connections to the relay, with the browser's token. */
export interface RelayDoors {
  readonly openDesk: (pairing: Pairing) => ApprovalDesk;
  readonly openSessions: (pairing: Pairing) => SessionsPort;
}

export function usePairing(): Pairing | undefined {
  const { ports } = usePage();
  const [pairing, setPairing] = useState<Pairing>();
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      ports.pairing().then(
        (found) => {
          if (!isOver)
            setPairing((known) =>
              known?.token === found?.token && known?.url === found?.url ? known : found,
            );
        },
        () => {},
      );
    };
    read();
    const stop = ports.onPairing(read);
    return () => {
      isOver = true;
      stop();
    };
  }, [ports]);
  return pairing;
}

export interface Relay {
  readonly desk: ApprovalDesk;
  readonly sessions: SessionsPort;
  /** Session for this browser's prompts in the relay (BRG-167). */
  readonly ownSession: string;
}

/** Undefined if not paired. */
export function useRelay({ openDesk, openSessions }: RelayDoors): Relay | undefined {
  const pairing = usePairing();
  const [relay, setRelay] = useState<Relay>();
  useEffect(() => {
    if (pairing === undefined) return;
    const desk = openDesk(pairing);
    const sessions = openSessions(pairing);
    setRelay({ desk, sessions, ownSession: `browser_${pairing.deviceId}` });
    return () => {
      desk.close();
      sessions.close();
      setRelay(undefined);
    };
  }, [pairing, openDesk, openSessions]);
  return relay;
}

const silent = () => () => {};

export function useApprovals(relay: Relay | undefined): Approvals | undefined {
  return useSyncExternalStore(relay?.desk.subscribe ?? silent, () => relay?.desk.get());
}

/** One conversation, kept up to date; a new value of `changes` reloads it. */
export function useTalk(relay: Relay | undefined, sessionId: string | undefined, changes: string): TalkView {
  const [view, setView] = useState<TalkView>(NO_TALK);
  const [refresh, setRefresh] = useState<() => void>();
  useEffect(() => {
    if (relay === undefined || sessionId === undefined) return;
    const watch = relay.sessions.watch(sessionId, setView);
    setRefresh(() => watch.refresh);
    return () => {
      watch.close();
      setRefresh(undefined);
      setView(NO_TALK);
    };
  }, [relay, sessionId]);
  // INT-174: nothing depends on push.
  useEffect(() => {
    if (changes !== '') refresh?.();
  }, [changes, refresh]);
  return view;
}
