/** What a recorder tells, as plain data: nothing of it is an element, and nothing of it is a secret. */
export interface Recording {
  /** Where the walk began. */
  readonly start: string;
  readonly steps: readonly RecordedStep[];
  /** What there was when it ended. */
  readonly end: PageView;
}

/** How to find an element again, and what it is called. */
export interface RecordedElement {
  /** Absent where nothing describes it for good. */
  readonly selector?: string;
  /** Others that mean the same element, by something else. */
  readonly fallbacks: readonly string[];
  readonly role: string;
  /** As a person would call it; cut to 50 characters. */
  readonly name: string;
  readonly text: string;
  readonly tag: string;
  /** No other element of the page has this role and name. */
  readonly named: boolean;
}

/** What a field says of itself. */
export interface FieldFacts {
  readonly type: string;
  /** Its `name`, when it is a word. */
  readonly word?: string;
  /** It is about a person: an address, a phone number. What was typed is nobody else's business. */
  readonly personal: boolean;
  /** The labels of a list of options. */
  readonly options?: readonly string[];
}

/** What a press or Enter would send. */
export interface FormFacts {
  readonly submits: boolean;
  /** The form has a secret field. */
  readonly sensitive: boolean;
  /** It only looks for something. */
  readonly searches: boolean;
}

export interface Circumstances {
  /** The address when it happened. */
  readonly url: string;
  readonly element: RecordedElement;
  /** What was to be seen just before, as `sightKey` says it. */
  readonly before: readonly string[];
  /** What had come since the step before this one, in the same document: a person waits for such things. */
  readonly since: readonly DescribedSight[];
}

export type RecordedStep = Circumstances &
  (
    | { readonly kind: 'click'; readonly form: FormFacts }
    /** No value: the field is secret. */
    | { readonly kind: 'type'; readonly field: FieldFacts; readonly value?: string }
    | { readonly kind: 'choose'; readonly field: FieldFacts; readonly value: string }
    | { readonly kind: 'check'; readonly field: FieldFacts; readonly checked: boolean }
    | { readonly kind: 'files'; readonly field: FieldFacts; readonly count: number }
    | { readonly kind: 'press'; readonly key: 'Enter'; readonly form: FormFacts }
  );

/** Something that tells a person where they are, or what came of what they did. */
export interface Sight {
  readonly place: string;
  readonly text: string;
}

export interface DescribedSight extends Sight {
  readonly element: RecordedElement;
}

export interface PageView {
  readonly url: string;
  readonly title: string;
  readonly sights: readonly DescribedSight[];
}

export const sightKey = ({ place, text }: Sight): string => `${place}\n${text}`;

export const placeOfKey = (key: string): string => key.slice(0, key.indexOf('\n'));
