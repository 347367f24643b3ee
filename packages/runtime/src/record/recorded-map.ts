import { WORKFLOW_LIMITS } from '@drawbridge/manifest';
import type { RecordedStep, Recording } from '@drawbridge/page/recorder';
import type { Manifest, Target, Tool } from '@drawbridge/protocol/manifest';
import { effectOf } from './effect-guess.ts';
import { isPlain, locatorOf } from './locator.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { type Proof, pathOf, proofOf } from './proof.ts';
import type { RecordedWalk } from './walk.ts';
import { wordOf } from './words.ts';
import { type StepGroup, workflowSteps } from './workflow-steps.ts';

export interface RecordedMapOptions {
  /** `cart.add`; derived from the last pressed element when absent. */
  readonly name?: string;
  readonly description?: string;
}

export interface RecordedMap {
  readonly map: Manifest;
  /** A replay without a model. */
  readonly walk: RecordedWalk;
  /** Points that the author should review before anybody relies on the map. */
  readonly remarks: readonly string[];
}

/** Creates a map with one tool that repeats a person's actions, with their input as its arguments. */
export function recordedMap(recording: Recording, options: RecordedMapOptions = {}): RecordedMap {
  const steps = tidy(recording.steps);
  const parameters = parametersOf(steps);
  const groups = workflowSteps(steps, parameters);
  const lastAct = groups.findLast(({ made }) => made.length > 0);
  const proof = lastAct && proofOf(recording, lastAct.step, [...parameters.values()]);
  const tool = toolOf({
    recording,
    steps,
    parameters: [...parameters.values()],
    groups,
    lastAct,
    proof,
    options,
  });
  const url = URL.parse(recording.start);
  return {
    map: {
      protocol: 'actions.json',
      version: 1,
      surface: {
        ...(url !== null && url.origin !== 'null' && { origin: url.origin }),
        ...(recording.end.title !== '' && { name: recording.end.title.slice(0, 80) }),
      },
      tools: [tool],
      provenance: { created_by: 'drawbridge map record' },
    },
    walk: {
      walk: 1,
      start: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
      calls: [
        {
          tool: tool.name,
          input: samplesOf(parameters),
          secrets: [...parameters.values()]
            .filter(({ sample }) => sample === undefined)
            .map(({ name }) => name),
        },
      ],
    },
    remarks: remarksOf(groups, proof, tool),
  };
}

/** A corrected field counts once, with its final value. */
function tidy(steps: readonly RecordedStep[]): RecordedStep[] {
  return steps.filter((step, index) => {
    const next = steps[index + 1];
    const again = next?.kind === step.kind && next.element.selector === step.element.selector;
    return !(again && ['type', 'choose', 'check', 'files'].includes(step.kind));
  });
}

interface ToolParts {
  readonly recording: Recording;
  readonly steps: readonly RecordedStep[];
  readonly parameters: readonly Parameter[];
  readonly groups: readonly StepGroup[];
  readonly lastAct: StepGroup | undefined;
  readonly proof: Proof | undefined;
  readonly options: RecordedMapOptions;
}

function toolOf({ recording, steps, parameters, groups, lastAct, proof, options }: ToolParts): Tool {
  const made = groups.flatMap((group) => [
    ...(group === lastAct ? (proof?.before ?? []) : []),
    ...group.made,
    ...(group === lastAct ? (proof?.after ?? stillThere(group)) : []),
  ]);
  const target = targetOf(recording, groups);
  const pressed = steps.findLast(({ kind }) => kind === 'click' || kind === 'press') ?? steps.at(-1);
  return {
    name: options.name ?? `recorded.${wordOf(pressed?.element.name ?? '') || 'walk'}`,
    description: options.description ?? descriptionOf(steps, proof),
    input_schema: {
      type: 'object',
      ...requiredOf(parameters),
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      additionalProperties: false,
    },
    ...(target && { target }),
    requires: [...new Set(made.map(({ primitive }) => primitive))].filter((name) => ACTS.has(name)),
    workflow: {
      version: 1,
      expression_language: 'jsonata',
      steps: made,
      output: proof?.output ?? "{% {'done': true} %}",
    },
    x_actions: { effect: effectOf(steps) },
  };
}

const ACTS: ReadonlySet<string> = new Set(['element.click', 'text.insert', 'keyboard.press', 'dom.focus']);

const requiredOf = (parameters: readonly Parameter[]) => {
  const names = parameters.filter(({ required }) => required).map(({ name }) => name);
  return names.length > 0 ? { required: names } : {};
};

/** The weakest proof: the page still exists. A remark says so. */
const stillThere = ({ step }: StepGroup) => [
  {
    id: 'proof',
    primitive: 'locator.wait_for',
    args: { locator: locatorOf(step.element) ?? {}, state: 'attached' },
  },
];

function targetOf({ start }: Recording, groups: readonly StepGroup[]): Target | undefined {
  const first = groups.find(({ made }) => made.length > 0)?.step;
  const locator = first && locatorOf(first.element);
  if (first === undefined || locator === undefined) return undefined;
  const { role, name, named } = first.element;
  const [section, ...rest] = pathOf(start).split('/').filter(Boolean);
  return {
    ...locator,
    role,
    ...(named && isPlain(name) && { name }),
    ...(section !== undefined && { url_contains: rest.length > 0 ? `/${section}/` : `/${section}` }),
    confidence: 'observed',
  };
}

const VERBS = {
  click: 'press',
  type: 'fill',
  choose: 'choose',
  check: 'tick',
  files: 'give files to',
  press: 'press Enter in',
};
const MAX_DESCRIBED = 8;

function descriptionOf(steps: readonly RecordedStep[], proof: Proof | undefined): string {
  const words = steps
    .slice(0, MAX_DESCRIBED)
    .map(({ kind, element }) => `${VERBS[kind]} “${element.name || element.tag}”`);
  const more = steps.length > MAX_DESCRIBED ? ', and more' : '';
  const ends = proof === undefined ? '' : ` It worked when ${proof.words}.`;
  return `Recorded: ${words.join(', ')}${more}.${ends}`;
}

const samplesOf = (parameters: ReadonlyMap<RecordedStep, Parameter>): Record<string, unknown> =>
  Object.fromEntries(
    [...parameters.values()].flatMap(({ name, sample }) => (sample === undefined ? [] : [[name, sample]])),
  );

function remarksOf(groups: readonly StepGroup[], proof: Proof | undefined, tool: Tool): string[] {
  const lost = groups.filter(({ made }) => made.length === 0);
  const made = tool.workflow?.steps.length ?? 0;
  return [
    ...lost.map(({ step }) =>
      step.kind === 'files'
        ? `Files were given to “${step.element.name}”: no map can do that, so the step is left out.`
        : `Nothing describes “${step.element.name || step.element.tag}” for good, so the step is left out.`,
    ),
    ...(proof === undefined
      ? ['Nothing new appeared at the end: add to the map how to tell that it worked.']
      : []),
    ...(made > WORKFLOW_LIMITS.maxSteps
      ? [`${made} steps are more than a workflow may have (${WORKFLOW_LIMITS.maxSteps}): record it in parts.`]
      : []),
    `The effect is guessed to be “${tool.x_actions?.effect}”: correct it if it is not.`,
  ];
}
