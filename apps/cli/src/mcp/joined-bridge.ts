import { randomUUID } from 'node:crypto';
import { type AgentSide, createRemoteBridge } from '@drawbridge/bridge';
import { connectWebSocket } from '@drawbridge/link';
import type { BridgeFile } from '../browser/bridge-file.ts';

export interface JoinedBridge extends AgentSide {
  /** Resolves when the other process has ended or refuses us. */
  readonly over: Promise<void>;
  readonly close: () => void;
}

/** On a machine that also starts browsers. */
const OPENING_MS = 15_000;

/** Connects to a running `drawbridge browser`; undefined if it does not answer. */
export async function joinBridge(
  { url, token }: Omit<BridgeFile, 'pid'> & Partial<BridgeFile>,
  isLent: () => Promise<boolean>,
): Promise<JoinedBridge | undefined> {
  const link = connectWebSocket({ url: `${url.replace(/^http/, 'ws')}/ws/agent`, token });
  const remote = createRemoteBridge({ send: link.send, newId: randomUUID });
  link.onItem(remote.receive);
  link.onProblem((trouble) => {
    if (trouble.kind === 'lost') remote.lost(trouble.error);
  });
  const opened = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), OPENING_MS);
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    link.onState((state) => {
      if (state.kind === 'open' && !state.resumed) remote.opened();
      if (state.kind === 'closed') settle(false);
    });
    // The handshake is answered after its tabs are listed.
    link.onItem(({ type }) => {
      if (type === 'agent_hello') settle(true);
    });
  });
  const over = new Promise<void>((resolve) => {
    link.onState(async (state) => {
      // A link retries forever, but the browser may be gone for good.
      if (state.kind === 'waiting' && !(await isLent())) link.close();
      if (state.kind !== 'closed') return;
      remote.lost(state.error);
      resolve();
    });
  });
  if (await opened) return { ...remote, over, close: link.close };
  link.close();
  return undefined;
}
