import { pathOfKey, type RecordedStep } from '@drawbridge/page/recorder';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import { isPlain, locatorOf } from './locator.ts';
import type { Parameter } from './parameters.ts';
import { uniqueNames, wordOf } from './words.ts';

const WAIT_MS = 8_000;

export interface StepGroup {
  readonly step: RecordedStep;
  readonly made: readonly WorkflowStep[];
}

/** Converts recorded steps to workflow steps. A step that cannot be replayed is left out. */
export function workflowSteps(
  steps: readonly RecordedStep[],
  parameters: ReadonlyMap<RecordedStep, Parameter>,
): StepGroup[] {
  const unique = uniqueNames();
  // Reserved for the steps of the proof, which are added around these.
  for (const taken of ['before', 'proof', 'told']) unique(taken, taken);
  return steps.map((step, index) => {
    const previous = steps[index - 1];
    const isUnsettled = !isFill(step) || previous === undefined || !isFill(previous);
    const made = stepsFor(step, parameters.get(step), unique, isUnsettled);
    return { step, made: isFill(step) ? made : settled(made, step, steps[index + 1]) };
  });
}

const isFill = ({ kind }: RecordedStep): boolean => kind !== 'click' && kind !== 'press';

const SETTLE_MS = 3_000;

/** Waits for what the person waited for: continuing earlier may interrupt the previous action. */
function settled(
  made: readonly WorkflowStep[],
  step: RecordedStep,
  next: RecordedStep | undefined,
): readonly WorkflowStep[] {
  const last = made.at(-1);
  const landmark = next?.since.find(({ element, text }) => locatorOf(element) !== undefined && isPlain(text));
  if (last === undefined || landmark === undefined) return made;
  const places = step.before.map(pathOfKey);
  const isChange = places.includes(landmark.path) && landmark.text !== '';
  const locator = { ...locatorOf(landmark.element), ...(isChange && { text_contains: landmark.text }) };
  return [...made.slice(0, -1), { ...last, settle_after: { locator, timeout_ms: SETTLE_MS } }];
}

function stepsFor(
  step: RecordedStep,
  parameter: Parameter | undefined,
  unique: (wish: string, instead: string) => string,
  isUnsettled: boolean,
): WorkflowStep[] {
  const locator = locatorOf(step.element);
  if (locator === undefined) return [];
  const word = wordOf(step.element.name).slice(0, 24) || step.element.tag;
  const id = (verb: string) => unique(`${verb}_${word}`, verb);
  const wait = (): WorkflowStep[] =>
    isUnsettled
      ? [
          {
            id: id('see'),
            primitive: 'locator.wait_for',
            args: { locator, state: 'visible', timeout_ms: WAIT_MS },
          },
        ]
      : [];
  if (step.kind === 'click')
    return [...wait(), { id: id('press'), primitive: 'element.click', args: { locator } }];
  if (step.kind === 'press')
    return [
      ...wait(),
      { id: id('focus'), primitive: 'dom.focus', args: { locator } },
      { id: id('enter'), primitive: 'keyboard.press', args: { key: step.key } },
    ];
  if (parameter === undefined) return [];
  return [
    ...wait(),
    {
      id: id('fill'),
      primitive: 'text.insert',
      args: { text: parameter.slot, target: locator, mode: 'replace' },
    },
  ];
}
