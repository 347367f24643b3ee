import { pageClock } from '../watch/clock.ts';
import { isElement, nodeFact } from './find-target.ts';
import { isReadingEntries } from './form-entries.ts';
import { attributeOf, documentOf, holdsSecret, isForm } from './forms.ts';
import {
  allowedSubmission,
  type ClassifiedPress,
  differenceOf,
  type ShownSubmission,
  type Submission,
  shownSubmissionOf,
  textsOf,
} from './shown-submission.ts';

/**
 * `raise` stops every form; `keep` stops what differs from what the classified press was shown to send. `release`
 * keeps the hold for a while, because pages debounce, count down or ask a server first; `drop` also forgets the
 * stopped form; `look` changes nothing.
 */
export type HoldOrder = 'raise' | 'keep' | 'release' | 'look' | 'lift' | 'drop';

/**
 * Stops forms that the page sends by itself during an act of an agent that nobody permitted to send one, and
 * other submissions than the one that was permitted.
 */
export type FormHold = ReturnType<typeof createFormHold>;

/** The answer to the host. */
export interface StoppedForm {
  readonly token: string;
  readonly to: string;
  /** A permitted press would have sent something else than it was shown to send. */
  readonly differs?: true;
}

export interface Stopped {
  /** The form, or the link or button whose press navigates. */
  readonly form: Element;
  readonly submitter: Element | undefined;
  /** For a submission that differs from the permitted one. */
  readonly other?: Other;
}

/** The submission in place of the one that was shown. */
export interface Other {
  readonly submission: Submission;
  /** Entries that nobody was shown. */
  readonly entries: Submission['entries'];
}

type Sending = 'request' | 'submit' | 'event' | 'navigation';
type Kept = StoppedForm & Partial<Stopped> & { readonly sending: Sending };
type Found = Omit<Kept, 'token' | 'differs'>;

/** Pages debounce, count down, or get a payment token for less than this. */
const AFTER_MS = 10_000;
/** A host that is gone must not block the person. */
const RAISED_MS = 60_000;
/** As long as a person may take to answer; their own input ends it. */
const ASKED_MS = 300_000;
const MOST_SHOWN = 8;
/** Events of a press, in whose task a script that navigates does so because of it. */
const PRESSES: ReadonlySet<string> = new Set(['pointerdown', 'click', 'keydown']);
/** Reveal the shadow roots in which a form may be sent: `submit` and `formdata` do not leave them. */
const COMPOSED = ['input', 'click', 'keydown', 'focusin', 'focusout', 'pointerdown'];
const PERSONAL: ReadonlySet<string> = new Set(['pointerdown', 'keydown']);

export function createFormHold(window: Window & typeof globalThis, prefix: string) {
  let until = 0;
  let isActing = false;
  let kept: Kept | undefined;
  let count = 0;
  /** By the last classifications; with `isKeeping`, what was permitted. */
  let shown: ShownSubmission[] = [];
  let isKeeping = false;
  let isInPress = false;
  /** Data of the last submission, as a navigation by a button with its own method has none. */
  let lastData: { readonly form: Element; readonly data: FormData } | undefined;
  const closing = new AbortController();
  const listening = { capture: true, signal: closing.signal };
  const isHeld = () => performance.now() < until;
  const holdFor = (ms: number) => {
    until = performance.now() + ms;
  };

  const keep = (found: Found) => {
    kept ??= { token: `${prefix}${++count}`, ...found, ...(found.other && { differs: true }) };
  };
  /** While a permission is kept: the submission, if it is another one than was shown. */
  const otherThanShown = (submission: Submission): Other | undefined => {
    const entries = differenceOf(shown, submission);
    return entries && { submission, entries };
  };
  const stop = (event: Event, found: Found) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    keep(found);
  };
  const onSubmit = (event: Event) => {
    const form = event.target;
    if (isKeeping || !isHeld() || !isElement(form) || !isForm(form)) return;
    const sender: unknown = Reflect.get(event, 'submitter');
    const submitter = isElement(sender) ? sender : undefined;
    if (!asksFirst(form, submitter)) return;
    stop(event, { form, submitter, to: addressOf(form, submitter), sending: sendingOf(event) });
  };
  /** `form.submit()` dispatches no `submit` event, and navigates in a later task. */
  const onNavigate = (event: Event) => {
    if (!isHeld()) return;
    if (isKeeping) return onKeptNavigate(event);
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
  /** After every listener of the page for the press, the submission and its data. */
  const onKeptNavigate = (event: Event) => {
    const destination = Object(Reflect.get(event, 'destination'));
    const data: unknown = Reflect.get(event, 'formData');
    const source: unknown = Reflect.get(event, 'sourceElement');
    const isLink = isElement(source) && source.matches('a, area');
    const form = isElement(source) && !isLink ? formFrom(source) : undefined;
    const submitter = isElement(source) && source !== form ? source : undefined;
    const isPost = data instanceof FormData || (form !== undefined && methodOf(form, submitter) === 'post');
    const isOfPress = isLink || isInPress;
    if (Reflect.get(destination, 'sameDocument') === true || (form === undefined && !isPost && !isOfPress))
      return;
    const url = String(Reflect.get(destination, 'url'));
    const query = () => [...(URL.parse(url)?.searchParams ?? [])];
    const posted = data instanceof FormData ? data : lastData?.form === form ? lastData?.data : undefined;
    const entries = isPost ? textsOf(posted ?? []) : form === undefined ? [] : query();
    const other = otherThanShown({ form, url, isPost, entries });
    if (other === undefined) return;
    const sending = form === undefined ? 'navigation' : submitter === undefined ? 'submit' : 'request';
    const from = form ?? (isLink ? source : shown[0]?.pressed);
    stop(event, { ...(from && { form: from }), submitter, to: url, sending, other });
  };
  /** The form may be for a new window, for a frame that the page has just made, or for one that reports no navigation. */
  const onFormData = ({ target: form }: Event) => {
    if (isKeeping || isReadingEntries()) return;
    if (!isHeld() || !isElement(form) || !asksFirst(form, undefined)) return;
    listenIn(window);
    const place = targetOf(form);
    if (place !== undefined && reportsNavigation(place)) return;
    keep({ form, submitter: undefined, to: addressOf(form, undefined), sending: 'submit' });
    cancelSubmission(form);
  };
  /** Where no navigation is reported, after the page's own listeners. */
  const onKeptFormData = (event: Event) => {
    const { target: form } = event;
    if (!isKeeping || isReadingEntries() || !isHeld() || !isElement(form) || !isForm(form)) return;
    listenIn(window);
    const data: unknown = Reflect.get(event, 'formData');
    lastData = data instanceof FormData ? { form, data } : undefined;
    const place = targetOf(form);
    if (place !== undefined && reportsNavigation(place)) return;
    const to = new URL(addressOf(form, undefined), documentOf(form).baseURI).href;
    const isPost = methodOf(form, undefined) === 'post';
    const entries = data instanceof FormData ? textsOf(data) : [];
    const other = otherThanShown({ form, url: to, isPost, entries });
    if (other === undefined) return;
    keep({ form, submitter: undefined, to, sending: 'submit', other });
    cancelSubmission(form);
  };
  const onComposed = (event: Event) => {
    if (!isHeld()) return;
    if (PRESSES.has(event.type) && !isInPress) {
      isInPress = true;
      pageClock.setTimeout(() => {
        isInPress = false;
      }, 0);
    }
    // Between two acts of the agent, trusted input is the person's.
    if (!isActing && event.isTrusted && PERSONAL.has(event.type)) return lift();
    for (const place of event.composedPath()) if (isShadowRoot(place)) listenTo(place);
  };
  const lift = () => {
    until = 0;
    kept = undefined;
    isKeeping = false;
  };

  // Added again with each act: `document.open()` removes listeners, and the same one counts once.
  const listenTo = (place: EventTarget) => {
    place.addEventListener('submit', onSubmit, listening);
    place.addEventListener('formdata', onFormData, listening);
    // The last listener, as far as a page lets it be.
    place.removeEventListener('formdata', onKeptFormData);
    place.addEventListener('formdata', onKeptFormData, { signal: closing.signal });
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
    /** Records what a press on the element would send, as the page shows it now. */
    show(press: ClassifiedPress): void {
      // A permission stays as it was classified, whatever the page does during the press.
      if (isKeeping && isActing) return;
      shown = [shownSubmissionOf(press), ...shown].slice(0, MOST_SHOWN);
    },
    /** A new classification begins. */
    forget(): void {
      if (!(isKeeping && isActing)) shown = [];
    },
    /** The stopped form, for a `release` or a `look`. */
    async order(order: HoldOrder): Promise<StoppedForm | null> {
      if (order !== 'look') isActing = order === 'raise' || order === 'keep';
      if (order === 'lift') lift();
      else if (isActing) {
        isKeeping = order === 'keep';
        if (!isKeeping) shown = [];
        // Only a dialog of the browser was permitted, or a frame without page code.
        else if (shown.length === 0) {
          lift();
          return null;
        }
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
        if (kept === undefined) return null;
        return { token: kept.token, to: kept.to, ...(kept.differs && { differs: true }) };
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
      if (found.other !== undefined) {
        shown = [allowedSubmission(found.other.submission)];
        isKeeping = true;
        holdFor(AFTER_MS);
      }
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
  const method = methodOf(form, submitter);
  return method === 'post' || (method !== 'dialog' && holdsSecret(form));
}

const methodOf = (form: Element, submitter: Element | undefined): string =>
  (attributeOf(submitter, 'formmethod') ?? attributeOf(form, 'method') ?? 'get').toLowerCase();

const addressOf = (form: Element, submitter: Element | undefined): string =>
  attributeOf(submitter, 'formaction') ?? attributeOf(form, 'action') ?? documentOf(form).URL;

/** A script that dispatches the event itself calls the page's listeners, and the browser sends nothing. */
const sendingOf = ({ isTrusted }: Event): Sending => (isTrusted ? 'request' : 'event');

function formFrom(source: Element): Element | undefined {
  if (isForm(source)) return source;
  const owner: unknown = Reflect.get(source, 'form');
  return isElement(owner) ? owner : undefined;
}

function sendForm({ form, submitter, sending, to }: Stopped & Pick<Kept, 'sending' | 'to'>): void {
  if (sending === 'navigation')
    return void documentOf(form).defaultView?.open(to, attributeOf(form, 'target') ?? '_self');
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
