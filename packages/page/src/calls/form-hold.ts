import { pageClock } from '../watch/clock.ts';
import { isElement, nodeFact } from './find-target.ts';
import { attributeOf, documentOf, holdsSecret, isForm } from './forms.ts';

/**
 * `release` keeps the hold for a while, because pages debounce, count down or ask a server first; `drop` also
 * forgets the stopped form; `look` changes nothing.
 */
export type HoldOrder = 'raise' | 'release' | 'look' | 'lift' | 'drop';

/** Stops forms that the page sends by itself during an act of an agent that nobody permitted to send one. */
export type FormHold = ReturnType<typeof createFormHold>;

/** The answer to the host. */
export interface StoppedForm {
  readonly token: string;
  readonly to: string;
}

export interface Stopped {
  readonly form: Element;
  readonly submitter: Element | undefined;
}

type Sending = 'request' | 'submit' | 'event';
type Kept = StoppedForm & Partial<Stopped> & { readonly sending: Sending };

/** Pages debounce, count down, or get a payment token for less than this. */
const AFTER_MS = 10_000;
/** A host that is gone must not block the person. */
const RAISED_MS = 60_000;
/** As long as a person may take to answer; their own input ends it. */
const ASKED_MS = 300_000;
/** Reveal the shadow roots in which a form may be sent: `submit` and `formdata` do not leave them. */
const COMPOSED = ['input', 'click', 'keydown', 'focusin', 'focusout', 'pointerdown'];
const PERSONAL: ReadonlySet<string> = new Set(['pointerdown', 'keydown']);

export function createFormHold(window: Window & typeof globalThis, prefix: string) {
  let until = 0;
  let isActing = false;
  let kept: Kept | undefined;
  let count = 0;
  const closing = new AbortController();
  const listening = { capture: true, signal: closing.signal };
  const isHeld = () => performance.now() < until;
  const holdFor = (ms: number) => {
    until = performance.now() + ms;
  };

  const keep = (found: Omit<Kept, 'token'>) => {
    kept ??= { token: `${prefix}${++count}`, ...found };
  };
  const stop = (event: Event, found: Omit<Kept, 'token'>) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    keep(found);
  };
  const onSubmit = (event: Event) => {
    const form = event.target;
    if (!isHeld() || !isElement(form) || !isForm(form)) return;
    const sender: unknown = Reflect.get(event, 'submitter');
    const submitter = isElement(sender) ? sender : undefined;
    if (!asksFirst(form, submitter)) return;
    stop(event, { form, submitter, to: addressOf(form, submitter), sending: sendingOf(event) });
  };
  /** `form.submit()` dispatches no `submit` event, and navigates in a later task. */
  const onNavigate = (event: Event) => {
    if (!isHeld()) return;
    const data: unknown = Reflect.get(event, 'formData');
    const source: unknown = Reflect.get(event, 'sourceElement');
    const form = isElement(source) ? formFrom(source) : undefined;
    const submitter = isElement(source) && source !== form ? source : undefined;
    // A GET form has its data in the address.
    const isPost = data !== null && data !== undefined;
    if (!isPost && (form === undefined || !asksFirst(form, submitter))) return;
    const to = String(Reflect.get(Object(Reflect.get(event, 'destination')), 'url'));
    const sending = submitter === undefined ? 'submit' : 'request';
    stop(event, { ...(form && { form }), submitter, to, sending });
  };
  /** The form may be for a new window, for a frame that the page has just made, or for one that reports no navigation. */
  const onFormData = ({ target: form }: Event) => {
    if (!isHeld() || !isElement(form) || !asksFirst(form, undefined)) return;
    listenIn(window);
    const place = targetOf(form);
    if (place !== undefined && reportsNavigation(place)) return;
    keep({ form, submitter: undefined, to: addressOf(form, undefined), sending: 'submit' });
    cancelSubmission(form);
  };
  const onComposed = (event: Event) => {
    if (!isHeld()) return;
    // Between two acts of the agent, trusted input is the person's.
    if (!isActing && event.isTrusted && PERSONAL.has(event.type)) return lift();
    for (const place of event.composedPath()) if (isShadowRoot(place)) listenTo(place);
  };
  const lift = () => {
    until = 0;
    kept = undefined;
  };

  // Added again with each act: `document.open()` removes listeners, and the same one counts once.
  const listenTo = (place: EventTarget) => {
    place.addEventListener('submit', onSubmit, listening);
    place.addEventListener('formdata', onFormData, listening);
  };
  const listen = (place: Window) => {
    const navigation: unknown = Reflect.get(place, 'navigation');
    if (isTarget(navigation)) navigation.addEventListener('navigate', onNavigate, listening);
    listenTo(place);
    for (const type of COMPOSED) place.addEventListener(type, onComposed, listening);
  };
  /** Frames of other origins run separate page code. */
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

  const keptFor = (token: string) => (kept?.token === `${prefix}${token}` ? kept : undefined);
  const isNamed = (found: Kept | undefined): found is Kept & Stopped => found?.form !== undefined;

  return {
    /** The stopped form, for a `release` or a `look`. */
    async order(order: HoldOrder): Promise<StoppedForm | null> {
      if (order !== 'look') isActing = order === 'raise';
      if (order === 'lift') lift();
      else if (order === 'raise') {
        listenIn(window);
        holdFor(RAISED_MS);
      } else if (order === 'drop') {
        kept = undefined;
        holdFor(AFTER_MS);
      } else {
        if (order === 'release' && kept === undefined) await laterTasks();
        // Raised again by the next act; or a document to which the act led, such as one that signs a person in.
        if (isActing || until === 0) return null;
        if (kept !== undefined) holdFor(ASKED_MS);
        else if (order === 'release') holdFor(AFTER_MS);
        return kept === undefined ? null : { token: kept.token, to: kept.to };
      }
      return null;
    },
    /** Undefined for an unknown token, and for a form that the browser did not name. */
    stopped(token: string): Stopped | undefined {
      const found = keptFor(token);
      return isNamed(found) ? found : undefined;
    },
    /** Lifts the hold and sends the form the way the page did. */
    send(token: string): boolean {
      const found = keptFor(token);
      if (!isNamed(found)) return false;
      lift();
      sendForm(found);
      return true;
    },
    close: () => closing.abort(),
  };
}

/** A submission navigates in a later task. */
async function laterTasks(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise<void>((resolve) => pageClock.setTimeout(resolve, 0));
}

/** The window that `form.submit()` would navigate; undefined for a new one. */
function targetOf(form: Element): Window | undefined {
  const document = documentOf(form);
  const base = document.querySelector('base[target]')?.getAttribute('target');
  const name = attributeOf(form, 'target') ?? base ?? '';
  const view = document.defaultView ?? undefined;
  if (/^(?:_self)?$/i.test(name)) return view;
  if (/^_top$/i.test(name)) return view?.top ?? undefined;
  if (/^_parent$/i.test(name)) return view?.parent;
  const frames = [...document.querySelectorAll('iframe, frame, object')];
  const frame = frames.find((each) => each.getAttribute('name') === name);
  return frame && trustWindow(Reflect.get(frame, 'contentWindow'));
}

/** Neither a window of another origin does, nor one with its initial empty document. */
function reportsNavigation(place: Window): boolean {
  try {
    return Reflect.get(Object(Reflect.get(place, 'navigation')), 'currentEntry') !== null;
  } catch {
    return false;
  }
}

/**
 * The browser drops a scheduled submission when its form leaves the document for a moment. A submission to a
 * new window is scheduled only if the window gets an opener; otherwise it leaves at once.
 */
function cancelSubmission(form: Element): void {
  const mark = documentOf(form).createComment('');
  const rel = attributeOf(form, 'rel');
  Element.prototype.setAttribute.call(form, 'rel', 'opener');
  Element.prototype.before.call(form, mark);
  Element.prototype.remove.call(form);
  queueMicrotask(() => {
    if (rel === undefined) Element.prototype.removeAttribute.call(form, 'rel');
    else Element.prototype.setAttribute.call(form, 'rel', rel);
    mark.replaceWith(form);
  });
}

/** Pressing its button would ask: POST, or a form with a secret, in which nothing is harmless. */
function asksFirst(form: Element, submitter: Element | undefined): boolean {
  const method = (attributeOf(submitter, 'formmethod') ?? attributeOf(form, 'method') ?? 'get').toLowerCase();
  return method === 'post' || (method !== 'dialog' && holdsSecret(form));
}

const addressOf = (form: Element, submitter: Element | undefined): string =>
  attributeOf(submitter, 'formaction') ?? attributeOf(form, 'action') ?? documentOf(form).URL;

/** A script that dispatches the event itself calls the page's listeners, and the browser sends nothing. */
const sendingOf = ({ isTrusted }: Event): Sending => (isTrusted ? 'request' : 'event');

function formFrom(source: Element): Element | undefined {
  if (isForm(source)) return source;
  const owner: unknown = Reflect.get(source, 'form');
  return isElement(owner) ? owner : undefined;
}

function sendForm({ form, submitter, sending }: Stopped & Pick<Kept, 'sending'>): void {
  // Scripts that make a form for one submission remove it at once.
  if (nodeFact(form, 'isConnected') !== true) documentOf(form).body.append(form);
  if (sending === 'submit') return void HTMLFormElement.prototype.submit.call(trustForm(form));
  if (sending === 'event') {
    const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
    return void EventTarget.prototype.dispatchEvent.call(form, event);
  }
  const isOwn = submitter?.isConnected === true && Reflect.get(submitter, 'form') === form;
  HTMLFormElement.prototype.requestSubmit.call(trustForm(form), isOwn ? trustButton(submitter) : undefined);
}

// By their shape: objects of a frame are of another realm.

const isShadowRoot = (place: EventTarget): boolean =>
  Reflect.get(place, 'nodeType') === 11 && Reflect.get(place, 'host') !== undefined;

const isTarget = (value: unknown): value is EventTarget =>
  typeof value === 'object' && value !== null && 'addEventListener' in value;

function trustWindow(value: unknown): Window {
  return value as Window;
}

function trustForm(form: Element): HTMLFormElement {
  return form as HTMLFormElement;
}

function trustButton(button: Element): HTMLElement {
  return button as HTMLElement;
}
