import {
  landmarkKey,
  type PageView,
  pathOfKey,
  type RecordedStep,
  type Recording,
} from '@drawbridge/page/recorder';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { isByPosition, locatorOf } from './locator.ts';
import type { Parameter } from './parameters.ts';

/** Evidence that the tool worked: something that was absent before its last step. */
export interface Proof {
  readonly before: readonly WorkflowStep[];
  /** Runs after the last step, and fails without the proof. */
  readonly after: readonly WorkflowStep[];
  readonly output: string;
  readonly words: string;
}

type ProofLandmark = PageView['landmarks'][number];

const WAIT_MS = 8_000;
const ATTEMPTS = 12;

export function proofOf(
  { end }: Pick<Recording, 'end'>,
  last: RecordedStep,
  parameters: readonly Parameter[],
): Proof | undefined {
  const keys = new Set(last.before);
  const places = new Set(last.before.map(pathOfKey));
  const fresh = end.landmarks.filter(
    (landmark) => !keys.has(landmarkKey(landmark)) && locatorOf(landmark.element) !== undefined,
  );
  const moved = pathOf(last.url) !== pathOf(end.url);
  const [best] = fresh
    .map((landmark) => ({ sight: landmark, isNew: !places.has(landmark.path) || moved }))
    .toSorted((one, other) => worth(other.sight, other.isNew) - worth(one.sight, one.isNew));
  if (best === undefined) return moved ? arrived(last.url, end.url) : undefined;
  return best.isNew
    ? appeared(best.sight, parameters, moved ? partOfPath(last.url, end.url) : undefined)
    : changed(best.sight);
}

const WORTH: Readonly<Record<string, number>> = {
  dialog: 6,
  alertdialog: 6,
  alert: 5,
  status: 5,
  heading: 3,
};

function worth({ element }: ProofLandmark, isNew: boolean): number {
  const byPosition = element.selector === undefined || isByPosition(element.selector);
  return (WORTH[element.role] ?? 2) + (element.tag === 'h1' ? 1 : 0) + (isNew ? 2 : 0) - (byPosition ? 4 : 0);
}

function appeared(
  { element, text }: ProofLandmark,
  parameters: readonly Parameter[],
  urlPart: string | undefined,
): Proof {
  const echoed = parameters.find(
    ({ sample }) => typeof sample === 'string' && sample.length > 2 && text.includes(sample),
  );
  const locator = {
    ...locatorOf(element),
    ...(echoed && { text_contains: `{% input.${echoed.name} %}` }),
    ...(urlPart !== undefined && { url_contains: urlPart }),
  };
  return {
    before: [],
    after: [
      {
        id: 'proof',
        primitive: 'locator.wait_for',
        args: { locator, state: 'visible', timeout_ms: WAIT_MS },
      },
      { id: 'told', primitive: 'locator.text_content', args: { locator } },
    ],
    output: "{% {'shown': $trim(steps.told.output.text)} %}",
    words: `“${text.slice(0, 60)}” is shown`,
  };
}

/** For an element that was there before with another text. */
function changed({ element, text }: ProofLandmark): Proof {
  const locator = locatorOf(element) ?? {};
  const look = { primitive: 'locator.text_content', args: { locator } };
  return {
    before: [{ id: 'before', ...look }],
    after: [
      {
        id: 'proof',
        ...look,
        retry_until: '{% steps.proof.output.text != steps.before.output.text %}',
        max_attempts: ATTEMPTS,
        after_each: { primitive: 'page.wait', args: { for: 'stable', timeout_ms: 1000 } },
      },
    ],
    output: "{% {'before': $trim(steps.before.output.text), 'shown': $trim(steps.proof.output.text)} %}",
    words: `it says something else than before, such as “${text.slice(0, 60)}”`,
  };
}

function arrived(from: string, to: string): Proof {
  const locator = { selector: 'html > body', url_contains: partOfPath(from, to) };
  return {
    before: [],
    after: [
      {
        id: 'proof',
        primitive: 'locator.wait_for',
        args: { locator, state: 'attached', timeout_ms: WAIT_MS },
      },
    ],
    output: "{% {'done': true} %}",
    words: `the address has ${locator.url_contains}`,
  };
}

/** The part of the new path that the old one lacks: `/orders/` of `/orders/LO-1001`. */
function partOfPath(from: string, to: string): string {
  const parts = pathOf(to).split('/').filter(Boolean);
  const [first = ''] = parts;
  const short = parts.length > 1 ? `/${first}/` : `/${first}`;
  return from.includes(short) ? pathOf(to) : short;
}

export function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}
