import { BridgeError } from '@drawbridge/protocol';
import { isCallFailure } from '../call-failure.ts';
import type { TabRoute } from '../lent-tabs.ts';
import { listAt, numberAt, textAt, valueAt } from '../loose-value.ts';
import { locatorOf, type Step } from './act-steps.ts';
import { AN_ID } from './step-names.ts';
import { callPrimitive, type ToolContext } from './tool.ts';

/** Where a step acts. */
export interface Place {
  readonly route: TabRoute;
  readonly context: ToolContext;
}

const FIND_MS = 5_000;

/** The step with ids in place of targets. A drag may end at a target too. */
export async function withId(step: Step, place: Place): Promise<Step> {
  const { target, ...rest } = step;
  if (step.kind === 'type' && (step.id ?? target) === undefined) return focusedStep(step, place);
  const named: Step = target === undefined ? step : { ...rest, id: await idOf(target, step, place) };
  if (step.kind !== 'drag' || step.value === undefined || AN_ID.test(step.value)) return named;
  return { ...named, value: await idOf(step.value, step, place) };
}

/** The step on the element with the focus. */
async function focusedStep(step: Step, { context, route }: Place): Promise<Step> {
  const locator = { selector: ':focus' };
  const found = await callPrimitive(context, route, 'locator.element_info', { locator }).catch(
    (error: unknown) => {
      if (isCallFailure(error) && error.error.code === 'target_not_found') return undefined;
      throw error;
    },
  );
  // A shadow host matches too, before the element inside it.
  const inner = listAt(found?.output, 'candidates').at(-1) ?? found?.output;
  const id = textAt(inner, 'id') ?? '';
  if (id === '')
    throw new BridgeError(
      'target_not_found',
      `${step.words}: nothing has the focus. Give an \`id\`, or click a field first.`,
    );
  return { ...step, id };
}

/** Waits for an element that is named by role and name, which may come from an earlier step. */
async function idOf(target: string, step: Step, { context, route }: Place): Promise<string> {
  const { role, name } = locatorOf(target);
  const byName = name === undefined ? { role: role ?? '' } : { name };
  const info = (locator: { role?: string; name?: string; text?: string }) =>
    callPrimitive(context, route, 'locator.element_info', { locator });
  const wait = callPrimitive(context, route, 'locator.wait_for', { locator: byName, timeout_ms: FIND_MS });
  await wait.catch(async (error: unknown) => {
    if (!isCallFailure(error) || error.error.code !== 'handler_timeout') throw error;
    const similar = name === undefined ? undefined : await info({ text: name }).catch(() => undefined);
    const hint = similarIds(similar?.output);
    const message = `Nothing on the page is called ${JSON.stringify(name ?? role)}, and nothing came in ${FIND_MS / 1_000} s.`;
    throw new BridgeError('target_not_found', `${step.words}: ${message} ${hint}`);
  });
  // A snapshot shows what an element is used as, which may be another role than its own.
  const { output } = await info({ ...byName, ...(role !== undefined && { role }) }).catch(
    (error: unknown) => {
      const isNone = isCallFailure(error) && error.error.code === 'target_not_found';
      if (!isNone || name === undefined) throw error;
      return info(byName);
    },
  );
  if (valueAt(output, 'ambiguous') !== true) return textAt(output, 'id') ?? '';
  const ids = listAt(output, 'candidates').flatMap((each) => textAt(each, 'id') ?? []);
  const message = `${numberAt(output, 'candidate_count') ?? 'Several'} elements are called so. Use an id: ${ids.slice(0, 8).join(', ')}.`;
  throw new BridgeError('invalid_input', `${step.words}: ${message}`);
}

/** Ids of elements that contain the words. */
function similarIds(output: unknown): string {
  const ids = [textAt(output, 'id'), ...listAt(output, 'candidates').map((each) => textAt(each, 'id'))];
  const known = [...new Set(ids.filter((id) => id !== undefined && id !== ''))].slice(0, 8);
  return known.length === 0
    ? 'Take a snapshot and use an id from it.'
    : `Elements that contain it: ${known.join(', ')}.`;
}
