import type { WorkerPort } from '../../../src/panel/worker-link.ts';
import type { PanelCommand, PanelMessage, PanelRequest, WorkerState } from '../../../src/wire.ts';

/** A scripted worker with the same wire over a port pair; can be stopped like Chrome does. */
export interface StandInWorker {
  readonly connect: () => WorkerPort;
  readonly show: (state: WorkerState) => void;
  /** Closes the port; a new connection gets the state first. */
  readonly stop: () => void;
  readonly commands: readonly PanelCommand[];
  /** Refuses further commands of this name with this message; undefined accepts them again. */
  readonly refuse: (name: PanelCommand['do'], message: string | undefined) => void;
  /** Never answers further commands of this name. */
  readonly ignore: (name: PanelCommand['do']) => void;
}

export function createStandInWorker(): StandInWorker {
  const commands: PanelCommand[] = [];
  const refusals = new Map<string, string>();
  const ignored = new Set<string>();
  let state: WorkerState | undefined;
  let end: { readonly say: (message: PanelMessage) => void; readonly cut: () => void } | undefined;

  const answer = ({ id, command }: PanelRequest, say: (message: PanelMessage) => void): void => {
    commands.push(command);
    if (ignored.has(command.do)) return;
    const message = refusals.get(command.do);
    if (command.do === 'set' && message === undefined && state !== undefined) {
      state = { ...state, settings: command.settings };
      say({ kind: 'state', state });
    }
    say(
      message === undefined ? { kind: 'answer', id, ok: true } : { kind: 'answer', id, ok: false, message },
    );
  };

  return {
    commands,
    refuse(name, message) {
      if (message === undefined) refusals.delete(name);
      else refusals.set(name, message);
    },
    ignore: (name) => void ignored.add(name),
    show(next) {
      state = next;
      end?.say({ kind: 'state', state });
    },
    stop() {
      const cut = end?.cut;
      end = undefined;
      cut?.();
    },
    connect() {
      const { port1: page, port2: worker } = new MessageChannel();
      const onCut: (() => void)[] = [];
      const say = (message: PanelMessage): void => worker.postMessage(message);
      const close = (): void => {
        page.close();
        worker.close();
      };
      worker.onmessage = ({ data }: MessageEvent<PanelRequest>) => answer(data, say);
      end = {
        say,
        cut() {
          close();
          for (const run of onCut) run();
        },
      };
      if (state !== undefined) say({ kind: 'state', state });
      return {
        postMessage: (message) => page.postMessage(message),
        onMessage: {
          addListener: (listener) => {
            page.onmessage = ({ data }: MessageEvent<PanelMessage>) => listener(data);
          },
        },
        onDisconnect: { addListener: (listener) => void onCut.push(listener) },
        disconnect: close,
      };
    },
  };
}
