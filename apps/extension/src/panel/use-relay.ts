import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LentTab, Pairing } from '../wire.ts';
import type { ApprovalClient } from './approval/approval-client.ts';
import type { Approvals, AskedPrompt } from './approval/approvals-fold.ts';
import { usePage } from './page-context.ts';
import { type ConversationState, NO_CONVERSATION, type SessionsPort } from './sessions-port.ts';

/** The panel's own connections to the relay, with the browser's token. */
export interface RelayConnections {
  readonly openApprovalClient: (pairing: Pairing) => ApprovalClient;
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
  readonly approvalClient: ApprovalClient;
  readonly sessions: SessionsPort;
  /** Session for this browser's prompts in the relay (BRG-167). */
  readonly ownSession: string;
}

/** Undefined if not paired. */
export function useRelay({ openApprovalClient, openSessions }: RelayConnections): Relay | undefined {
  const pairing = usePairing();
  const [relay, setRelay] = useState<Relay>();
  useEffect(() => {
    if (pairing === undefined) return;
    const approvalClient = openApprovalClient(pairing);
    const sessions = openSessions(pairing);
    setRelay({ approvalClient, sessions, ownSession: `browser_${pairing.deviceId}` });
    return () => {
      approvalClient.close();
      sessions.close();
      setRelay(undefined);
    };
  }, [pairing, openApprovalClient, openSessions]);
  return relay;
}

/**
 * Questions that this browser asked. Questions about an agent's call are in the agent's session, under the id that
 * this browser gave them (CHT-332).
 */
export function ownPrompts(
  relay: Relay | undefined,
  approvals: Approvals | undefined,
  tabs: readonly LentTab[],
): AskedPrompt[] {
  if (relay === undefined || approvals === undefined) return [];
  const asked = new Set(tabs.flatMap(({ questions }) => questions.flatMap((id) => [id, `browser_${id}`])));
  return [...approvals.prompts.values()].filter(
    ({ session_id, prompt_id }) => session_id === relay.ownSession || asked.has(prompt_id),
  );
}

const silent = () => () => {};

export function useApprovals(relay: Relay | undefined): Approvals | undefined {
  return useSyncExternalStore(relay?.approvalClient.subscribe ?? silent, () => relay?.approvalClient.get());
}

/** One conversation, kept up to date; a new value of `changes` reloads it. */
export function useConversation(
  relay: Relay | undefined,
  sessionId: string | undefined,
  changes: string,
): ConversationState {
  const [view, setView] = useState<ConversationState>(NO_CONVERSATION);
  const [refresh, setRefresh] = useState<() => void>();
  useEffect(() => {
    if (relay === undefined || sessionId === undefined) return;
    const watch = relay.sessions.watch(sessionId, setView);
    setRefresh(() => watch.refresh);
    return () => {
      watch.close();
      setRefresh(undefined);
      setView(NO_CONVERSATION);
    };
  }, [relay, sessionId]);
  // INT-174: nothing depends on push.
  useEffect(() => {
    if (changes !== '') refresh?.();
  }, [changes, refresh]);
  return view;
}
