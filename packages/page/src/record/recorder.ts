import { visibleValueOf } from '../secrets/secret-field.ts';
import { cleanerOf, describe, type RecordedPage } from './described-element.ts';
import { describesItself, fieldFacts, formFacts, isEditor, isSelect, takesText } from './field-facts.ts';
import { landmarksIn, type SeenElement } from './landmarks.ts';
import {
  type Circumstances,
  type DescribedLandmark,
  landmarkKey,
  type PageView,
  type RecordedStep,
  type Recording,
} from './recording.ts';

export interface RecorderOptions {
  readonly document: Document;
  readonly page: RecordedPage;
  /** Receives each step at once: a document that leaves loses unreported steps. */
  readonly send?: (step: RecordedStep) => void;
}

export interface Recorder {
  /** The address where it began. */
  readonly start: string;
  /** Ends it and returns the unreported steps and the final view. */
  readonly stop: () => Recording;
}

/** The page at one moment of the recording. */
type Moment = Pick<Circumstances, 'before' | 'since'>;

const MAX_SINCE = 4;

/** Pressable elements. */
const PRESSED =
  'a[href], button, input, select, textarea, summary, label, option, [onclick], [tabindex], [contenteditable], [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]';

/**
 * Watches a person's actions in a page before the page's own listeners, and reports them as steps. Script
 * events are ignored. Content of secret fields is never read.
 */
export function createRecorder({ document, page, send }: RecorderOptions): Recorder {
  const start = cleanerOf(document)(document.URL);
  const untold: RecordedStep[] = [];
  const listening = new AbortController();
  let typing: { readonly element: Element; readonly moment: Moment } | undefined;
  /** The view at the last step. */
  let lastSeen: ReadonlySet<string> | undefined;
  /** Enter in a field makes the browser click the button of its form. */
  let enterIsDown = false;
  /** Pending steps are returned with the end: reported separately, they might arrive after it. */
  let isEnding = false;

  const described = (
    landmarks: readonly SeenElement[],
    clean: (text: string) => string,
  ): DescribedLandmark[] =>
    landmarks.flatMap(({ element, path, text }) => {
      const found = describe(element, page, clean);
      return found === undefined ? [] : [{ path, text, element: found }];
    });

  const look = (): Moment => {
    const clean = cleanerOf(document);
    const landmarks = landmarksIn(document, clean);
    const before = landmarks.map(landmarkKey);
    const fresh =
      lastSeen === undefined ? [] : landmarks.filter((landmark) => !lastSeen?.has(landmarkKey(landmark)));
    lastSeen = new Set(before);
    return { before, since: described(fresh.slice(0, MAX_SINCE), clean) };
  };

  const note = (
    element: Element,
    stepOf: (common: Circumstances) => RecordedStep,
    moment: Moment = look(),
  ): void => {
    const clean = cleanerOf(document);
    const found = describe(element, page, clean);
    if (found === undefined) return;
    const step = stepOf({ url: clean(document.URL), element: found, ...moment });
    if (send === undefined || isEnding) untold.push(step);
    else send(step);
  };

  const endTyping = (): void => {
    if (typing === undefined) return;
    const { element, moment } = typing;
    typing = undefined;
    const value = visibleValueOf(element);
    const field = fieldFacts(element);
    note(
      element,
      (common) => ({ ...common, kind: 'type', field, ...(value !== undefined && { value }) }),
      moment,
    );
  };

  const typed = (element: Element): void => {
    if (!takesText(element) || typing?.element === element) return;
    endTyping();
    typing = { element, moment: look() };
  };

  const changed = (element: Element): void => {
    if (takesText(element)) {
      if (typing?.element === element) endTyping();
      return;
    }
    endTyping();
    const field = fieldFacts(element);
    if (isSelect(element)) {
      const value = [...element.selectedOptions].map((option) => option.text.trim()).join(', ');
      note(element, (common) => ({ ...common, kind: 'choose', field, value }));
    } else if (field.type === 'checkbox' && 'checked' in element) {
      const checked = element.checked === true;
      note(element, (common) => ({ ...common, kind: 'check', field, checked }));
    } else if (field.type === 'radio') {
      note(element, (common) => ({ ...common, kind: 'click', form: formFacts(element) }));
    } else if (field.type === 'file' && 'files' in element) {
      const count = element.files instanceof FileList ? element.files.length : 0;
      note(element, (common) => ({ ...common, kind: 'files', field, count }));
    }
  };

  const clicked = (event: Event, origin: Element): void => {
    const byKey = event instanceof MouseEvent && event.detail === 0;
    if (byKey && enterIsDown) return;
    const element = origin.closest(PRESSED) ?? origin;
    const control = element.localName === 'label' && 'control' in element ? element.control : undefined;
    if (describesItself(element) || (control instanceof Element && describesItself(control))) return;
    endTyping();
    note(element, (common) => ({ ...common, kind: 'click', form: formFacts(element) }));
  };

  const entered = (element: Element): void => {
    endTyping();
    note(element, (common) => ({ ...common, kind: 'press', key: 'Enter', form: formFacts(element) }));
  };

  const listen = (
    type: string,
    heard: (element: Element, event: Event) => void,
    phase: 'capture' | 'bubble' = 'capture',
  ): void => {
    const listener = (event: Event) => {
      const [origin] = event.composedPath();
      if (event.isTrusted && origin instanceof Element) heard(origin, event);
    };
    const options = { capture: phase === 'capture', passive: true, signal: listening.signal };
    document.defaultView?.addEventListener(type, listener, options);
  };

  listen('click', (element, event) => clicked(event, element));
  listen('input', typed);
  listen('change', changed);
  listen('keydown', (element, event) => {
    if (!isEnter(event) || !takesText(element) || isManyLined(element)) return;
    enterIsDown = true;
    entered(element);
  });
  // In a multi-line field Enter adds a line, unless the page handles it otherwise.
  listen(
    'keydown',
    (element, event) => {
      if (isEnter(event) && isManyLined(element) && event.defaultPrevented) entered(element);
    },
    'bubble',
  );
  for (const type of ['keyup', 'pointerdown']) {
    listen(type, () => {
      enterIsDown = false;
    });
  }

  const view = (): PageView => {
    const clean = cleanerOf(document);
    const landmarks = described(landmarksIn(document, clean), clean);
    return { url: clean(document.URL), title: clean(document.title), landmarks };
  };

  return {
    start,
    stop() {
      isEnding = true;
      endTyping();
      listening.abort();
      return { start, steps: untold, end: view() };
    },
  };
}

/** An input method that is composing uses Enter for itself. */
const isEnter = (event: Event): boolean =>
  event instanceof KeyboardEvent && event.key === 'Enter' && !event.isComposing;

const isManyLined = (element: Element): boolean => element.localName === 'textarea' || isEditor(element);
