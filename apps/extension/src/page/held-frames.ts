import { type FramePosition, positionOfFrame, showFrame } from '@drawbridge/page/calls';

/** Cross-origin frames of one document: Chrome does not tell extensions which element is which frame. */
export interface HeldFrames {
  readonly place: (token: string, x?: number, y?: number) => FramePosition | undefined;
  readonly show: (token: string, x?: number, y?: number) => Promise<boolean>;
  /** Covers every frame that page code cannot read, as its secrets are unknown. Returns how many. */
  readonly coverOthers: (tokens: readonly string[]) => number;
  readonly uncover: () => void;
  readonly close: () => void;
}

const TOKEN = /^drawbridge:frame:[\da-f-]{36}$/;
/** Bounds the tokens that a page can send. */
const MAX_FRAMES = 500;

export function createHeldFrames(
  window: Window & typeof globalThis,
  rootOf: (element: Element) => ShadowRoot | undefined,
  onToken: (token: string) => void,
): HeldFrames {
  const { document } = window;
  const sources = new Map<string, MessageEventSource>();
  const covers = new Set<Element>();

  const onMessage = (event: MessageEvent) => {
    const { data, source } = event;
    if (typeof data !== 'string' || source === null || !TOKEN.test(data)) return;
    event.stopImmediatePropagation();
    sources.set(data, source);
    const [oldest] = sources.keys();
    if (sources.size > MAX_FRAMES && oldest !== undefined) sources.delete(oldest);
    onToken(data);
  };
  window.addEventListener('message', onMessage, { capture: true });

  const frames = () => framesIn(document, rootOf);
  const ownerOf = (token: string): HTMLElement | undefined => {
    const source = sources.get(token);
    return source === undefined
      ? undefined
      : frames().find((frame) => Reflect.get(frame, 'contentWindow') === source);
  };
  const uncover = () => {
    for (const cover of covers) cover.remove();
    covers.clear();
  };

  return {
    place: (token, x, y) => {
      const owner = ownerOf(token);
      return owner && positionOfFrame.call(owner, x, y);
    },
    async show(token, x, y) {
      const owner = ownerOf(token);
      if (owner !== undefined) await showFrame.call(owner, x, y);
      return owner !== undefined;
    },
    coverOthers(tokens) {
      uncover();
      const known = new Set(tokens.map(ownerOf));
      // A frame with its own page code is covered from inside.
      for (const frame of frames().filter((each) => documentOf(each) === null && !known.has(each))) {
        const cover = coverOf(frame, document);
        if (cover !== undefined) covers.add(cover);
      }
      return covers.size;
    },
    uncover,
    close() {
      window.removeEventListener('message', onMessage, { capture: true });
      sources.clear();
      uncover();
    },
  };
}

/** Includes shadow roots, closed ones too, and same-origin frames. */
function framesIn(
  root: Document | ShadowRoot,
  rootOf: (element: Element) => ShadowRoot | undefined,
): HTMLElement[] {
  return [...root.querySelectorAll('*')].flatMap((element): HTMLElement[] => {
    const shadow = rootOf(element);
    const inside = shadow === undefined ? [] : framesIn(shadow, rootOf);
    if (!isFrame(element)) return inside;
    const inner = documentOf(element);
    return [element, ...inside, ...(inner === null ? [] : framesIn(inner, rootOf))];
  });
}

/** Every element that embeds another document. */
const FRAMES = 'iframe, frame, object[data], embed, fencedframe';
const isFrame = (element: Element): element is HTMLElement =>
  element.matches(FRAMES) && 'offsetWidth' in element;

/** Null where page code cannot read it; `embed` and `fencedframe` never expose it. */
function documentOf(frame: HTMLElement): Document | null {
  const inner: unknown = Reflect.get(frame, 'contentDocument');
  return isDocument(inner) ? inner : null;
}

/** By node type: objects of a frame belong to another realm. */
const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'nodeType') === 9;

function coverOf(frame: HTMLElement, document: Document): Element | undefined {
  const { left, top, width, height } = positionOfFrame.call(frame);
  if (width <= 0 || height <= 0) return undefined;
  const cover = document.createElement('div');
  cover.setAttribute('data-drawbridge', 'cover');
  cover.style.cssText = `all:initial!important;position:fixed!important;left:${left}px!important;top:${top}px!important;width:${width}px!important;height:${height}px!important;background:#000!important;z-index:2147483647!important;pointer-events:none!important`;
  document.documentElement.append(cover);
  return cover;
}
