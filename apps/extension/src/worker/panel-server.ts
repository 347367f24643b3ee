import type { PanelCommand, PanelMessage, PanelRequest, WorkerState } from '../wire.ts';
import { PANEL_PORT } from '../wire.ts';
import type { HeldPort } from './held-port.ts';
import { isFromOwnPage } from './senders.ts';

export interface PanelServer {
  /** Accepts ports of our own pages, and closes any other. */
  readonly take: (held: HeldPort) => void;
  /** Schedules one state update to all pages. */
  readonly changed: () => void;
}

export function createPanelServer(
  state: () => WorkerState,
  run: (command: PanelCommand) => Promise<void>,
  onOpen: () => void,
): PanelServer {
  const ports = new Set<chrome.runtime.Port>();
  let isDue = false;
  const post = (port: chrome.runtime.Port, message: PanelMessage) => {
    try {
      port.postMessage(message);
    } catch {
      // Closed while the command ran.
      ports.delete(port);
    }
  };
  const answer = async (port: chrome.runtime.Port, { id, command }: PanelRequest): Promise<void> => {
    try {
      await run(command);
      post(port, { kind: 'answer', id, ok: true });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      post(port, { kind: 'answer', id, ok: false, message });
    }
  };

  return {
    take({ port, listen }) {
      if (port.name !== PANEL_PORT || port.sender === undefined || !isFromOwnPage(port.sender)) {
        port.disconnect();
        return;
      }
      ports.add(port);
      post(port, { kind: 'state', state: state() });
      listen(
        (message) => {
          if (isRequest(message)) void answer(port, message);
        },
        () => ports.delete(port),
      );
      onOpen();
    },
    changed() {
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        if (ports.size === 0) return;
        const message: PanelMessage = { kind: 'state', state: state() };
        for (const port of ports) post(port, message);
      });
    },
  };
}

/** Messages of other shapes come from pages of an earlier version. */
const isRequest = (message: unknown): message is PanelRequest =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'string' &&
  'command' in message &&
  typeof message.command === 'object' &&
  message.command !== null &&
  'do' in message.command;
