import {
  isObject,
  type Manifest,
  type Tool,
  type Workflow,
  type WorkflowStep,
} from '@drawbridge/protocol/manifest';
import type { Path } from '../source/path.ts';
import { textsWithin } from '../validate/part.ts';
import { CHANGES_PAGE, READS_PAGE } from './primitive-facts.ts';

export interface WorkflowView {
  readonly tool: Tool;
  readonly workflow: Workflow;
  /** The tool's path. */
  readonly path: Path;
  readonly steps: readonly StepView[];
}

export interface StepView {
  readonly step: WorkflowStep;
  readonly path: Path;
  readonly earlier: readonly WorkflowStep[];
  readonly later: readonly WorkflowStep[];
}

export function workflowsOf({ tools }: Manifest): WorkflowView[] {
  return tools.flatMap((tool, index) => {
    const { workflow } = tool;
    if (workflow === undefined) return [];
    const path = ['tools', index];
    const steps = workflow.steps.map((step, place) => ({
      step,
      path: [...path, 'workflow', 'steps', place],
      earlier: workflow.steps.slice(0, place),
      later: workflow.steps.slice(place + 1),
    }));
    return [{ tool, workflow, path, steps }];
  });
}

export const stepsOf = (map: Manifest): StepView[] => workflowsOf(map).flatMap(({ steps }) => steps);

export const changesPage = ({ primitive }: WorkflowStep): boolean => CHANGES_PAGE.has(primitive);

const readsPage = ({ primitive }: WorkflowStep): boolean => READS_PAGE.has(primitive);

/** The last step that changes the page, if any. */
export const lastChange = ({ steps }: WorkflowView): StepView | undefined =>
  steps.findLast(({ step }) => changesPage(step));

/** Whether the workflow or a projection declares a postcondition for the tool. */
export const hasPostcondition = (
  { tool, workflow }: WorkflowView,
  { state_projections = [] }: Manifest,
): boolean =>
  workflow.postcondition !== undefined ||
  state_projections.some(({ postconditions = {} }) => Object.hasOwn(postconditions, tool.name));

/** Whether a postcondition exists, or a later step reads the page and fails the workflow. */
export const provesItself = (view: WorkflowView, map: Manifest): boolean =>
  hasPostcondition(view, map) ||
  (lastChange(view)?.later ?? []).some(
    (step) => readsPage(step) && (step.on_error !== 'continue' || step.retry_until !== undefined),
  );

/** Every expression of a step, with its path. */
export function expressionsOf({ step, path }: StepView): { readonly text: string; readonly path: Path }[] {
  return [...textsWithin(step, path)].filter(({ text }) => text.startsWith('{%'));
}

export interface LocatorView {
  readonly locator: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** The locators in a step's arguments: an object under `locator`, `target`, `from`, `to` or `scope`. */
export function locatorsOf({ step, path }: StepView): LocatorView[] {
  const args = ['locator', 'target', 'from', 'to', 'scope'].map((key) => [key, step.args?.[key]] as const);
  const inArgs = args.flatMap(([key, locator]) =>
    isObject(locator) ? [{ locator, path: [...path, 'args', key] }] : [],
  );
  const settle = step.settle_after?.locator;
  return settle === undefined
    ? inArgs
    : [...inArgs, { locator: settle, path: [...path, 'settle_after', 'locator'] }];
}
