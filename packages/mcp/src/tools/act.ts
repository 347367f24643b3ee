import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Answer, PageText } from '../answer/answer.ts';
import { type ActionReport, lateLines, reportOf } from '../answer/effect-lines.ts';
import { errorAnswer } from '../answer/error-answer.ts';
import { oneLine, originOf } from '../answer/fence.ts';
import { seenPage } from '../answer/snapshot-lines.ts';
import { CallFailure, callFailure, isCallFailure } from '../call-failure.ts';
import {
  currentView,
  keyOf,
  NEW_TAB,
  TABS_ORIGIN,
  type TabRoute,
  tabLines,
  tabRoute,
  urlOf,
} from '../lent-tabs.ts';
import { listAt, numberAt, textAt, valueAt } from '../loose-value.ts';
import {
  KINDS,
  type KindName,
  keysFor,
  locatorOf,
  type PrimitiveCall,
  type Step,
  stepsFrom,
} from './act-steps.ts';
import { isUnheard, setByHand, takesNoText } from './slider.ts';
import { arrival } from './snapshot.ts';
import { AN_ID } from './step-names.ts';
import { ACTS, callPrimitive, TAB, type Tool, type ToolContext } from './tool.ts';

const MOST_STEPS = 200;
const POINT = { type: 'array', items: { type: 'number' } } as const;

export const ACT: Tool = {
  name: 'act',
  description:
    'Acts step by step, and says what changed: `+` new, `-` gone, `~` changed nodes, and other visible changes in words. Points are [x, y] from the top left of the element, without one of the window. Goes on after a failed step unless `stop`.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      steps: {
        type: 'array',
        maxItems: MOST_STEPS,
        items: {
          type: 'object',
          properties: {
            do: { type: 'string', description: Object.keys(KINDS).join(', ') },
            id: { type: 'string' },
            target: { type: 'string', description: 'for id: role and name, `button Save`' },
            value: {
              type: 'string',
              description:
                'text; select: option; drag: id to drop on; keys: `Control+a Enter`; scroll: down, up, left, right, start, end; hold, wait: until this text; upload: text, `data:…;base64,…`, an attachment id (`file_…`), or a path',
            },
            at: POINT,
            to: { ...POINT, description: 'drag, scroll' },
            by: { ...POINT, description: 'drag, scroll, wheel' },
            path: { type: 'array', items: POINT, description: 'drag, hover' },
            ms: { type: 'integer', description: 'hold, keys, wait' },
            modifiers: { type: 'string', description: '`Control+Shift`' },
            nth: { type: 'integer', description: 'select_text' },
            file: { type: 'string', description: 'its name' },
          },
          required: ['do'],
        },
      },
      scale: { type: 'number', description: 'of the screenshot with these points' },
      stop: { type: 'boolean' },
    },
    required: ['steps'],
  },
  annotations: ACTS,
  async handle(args, context) {
    const scale = numberAt(args, 'scale') ?? 1;
    if (!(scale > 0)) throw new BridgeError('invalid_input', '`scale` must be above 0.');
    const given = listAt(args, 'steps');
    if (given.length === 0) throw new BridgeError('invalid_input', '`steps` needs at least one step.');
    const steps = given.flatMap((step, at) =>
      stepsFrom(step, scale).map((part) => ({ ...part, number: at + 1 })),
    );
    const before = new Set(context.tabs().map(keyOf));
    const run: Run = { route: tabRoute(args, context), context, held: new Set(), outcomes: [] };
    try {
      await runSteps(steps, valueAt(args, 'stop') === true, run);
    } finally {
      await releaseKeys(run);
    }
    return answerOf(run, await openedTabs(before, run));
  },
};

const TAB_MS = 600;
const TAB_LOOK_MS = 30;

/** Tabs that opened. A tab that a step is known to open is lent shortly after the press, or never. */
async function openedTabs(before: ReadonlySet<string>, { context, outcomes }: Run): Promise<RuntimeView[]> {
  const opened = () => context.tabs().filter((tab) => !before.has(keyOf(tab)));
  const isAwaited = outcomes.some(({ opensTab }) => opensTab === true);
  for (let left = isAwaited ? TAB_MS : 0; left > 0 && opened().length === 0; left -= TAB_LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, TAB_LOOK_MS));
  return opened();
}

/** A step with its number in the call: keys may be done in several parts. */
type Numbered = Step & { readonly number: number };

/** The outcome of one step. */
interface Outcome {
  readonly number?: number;
  readonly said: string;
  readonly pages?: readonly PageText[];
  readonly lines?: readonly string[];
  readonly next?: string;
  readonly isFailed?: boolean;
  readonly opensTab?: boolean;
}

interface Run {
  readonly route: TabRoute;
  readonly context: ToolContext;
  /** Keys that are down. */
  readonly held: Set<string>;
  readonly outcomes: Outcome[];
  /** The address of the page that a step led to. */
  leftFor?: string;
  rest?: string;
}

/** Errors of a step that say nothing about the next. */
const PASSING: ReadonlySet<string> = new Set([
  ...['state_mismatch', 'target_not_found', 'invalid_input', 'handler_failed'],
  ...['capability_unavailable', 'handler_timeout'],
]);

async function runSteps(steps: readonly Numbered[], stops: boolean, run: Run): Promise<void> {
  const renamed = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const left = steps.length - index - 1;
    const { id } = step;
    if (run.context.signal.aborted) return;
    if (id !== undefined && run.leftFor !== undefined) {
      run.rest = notRun(left + 1, 'this is a new page');
      return;
    }
    if (id !== undefined && renamed.has(id)) {
      run.rest = notRun(left + 1, `an earlier step renamed the element of ${step.words}. Check it first`);
      return;
    }
    const outcome = await stepOutcome(step, run).catch((error: unknown) => {
      const isKnown = isCallFailure(error) || error instanceof BridgeError;
      if (!isKnown || (steps.length === 1 && !meetsDialog(error))) throw plainly(error, step);
      return failedOutcome(step, error, run);
    });
    run.outcomes.push({ ...outcome, number: step.number });
    for (const each of outcome.renamed ?? []) renamed.add(each);
    const why = outcome.ends ?? (stops ? outcome.stops : undefined);
    if (why === undefined) continue;
    run.rest = notRun(left, why);
    return;
  }
}

interface StepOutcome extends Outcome {
  readonly renamed?: readonly string[];
  /** Why the following steps cannot be run, and why a careful caller would not run them. */
  readonly ends?: string;
  readonly stops?: string;
}

async function stepOutcome(step: Step, run: Run): Promise<StepOutcome> {
  if (step.kind === 'wait' || step.kind === 'wait_gone') return waited(step, run);
  if (step.kind === 'look') return looked(step, run);
  const found = await withId(step, run);
  const { output, asked, how } = await act(found, run, step.target);
  const named = found.id === step.id || step.target !== undefined ? '' : ` ${found.id} (it had the focus)`;
  const words = `${step.words}${named}${how === undefined ? '' : ` by ${how}`}`;
  const report: ActionReport = reportOf(words, asked, output);
  if (step.kind === 'key_down') run.held.add(step.value ?? '');
  if (step.kind === 'key_up') run.held.delete(step.value ?? '');
  if (report.leftFor !== undefined) run.leftFor = report.leftFor;
  return {
    said: report.said,
    lines: report.lines,
    renamed: report.renamed,
    opensTab: valueAt(output, 'effect', 'opens_tab') === true,
    ...(report.stops !== undefined && { stops: report.stops, isFailed: false }),
  };
}

/** The press has opened a dialog, or met one: the page does nothing more until it is answered. */
const meetsDialog = (error: unknown): error is CallFailure =>
  isCallFailure(error) && error.error.evidence['reason'] === 'dialog_open';

function failedOutcome(step: Step, error: unknown, { context }: Run): StepOutcome {
  if (meetsDialog(error)) {
    const { evidence } = error.error;
    const dialog = textAt(evidence, 'dialog') ?? 'page';
    return {
      said: `${step.words}: a ${dialog} dialog is open`,
      lines: [`dialog ${dialog}: ${oneLine(textAt(evidence, 'message') ?? '')}`],
      next: 'act with accept_dialog or dismiss_dialog answers it.',
      stops: 'a dialog is open',
      isFailed: false,
    };
  }
  const { said = '', pages = [], next } = errorAnswer(plainly(error, step), context.tabs());
  const { code } = callFailure(error, undefined).error;
  return {
    said: `${step.words} failed: ${said}`,
    pages,
    ...(next !== undefined && { next }),
    isFailed: true,
    stops: 'this one failed',
    ...(!PASSING.has(code) && { ends: 'this one failed' }),
  };
}

/** A tap and a hold are clicks to the page; the error names the step. */
function plainly(error: unknown, { kind }: Step): unknown {
  if (!isCallFailure(error) || !CLICKED.has(kind)) return error;
  const { message, code, evidence } = error.error;
  const told = message.replaceAll('element.click', kind);
  return new CallFailure(new BridgeError(code, told, { evidence }), error.view);
}

const CLICKED: ReadonlySet<KindName> = new Set([
  ...(['double_click', 'triple_click', 'right_click', 'middle_click', 'tap', 'hold'] as const),
]);

const FIND_MS = 5_000;

/** The step with ids in place of targets. A drag may end at a target too. */
async function withId(step: Step, run: Run): Promise<Step> {
  const { target, ...rest } = step;
  if (step.kind === 'type' && (step.id ?? target) === undefined) return focusedStep(step, run);
  const named: Step = target === undefined ? step : { ...rest, id: await idOf(target, step, run) };
  if (step.kind !== 'drag' || step.value === undefined || AN_ID.test(step.value)) return named;
  return { ...named, value: await idOf(step.value, step, run) };
}

/** The step on the element with the focus. */
async function focusedStep(step: Step, { context, route }: Run): Promise<Step> {
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
async function idOf(target: string, step: Step, { context, route }: Run): Promise<string> {
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

interface Acted {
  readonly asked: { readonly id?: string; readonly value?: string };
  readonly output: unknown;
  /** Set when another way was taken than the step's own. */
  readonly how?: string;
}

async function act(step: Step, { route, context }: Run, target = ''): Promise<Acted> {
  const { make } = KINDS[trustMade(step.kind)];
  const made: PrimitiveCall = make(step);
  const { id = '', value = '' } = step;
  const asked = { ...(step.id !== undefined && { id }), ...(step.value !== undefined && { value }) };
  const byHand = async (wasFilled: boolean) => setByHand(id, value, { context, route, wasFilled });
  try {
    const { output } = await context.call({ ...made, route });
    // A page may listen to the mouse alone.
    const isSlider = step.kind === 'fill' && isShownSlider(id, target, route, context);
    const set = isSlider && isUnheard(value, output) ? await byHand(true) : undefined;
    return { asked, output, ...set };
  } catch (error) {
    const set = step.kind === 'fill' && takesNoText(error) ? await byHand(false) : undefined;
    if (set !== undefined) return { asked, ...set };
    if (step.kind === 'type' && takesNoText(error)) return typedByKeys(step, { route, context });
    // A page shows labels; some maps and agents use the value behind one.
    const isNoLabel = isCallFailure(error) && error.error.evidence['reason'] === 'not_a_choice';
    if (step.kind !== 'select' || !isNoLabel) throw error;
    const byValue: InputOf<'element.select'> = { id, choice: { value } };
    return { asked, output: (await callPrimitive(context, route, 'element.select', byValue)).output };
  }
}

/** A box that draws its own text listens for keys alone. Each call of keys is classified like one that was asked for. */
async function typedByKeys(
  { id, value = '' }: Step,
  { route, context }: Pick<Run, 'route' | 'context'>,
): Promise<Acted> {
  let output: unknown;
  for (const [index, keys] of keysFor(value).entries()) {
    const on = index === 0 && id !== undefined ? { id } : {};
    ({ output } = await callPrimitive(context, route, 'element.keys', { ...on, keys }));
  }
  return { asked: {}, output, how: 'keys' };
}

/** By its name in the step, or in the last snapshot: asking the page would slow every fill. */
function isShownSlider(id: string, target: string, { view }: TabRoute, { looks }: ToolContext): boolean {
  if (locatorOf(target).role === 'slider') return true;
  const seen = looks.last(view?.runtime_id ?? '')?.text ?? '';
  return seen.split('\n').some((line) => line.trimStart().startsWith(`${id} slider`));
}

const WAIT_MS = 10_000;
/** Extra time of the call, so that the page's own answer comes first. */
const GRACE_MS = 2_000;

async function waited(step: Step, { context, route }: Run): Promise<StepOutcome> {
  const { target, value, ms, words, kind } = step;
  if (target === undefined && value === undefined) {
    await new Promise((resolve) => setTimeout(resolve, ms ?? 1_000));
    return { said: `${words} ok` };
  }
  const timeout_ms = ms ?? WAIT_MS;
  const options = { timeout_ms: timeout_ms + GRACE_MS };
  const { output } =
    target === undefined
      ? await callPrimitive(
          context,
          route,
          'page.wait',
          { for: kind === 'wait' ? 'text' : 'text_gone', text: value ?? '', timeout_ms },
          options,
        )
      : await callPrimitive(
          context,
          route,
          'locator.wait_for',
          { locator: locatorOf(target), timeout_ms },
          options,
        );
  const said = `${words} ok after ${numberAt(output, 'elapsed_ms') ?? '?'} ms`;
  return { said, lines: lateLines(output) };
}

const LOOK_TOKENS = 700;

async function looked({ value, words }: Step, run: Run): Promise<StepOutcome> {
  const { context, route } = run;
  const { output, view } = await callPrimitive(context, route, 'page.snapshot', {
    mode: 'semantic',
    form: 'view',
    max_tokens: LOOK_TOKENS,
    ...(value !== undefined && { query: value }),
  });
  const { look, pages, next } = seenPage(output, view && urlOf(view), context.nonce, value);
  if (value === undefined) context.looks.add(view?.runtime_id ?? '', look);
  // The ids of a new page are known from here on.
  delete run.leftFor;
  return { said: `${words} ok`, pages, ...(next !== undefined && { next }) };
}

/** A key left down would change everything that follows. */
async function releaseKeys({ held, context, route }: Run): Promise<void> {
  for (const keys of held)
    await callPrimitive(context, route, 'element.keys', { keys, phase: 'up' }).catch(() => undefined);
}

async function answerOf(run: Run, opened: readonly RuntimeView[]): Promise<Answer> {
  const { outcomes, route, context, leftFor, rest = '' } = run;
  const arrived = leftFor === undefined ? {} : await arrival(context, route, leftFor);
  const isNumbered = outcomes.length > 1;
  const origin = originOf(route.view && urlOf(route.view));
  const said = outcomes.map(({ number = 1, said: words }) => (isNumbered ? `${number} ${words}` : words));
  const pages = outcomes.flatMap(({ number = 1, lines = [], pages: own = [], isFailed }) => {
    const head = isNumbered ? `step ${number}:\n` : '';
    const changes = lines.length > 0 ? [{ origin, text: head + lines.join('\n') }] : [];
    const [reason, ...others] = own;
    if (isFailed !== true || reason === undefined) return [...changes, ...own];
    return [...changes, { ...reason, text: head + reason.text }, ...others];
  });
  const news = opened.length === 0 ? '' : NEW_TAB;
  const next = [news, rest, ...new Set(outcomes.flatMap((each) => each.next ?? [])), arrived.next ?? ''];
  const words = next.filter((part) => part !== '').join(' ');
  const actedIn = currentView(route, context.tabs())?.runtime_id;
  return {
    said: said.join('\n'),
    ...(actedIn !== undefined && { actedIn }),
    pages: [
      ...pages,
      ...(opened.length === 0 ? [] : [{ origin: TABS_ORIGIN, text: tabLines(opened) }]),
      ...(arrived.pages ?? []),
    ],
    ...(outcomes.some(({ isFailed }) => isFailed === true) && { failed: true }),
    ...(words !== '' && { next: words }),
  };
}

const notRun = (steps: number, why: string): string =>
  steps === 0 ? '' : `${steps} ${steps === 1 ? 'step' : 'steps'} not run: ${why}.`;

/** The others are done before. */
function trustMade(kind: KindName): Exclude<KindName, 'wait' | 'wait_gone' | 'look'> {
  return kind as Exclude<KindName, 'wait' | 'wait_gone' | 'look'>;
}
