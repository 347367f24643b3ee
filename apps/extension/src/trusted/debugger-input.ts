import { BridgeError } from '@drawbridge/protocol';
import type { Dialog, Dialogs, TrustedInput } from '@drawbridge/runtime';
import {
  createInput,
  createInspectionLog,
  type InputSession,
  type InspectionLog,
  type InspectionOptions,
  type Shield,
  withheld,
} from '@drawbridge/runtime/parts';
import { createDebuggerShield } from './debugger-shield.ts';

type Taken = (work: () => Promise<unknown>) => Promise<void>;

/** Chrome's debugger on one tab, allowed by the person: Chrome shows a bar while attached. */
export interface DebuggerInput {
  readonly input: (taken: Taken) => TrustedInput;
  readonly dialogs: Dialogs;
  /** Developer tools of the tab's own process; frames in other processes are not seen. */
  readonly inspection: (options: Omit<InspectionOptions, 'mainFrameId' | 'attach'>) => InspectionLog;
  /** Covers every frame of the tab except the pressed one. */
  readonly shield: Shield;
  /** Called when the page opens a tab or window. */
  readonly onOpening: (listener: () => void) => void;
  /** Called once per dialog: the page is blocked until it is answered. */
  readonly onDialog: (listener: (dialog: Dialog) => void, holdsSecrets: () => boolean) => void;
  readonly close: () => Promise<void>;
}

/** Attached on first use. */
export function createDebuggerInput(tabId: number): DebuggerInput {
  const target = { tabId };
  const listeners = new Map<string, Set<(params: unknown) => void>>();
  /** Events of the tab itself: frames in other processes have their own context ids. */
  const mainListeners = new Map<string, Set<(params: unknown) => void>>();
  let mainFrameId: string | undefined;
  let log: InspectionLog | undefined;
  let attaching: Promise<void> | undefined;
  let open: Dialog | undefined;
  let written = '';
  let tellOpening = () => {};
  let tellDialog: (dialog: Dialog) => void = () => {};
  let isSecretive = () => false;
  let made: TrustedInput | undefined;

  const shield = createDebuggerShield((sessionId, method, params) =>
    chrome.debugger.sendCommand(
      { tabId, ...(sessionId !== undefined && { sessionId }) },
      method,
      trustParams(params),
    ),
  );
  const onEvent = (source: chrome.debugger.DebuggerSession, method: string, params?: object) => {
    if (source.tabId !== tabId) return;
    shield.onEvent(source.sessionId, method, params);
    for (const listener of listeners.get(method) ?? []) listener(params ?? {});
    if (source.sessionId === undefined)
      for (const listener of mainListeners.get(method) ?? []) listener(params ?? {});
    if (method === 'Page.javascriptDialogOpening') {
      const shown = trustDialog(params);
      written = shown.message;
      open = isSecretive() ? withheld(shown.dialog) : shown;
      tellDialog(open);
    }
    if (method === 'Page.javascriptDialogClosed') open = undefined;
    if (method === 'Page.windowOpen') tellOpening();
  };
  const onDetach = (source: chrome.debugger.Debuggee) => {
    // The person closed Chrome's bar or opened developer tools: the next press attaches again, or fails.
    if (source.tabId !== tabId) return;
    attaching = undefined;
    shield.reset();
    log?.detached();
  };
  chrome.debugger.onEvent.addListener(onEvent);
  chrome.debugger.onDetach.addListener(onDetach);

  const attach = async (): Promise<void> => {
    await chrome.debugger.attach(target, '1.3').catch((error: unknown) => {
      // Still attached by us after a worker restart.
      if (!/already attached/i.test(String(error))) throw refused(error);
    });
    // A background tab accepts input too, so it is not activated.
    await Promise.all([
      shield.attach(),
      chrome.debugger.sendCommand(target, 'Emulation.setFocusEmulationEnabled', { enabled: true }),
    ]);
  };
  const attached = (): Promise<void> => {
    attaching ??= attach().catch((error: unknown) => {
      attaching = undefined;
      throw error;
    });
    return attaching;
  };
  const sessionHearing = (heard: typeof listeners): InputSession => ({
    async send(method, ...[params]) {
      await attached();
      return trustResult(await chrome.debugger.sendCommand(target, method, params).catch(rethrow));
    },
    on(event, listener) {
      const of = heard.get(event) ?? new Set();
      heard.set(event, of);
      const hear = (params: unknown) => listener(trustResult(params));
      of.add(hear);
      return () => of.delete(hear);
    },
  });
  const session = sessionHearing(listeners);

  return {
    input: (taken) => {
      made ??= createInput(session, taken);
      return made;
    },
    dialogs: {
      open: () => open,
      async answer(accept, text) {
        open = undefined;
        await session.send('Page.handleJavaScriptDialog', {
          accept,
          ...(text !== undefined && { promptText: text }),
        });
        return written;
      },
    },
    inspection(options) {
      const main = sessionHearing(mainListeners);
      log = createInspectionLog({
        ...options,
        mainFrameId: () => mainFrameId,
        async attach() {
          const { frameTree } = await main.send('Page.getFrameTree');
          mainFrameId = frameTree.frame.id;
        },
      });
      log.listen(main);
      return log;
    },
    shield: {
      raise: async (token) => {
        await attached();
        await shield.raise(token);
      },
      lower: shield.lower,
    },
    onOpening: (listener) => {
      tellOpening = listener;
    },
    onDialog: (listener, holdsSecrets) => {
      tellDialog = listener;
      isSecretive = holdsSecrets;
    },
    async close() {
      chrome.debugger.onEvent.removeListener(onEvent);
      chrome.debugger.onDetach.removeListener(onDetach);
      log?.close();
      if (attaching !== undefined) await chrome.debugger.detach(target).catch(() => undefined);
    },
  };
}

function refused(error: unknown): BridgeError {
  const said = error instanceof Error ? error.message : String(error);
  const message = `Chrome did not let its debugger in: ${said.slice(0, 200)}. Lend the tab without trusted input, or close the developer tools.`;
  return new BridgeError('capability_unavailable', message, {
    evidence: { capability: 'trusted_input', host: 'extension', reason: 'debugger_refused' },
  });
}

function rethrow(error: unknown): never {
  const said = error instanceof Error ? error.message : String(error);
  throw new BridgeError('handler_failed', `The debugger refused: ${said.slice(0, 200)}. Try again.`, {
    evidence: { reason: 'debugger_refused' },
  });
}

// CDP results are not validated.

function trustDialog(params: unknown): Dialog {
  const { type, message } = params as { type: Dialog['dialog']; message: string };
  return { dialog: type, message };
}

function trustParams(params: object | undefined): Record<string, unknown> | undefined {
  return params as Record<string, unknown> | undefined;
}

function trustResult<Result>(value: unknown): Result {
  return value as Result;
}
