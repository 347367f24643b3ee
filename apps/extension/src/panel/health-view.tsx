import { type HealthPart, HealthParts } from '@drawbridge/ui';
import type { LentTab, RelayState, TaskServerState } from '../wire.ts';
import type { Approvals } from './approval/approvals-fold.ts';
import { useWorker } from './page-context.ts';
import type { PanelWords } from './words/en.ts';
import { usePanelWords } from './words/use-panel-words.ts';
import type { WorkerView } from './worker-link.ts';

function workerPart({ link }: WorkerView, words: PanelWords['link']): HealthPart {
  const name = words.worker;
  if (link === 'up') return { name, state: 'up', says: words.workerUp };
  return link === 'lost'
    ? { name, state: 'problem', says: words.workerLost }
    : { name, state: 'unknown', says: words.workerConnecting };
}

function relayPart(relay: RelayState, words: PanelWords['link']): HealthPart {
  const name = words.relay;
  switch (relay.kind) {
    case 'unpaired':
      return { name, state: 'down', says: words.relayUnpaired };
    case 'connecting':
      return { name, state: 'problem', says: words.relayConnecting(relay.url) };
    case 'online':
      return { name, state: 'up', says: words.relayOnline(relay.url) };
    case 'offline':
      return { name, state: 'down', says: words.relayOffline(relay.url, relay.why) };
    case 'refused':
      return { name, state: 'down', says: words.relayRefused(relay.why) };
  }
}

function serverPart(server: TaskServerState, words: PanelWords['link']): readonly HealthPart[] {
  const name = words.server;
  switch (server.kind) {
    case 'off':
      return [];
    case 'connecting':
      return [{ name, state: 'problem', says: words.serverConnecting(server.url) }];
    case 'online':
      return [{ name, state: 'up', says: words.serverOnline(server.url) }];
    case 'waiting':
      return [{ name, state: 'down', says: words.serverWaiting(server.url, server.why) }];
  }
}

function tabPart(lent: LentTab | undefined, words: PanelWords['link']): HealthPart {
  const name = words.tab;
  if (lent === undefined) return { name, state: 'unknown', says: words.tabFree };
  return lent.problem === undefined
    ? { name, state: 'up', says: words.tabLent }
    : { name, state: 'problem', says: words.tabProblem(lent.problem) };
}

export interface HealthViewProps {
  readonly lent: LentTab | undefined;
  /** Undefined if not paired. */
  readonly approvals: Approvals | undefined;
}

/** Independent parts: a running worker does not make a relay reachable. */
export function HealthView({ lent, approvals }: HealthViewProps) {
  const words = usePanelWords();
  const view = useWorker();
  const { state } = view;
  if (state === undefined) return null;
  const isOpen = approvals?.link === 'open';
  const chat: readonly HealthPart[] =
    approvals === undefined
      ? []
      : [
          {
            name: words.link.chat,
            state: isOpen ? 'up' : 'down',
            says: isOpen ? words.link.chatOpen : words.link.chatDown,
          },
        ];
  return (
    <div className="border-b border-line bg-surface px-3 py-2">
      <HealthParts
        parts={[
          workerPart(view, words.link),
          relayPart(state.relay, words.link),
          ...chat,
          tabPart(lent, words.link),
          ...serverPart(state.taskServer, words.link),
        ]}
      />
    </div>
  );
}

/** The worst state in one word. */
export function healthWord(view: WorkerView, approvals: Approvals | undefined, { link }: PanelWords) {
  const relay = view.state?.relay;
  if (view.link !== 'up' || relay === undefined || relay.kind === 'connecting')
    return { tone: 'wait', says: link.connecting } as const;
  if (relay.kind === 'unpaired') return { tone: 'quiet', says: link.unpaired } as const;
  if (relay.kind === 'refused') return { tone: 'fail', says: link.refused } as const;
  if (relay.kind === 'offline') return { tone: 'fail', says: link.offline } as const;
  if (approvals !== undefined && approvals.link !== 'open')
    return { tone: 'wait', says: link.connecting } as const;
  return { tone: 'done', says: link.live } as const;
}
