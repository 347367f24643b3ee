import { attributeOf, holdsSecret } from './forms.ts';
import { isElement } from './subject.ts';

/** `look` changes nothing. */
export type HoldOrder = 'hold' | 'release' | 'lift' | 'look';

/** Keeps the page from sending a form by itself while an agent writes in it, and shortly after. */
export interface SubmitHold {
  /** Answers once where a form would have gone that was stopped. */
  readonly order: (order: HoldOrder) => { readonly to: string | null };
  readonly close: () => void;
}

/** Pages that send what was typed mostly wait less for the next key. */
const AFTER_MS = 1_000;
/** A host that is gone does not keep the page from its person. */
const LONGEST_MS = 30_000;
const HOLD_MS: Readonly<Record<Exclude<HoldOrder, 'look'>, number>> = {
  hold: LONGEST_MS,
  release: AFTER_MS,
  lift: 0,
};

export function createSubmitHold(window: Window & typeof globalThis): SubmitHold {
  let until = 0;
  let to: string | null = null;
  const closing = new AbortController();
  const known = new WeakSet<object>();
  const isHeld = () => performance.now() < until;
  const stop = (event: Event, url: string) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    to ??= url;
  };
  /** `form.submit()` sends no event of its own, and navigates all the same. */
  const onNavigate = (event: Event) => {
    const data: unknown = Reflect.get(event, 'formData');
    if (!isHeld() || data === null || data === undefined) return;
    stop(event, String(Reflect.get(Object(Reflect.get(event, 'destination')), 'url')));
  };
  const onSubmit = (event: Event) => {
    const form = event.target;
    if (!isHeld() || !isElement(form)) return;
    const sender: unknown = Reflect.get(event, 'submitter');
    const button = isElement(sender) ? sender : undefined;
    const method = attributeOf(button, 'formmethod') ?? attributeOf(form, 'method') ?? 'get';
    if (method.toLowerCase() !== 'post' && !holdsSecret(form)) return;
    stop(event, attributeOf(button, 'formaction') ?? attributeOf(form, 'action') ?? form.ownerDocument.URL);
  };
  const listen = (place: Window) => {
    const listeners = { capture: true, signal: closing.signal };
    const { document } = place;
    if (known.has(document)) return;
    known.add(document);
    const navigation: unknown = Reflect.get(place, 'navigation');
    if (navigation instanceof Object && 'addEventListener' in navigation)
      parseTarget(navigation).addEventListener('navigate', onNavigate, listeners);
    place.addEventListener('submit', onSubmit, listeners);
  };
  /** Frames of other origins have page code of their own. */
  const listenIn = (place: Window) => {
    try {
      listen(place);
    } catch {
      return;
    }
    for (let at = 0; at < place.length; at++) {
      const inner = place[at];
      if (inner !== undefined) listenIn(inner);
    }
  };
  listen(window);
  return {
    order(order) {
      if (order === 'hold') listenIn(window);
      if (order !== 'look') until = performance.now() + HOLD_MS[order];
      const stopped = order === 'hold' ? null : to;
      to = null;
      return { to: stopped };
    },
    close: () => closing.abort(),
  };
}

function parseTarget(target: object): EventTarget {
  return target as EventTarget;
}
