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
/** A text of the page is taken for the target only when no element comes with that name at first. */
const FIRST_MS = 300;

/** The step with ids in place of targets. A drag may end at a target too. */
export async function withId(step: Step, place: Place): Promise<Step> {
  const { target, ...rest } = step;
  if (step.kind === 'type' && (step.id ?? target) === undefined) return focusedStep(step, place);
  if (step.kind === 'select_text' && (step.id ?? target) === undefined) return wholePage(step, place);
  const named: Step = target === undefined ? step : { ...rest, id: await idOf(target, step, place) };
  if (step.kind !== 'drag' || step.value === undefined || AN_ID.test(step.value)) return named;
  return { ...named, value: await idOf(step.value, step, place) };
}

/** The words are looked for in the whole page. */
async function wholePage(step: Step, { context, route }: Place): Promise<Step> {
  if (step.value === undefined)
    throw new BridgeError(
      'invalid_input',
      '`select_text` needs a `value`, or an `id` whose text it selects.',
    );
  const { output } = await callPrimitive(context, route, 'locator.element_info', {
    locator: { selector: 'body' },
  });
  return { ...step, id: textAt(output, 'id') ?? '' };
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
  const isNamed = async (timeout_ms: number): Promise<boolean> => {
    try {
      await callPrimitive(context, route, 'locator.wait_for', { locator: byName, timeout_ms });
      return true;
    } catch (error) {
      if (!isCallFailure(error) || error.error.code !== 'handler_timeout') throw error;
      return false;
    }
  };
  const withText = async (text: string): Promise<unknown> =>
    (await info({ text }).catch(() => undefined))?.output;
  if (!(await isNamed(FIRST_MS))) {
    const lines = name === undefined ? [] : idsOfLine(name, await withText(name));
    const [line, ...others] = lines;
    if (line !== undefined && others.length === 0) return line;
    if (line !== undefined) throw severalCalled(step, lines.length, lines);
    const isLate = await isNamed(FIND_MS - FIRST_MS);
    const hint = isLate || name === undefined ? '' : similarIds(await withText(name));
    const message = `Nothing on the page is called ${JSON.stringify(name ?? role)}, and nothing came in ${FIND_MS / 1_000} s.`;
    if (!isLate) throw new BridgeError('target_not_found', `${step.words}: ${message} ${hint || NO_IDS}`);
  }
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
  throw severalCalled(step, numberAt(output, 'candidate_count') ?? 'Several', ids);
}

function severalCalled({ words }: Step, count: number | string, ids: readonly string[]): BridgeError {
  const message = `${count} elements are called so. Use an id: ${ids.slice(0, 8).join(', ')}.`;
  return new BridgeError('invalid_input', `${words}: ${message}`);
}

/** Ids of visible elements that a snapshot shows as a line of this text, perhaps with an icon beside it. */
function idsOfLine(text: string, output: unknown): string[] {
  const bare = (words: string) => words.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, '');
  const wanted = bare(text);
  const candidates = listAt(output, 'candidates');
  const ids = (candidates.length > 0 ? candidates : [output]).flatMap((each) =>
    valueAt(each, 'visible') !== false && bare(textAt(each, 'text') ?? '') === wanted
      ? (textAt(each, 'id') ?? [])
      : [],
  );
  return wanted === '' ? [] : [...new Set(ids)];
}

const NO_IDS = 'Take a snapshot and use an id from it.';

/** Ids of elements that contain the words. */
function similarIds(output: unknown): string {
  const ids = [textAt(output, 'id'), ...listAt(output, 'candidates').map((each) => textAt(each, 'id'))];
  const known = [...new Set(ids.filter((id) => id !== undefined && id !== ''))].slice(0, 8);
  return known.length === 0 ? NO_IDS : `Elements that contain it: ${known.join(', ')}.`;
}
