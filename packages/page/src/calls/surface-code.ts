import type { Page, PageHooks } from '../page.ts';
import type { PageAnswer } from '../page-call.ts';
import { type CarriedSecrets, createPageInternals, type SecretsNotice } from '../page-internals.ts';
import type { RecorderCalls, RecorderCallsOptions } from '../record/recorder-calls.ts';
import { watchControlPage } from './control-page.ts';
import { createFormHold } from './form-hold.ts';
import { callInPage } from './in-page-calls.ts';
import { createLeavingLog } from './leaving-log.ts';
import { createLooseSecrets } from './loose-secrets.ts';
import { createOfferedTools, type OfferedCallNotice } from './offered-tools.ts';
import { createOverlays } from './overlays.ts';
import { createWebTools, type WebToolsNotice } from './web-tools.ts';

export interface SurfaceCodeOptions {
  readonly window: Window & typeof globalThis;
  readonly hooks?: PageHooks;
  /** For a host that records a person's actions; without it there is no recorder. */
  readonly record?: (parts: Pick<RecorderCallsOptions, 'document' | 'page'>) => RecorderCalls;
  /** Reports changes of the page's tools, and calls of ours by its agent. */
  readonly sendWebTools?: (notice: WebToolsNotice | OfferedCallNotice) => void;
  /** Reports each secret and each text of the agent, which the tab's next document may repeat. */
  readonly sendSecrets?: (notice: SecretsNotice) => void;
  /** Distinguishes the ids of a frame with its own page code: `f2_`. */
  readonly prefix?: string;
}

/** The page and the page side of every primitive behind one `call`. */
export interface SurfaceCode {
  readonly page: Page;
  readonly call: (name: string, args?: readonly unknown[]) => PageAnswer | Promise<PageAnswer>;
  /** Returns JSON, because a browser takes three times as long to copy a large object. */
  readonly callForText: (name: string, args?: readonly unknown[]) => string | Promise<string>;
  /** Whether the document is a page of a relay, where nothing is answered. */
  readonly isControl: () => boolean;
  /** Address and title with secrets masked, since a page may put one into either. */
  readonly place: () => { readonly url: string; readonly title: string };
  /** Takes over the secrets of earlier documents of the tab. */
  readonly carrySecrets: (known: CarriedSecrets) => void;
  /** Removes everything of ours from the page. */
  readonly close: () => void;
}

export function createSurfaceCode(options: SurfaceCodeOptions): SurfaceCode {
  const { window, hooks = {}, record, sendWebTools, sendSecrets, prefix = '' } = options;
  const { document } = window;
  // Before the leaving log, which must not count a navigation that was stopped.
  const formHold = createFormHold(window, prefix);
  const leaving = createLeavingLog(window);
  const overlays = createOverlays(document);
  const onLook = () => looseSecrets.look();
  const pageInternals = createPageInternals({ window, hooks: { ...hooks, onLook }, prefix });
  const looseSecrets = createLooseSecrets(document, pageInternals.moment);
  const { page, seenCleaner: clean } = pageInternals;
  if (sendSecrets !== undefined) pageInternals.followSecrets(sendSecrets);
  const recorder = record?.({ document, page });
  const offeredTools = createOfferedTools(document, (notice) => sendWebTools?.(notice));
  const webTools = createWebTools(document, () => sendWebTools?.({ type: 'webtools' }), offeredTools.has);
  const close = () => {
    webTools.close();
    offeredTools.close();
    leaving.close();
    formHold.close();
    overlays.removeAll();
    recorder?.close();
    page.close();
  };
  const tools = { webTools, offeredTools };
  const parts = { pageInternals, leaving, formHold, looseSecrets, overlays, recorder };
  const context = { window, document, page: { ...page, close }, ...parts, ...tools };
  const isControl = watchControlPage(document);
  const call: SurfaceCode['call'] = (name, args = []) =>
    isControl() ? REFUSED : callInPage(context, name, args);
  const callForText: SurfaceCode['callForText'] = (name, args) => {
    const answer = call(name, args);
    return answer instanceof Promise ? answer.then(asText) : asText(answer);
  };
  const place = () => ({ url: clean(document.URL), title: clean(document.title) });
  return {
    page: context.page,
    close,
    call,
    callForText,
    place,
    isControl,
    carrySecrets: pageInternals.carrySecrets,
  };
}

const REFUSED: PageAnswer = {
  ok: false,
  error: {
    code: 'permission_denied',
    message: 'This is a page of a relay, where no agent may do anything. Go on in another tab.',
    evidence: { reason: 'control_plane' },
  },
};

const asText = (answer: PageAnswer): string => JSON.stringify(answer);
