import { type CarriedSecrets, createSurfaceCode, type SurfaceCode } from '@drawbridge/page/calls';
import { signalGuard } from './guard-signal.ts';
import { createHeldFrames } from './held-frames.ts';
import { createLentBorder } from './lent-border.ts';
import { createPagePort } from './page-port.ts';

/** A page that never finishes loading is used as it is. */
const LONGEST_LOAD_MS = 5_000;
const LONGEST_PAINT_MS = 2_000;
/** Time for the browser to composite the frames of all processes. */
const COMPOSED_MS = 50;

/**
 * Interface of one frame for the worker, as JSON text. Runs in the extension's isolated world of one document,
 * unreachable for pages and other extensions.
 */
export function createFrameCode(window: Window & typeof globalThis, onEnd: () => void) {
  const { document } = window;
  const port = createPagePort(window);
  const border = createLentBorder(document);
  const held = createHeldFrames(window, shadowRootOf, (token) => port.send({ kind: 'holds', token }));
  signalGuard();
  let code: SurfaceCode | undefined;
  let givenPrefix: string | undefined;

  const start = (prefix: string, carried: CarriedSecrets): string => {
    // A same-origin frame is served by the page code of its parent.
    if (window.top !== window && window.frameElement !== null) return '-';
    if (code !== undefined && givenPrefix !== undefined) return givenPrefix;
    givenPrefix = prefix;
    const send = (notice: object) => port.send({ kind: 'notice', notice });
    code = createSurfaceCode({
      window,
      prefix,
      hooks: { send, shadowRootOf },
      sendWebTools: send,
      sendSecrets: send,
    });
    code.carrySecrets(carried);
    return prefix;
  };

  const place = () => code?.place() ?? { url: location.origin, title: '' };

  const calls = {
    attach: () => {
      port.open();
      return { top: window.top === window };
    },
    start,
    settled: async () => {
      await parsed(document);
      return { ...(await place()), control: code?.isControl() === true };
    },
    call: async (name: string, args: readonly unknown[]) => ({
      answer: await code?.call(name, args),
      ...place(),
    }),
    announce: (token: string) => {
      window.parent.postMessage(token, '*');
      return true;
    },
    place: held.place,
    show: held.show,
    coverOthers: held.coverOthers,
    uncover: held.uncover,
    painted: () => painted(window),
    lent: (doing: boolean) => {
      border.show(doing);
      return true;
    },
    end: () => {
      border.hide();
      held.close();
      code?.close();
      code = undefined;
      onEnd();
      // Last, so that the worker is notified when everything is off the page.
      port.close();
      return true;
    },
  };
  const table: ReadonlyMap<string, unknown> = new Map(Object.entries(calls));

  return {
    async run(name: string, args: string): Promise<string> {
      const call = table.get(name);
      if (typeof call !== 'function') throw new Error(`No page code is called ${name}.`);
      const answer: unknown = await Reflect.apply(call, undefined, trustList(args));
      return JSON.stringify({ value: answer });
    },
  };
}

/** Includes closed roots: https://developer.chrome.com/docs/extensions/reference/api/dom. */
function shadowRootOf(element: Element): ShadowRoot | undefined {
  if (element.shadowRoot !== null) return element.shadowRoot;
  return element instanceof HTMLElement
    ? (chrome.dom.openOrClosedShadowRoot(element) ?? undefined)
    : undefined;
}

/** Resolves with whether changes are painted: a picture shows the last painted frame. */
async function painted(window: Window): Promise<boolean> {
  const frames = new Promise<boolean>((resolve) => {
    window.requestAnimationFrame(() =>
      window.requestAnimationFrame(() => setTimeout(resolve, COMPOSED_MS, true)),
    );
  });
  return Promise.race([
    frames,
    new Promise<boolean>((resolve) => {
      setTimeout(resolve, LONGEST_PAINT_MS, false);
    }),
  ]);
}

/** Waits for deferred scripts, which run while the document is already interactive. */
async function parsed(document: Document): Promise<void> {
  const [entry] = performance.getEntriesByType('navigation');
  const begun: unknown = entry === undefined ? 0 : Reflect.get(entry, 'domContentLoadedEventStart');
  if (document.readyState === 'complete' || Number(begun) > 0) return;
  await new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', resolve, { once: true });
    setTimeout(resolve, LONGEST_LOAD_MS);
  });
}

function trustList(text: string): unknown[] {
  return JSON.parse(text) as unknown[];
}
