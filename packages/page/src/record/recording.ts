/** A recorder's output as plain data, without elements or secrets. */
export interface Recording {
  /** The address where it began. */
  readonly start: string;
  readonly steps: readonly RecordedStep[];
  /** The page at the end. */
  readonly end: PageView;
}

/** Ways to find an element again, and its name. */
export interface RecordedElement {
  /** Absent when no stable description exists. */
  readonly selector?: string;
  /** Other selectors of the same element. */
  readonly fallbacks: readonly string[];
  readonly role: string;
  /** The visible name, cut to 50 characters. */
  readonly name: string;
  readonly text: string;
  readonly tag: string;
  /** No other element has this role and name. */
  readonly named: boolean;
}

/** Properties of a field. */
export interface FieldFacts {
  readonly type: string;
  /** The `name` attribute, when it is a word. */
  readonly word?: string;
  /** Personal data, such as an address or a phone number, which must not be shared. */
  readonly personal: boolean;
  readonly options?: readonly string[];
}

/** The form that a press or Enter would send. */
export interface FormFacts {
  readonly submits: boolean;
  readonly sensitive: boolean;
  /** A search form. */
  readonly searches: boolean;
}

export interface Circumstances {
  /** The address at this step. */
  readonly url: string;
  readonly element: RecordedElement;
  /** Elements in view just before, as `sightKey` formats them. */
  readonly before: readonly string[];
  /** Elements that appeared since the previous step in the same document, for which a person may have waited. */
  readonly since: readonly DescribedLandmark[];
}

export type RecordedStep = Circumstances &
  (
    | { readonly kind: 'click'; readonly form: FormFacts }
    /** Without a value when the field is secret. */
    | { readonly kind: 'type'; readonly field: FieldFacts; readonly value?: string }
    | { readonly kind: 'choose'; readonly field: FieldFacts; readonly value: string }
    | { readonly kind: 'check'; readonly field: FieldFacts; readonly checked: boolean }
    | { readonly kind: 'files'; readonly field: FieldFacts; readonly count: number }
    | { readonly kind: 'press'; readonly key: 'Enter'; readonly form: FormFacts }
  );

/** An element that shows a person where they are, or the outcome of an action. */
export interface Landmark {
  readonly path: string;
  readonly text: string;
}

export interface DescribedLandmark extends Landmark {
  readonly element: RecordedElement;
}

export interface PageView {
  readonly url: string;
  readonly title: string;
  readonly landmarks: readonly DescribedLandmark[];
}

export const landmarkKey = ({ path, text }: Landmark): string => `${path}\n${text}`;

export const pathOfKey = (key: string): string => key.slice(0, key.indexOf('\n'));
