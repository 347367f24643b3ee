import { type BridgeItem, visibleJson } from '@drawbridge/protocol';
import { oneLine } from './answer/fence.ts';

/**
 * Unsolicited page events since the agent's last look. Sent with the next answer about that tab, inside its
 * fence: data of the page, never a person's message (BRG-105).
 */
export interface PageEvents {
  readonly receive: (item: BridgeItem) => void;
  readonly forget: (runtimeId: string) => void;
  /** One line each, returned once. */
  readonly take: (runtimeId: string) => readonly string[];
}

const MAX_EVENTS = 5;
const MOST_CHARACTERS = 300;

export function createPageEvents(): PageEvents {
  const waiting = new Map<string, string[]>();
  return {
    receive(item) {
      if (item.type !== 'dom_event') return;
      const lines = waiting.get(item.runtime_id) ?? [];
      lines.push(oneLine(`event ${item.name} ${visibleJson(item.payload)}`, MOST_CHARACTERS));
      waiting.set(item.runtime_id, lines.slice(-MAX_EVENTS));
    },
    forget: (runtimeId) => void waiting.delete(runtimeId),
    take(runtimeId) {
      const lines = waiting.get(runtimeId) ?? [];
      waiting.delete(runtimeId);
      return lines;
    },
  };
}
