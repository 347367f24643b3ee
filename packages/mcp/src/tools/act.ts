import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { Answer, PageText } from '../answer/answer.ts';
import { type ActionReport, lateLines, reportOf } from '../answer/effect-lines.ts';
import { ANSWER_DIALOG, errorAnswer } from '../answer/error-answer.ts';
import { oneLine, originOf } from '../answer/fence.ts';
import { seenPage } from '../answer/snapshot-lines.ts';
import { CallFailure, callFailure, isCallFailure } from '../call-failure.ts';
import { currentView, NEW_TAB, TABS_ORIGIN, tabLines, tabRoute, UNLENT_TAB, urlOf } from '../lent-tabs.ts';
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
import { createTabsOfBatch, type TabOfBatch, type TabsOfBatch } from './batch-tabs.ts';
import { pictureOf } from './screenshot.ts';
import { arrival } from './snapshot.ts';
import { type Place, withId } from './step-target.ts';
import { ACTS, callPrimitive, TAB, type Tool, type ToolContext } from './tool.ts';

const MOST_STEPS = 200;
const POINT = { type: 'array', items: { type: 'number' } } as const;

export const ACT: Tool = {
  name: 'act',
  description:
    'Acts step by step, and says what changed: `+` new, `-` gone, `~` changed ids, other changes in words. Points are [x, y] in page pixels from the top left of the element, else the window. Goes on after a failed step unless `stop`. look: a snapshot.',
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
            tab: { type: 'string', description: 'another; `new`: one that a step opened' },
            id: { type: 'string' },
            target: { type: 'string', description: 'for id: role and name, `button Save`, or a whole text' },
            value: {
              type: 'string',
              description:
                'text; select: option; drag: id to drop on; keys: `Control+a Enter`; scroll: down, up, left, right, start, end; hold, wait: until this text; upload: text, `data:…;base64,…`, an attachment id (`file_…`), or a path',
            },
            at: POINT,
            to: { ...POINT, description: 'drag, scroll' },
            by: { ...POINT, description: 'drag, scroll, wheel: pixels' },
            path: { type: 'array', items: POINT, description: 'drag, hover' },
            ms: { type: 'integer', description: 'hold, keys, wait; type: by keys' },
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
    const tabs = createTabsOfBatch(tabRoute(args, context), context);
    const run: Run = { tabs, context, outcomes: [] };
    try {
      await runSteps(steps, valueAt(args, 'stop') === true, run);
    } finally {
      await releaseKeys(run);
    }
    // A tab that a step is known to open is lent shortly after the press, or never.
    const isAwaited = run.outcomes.some(({ opensTab }) => opensTab === true);
    const opened = await tabs.opened(isAwaited ? TAB_MS : 0);
    const isUnlent =
      isAwaited && opened.length === 0 && !tabs.used().some(({ isClosed }) => isClosed === true);
    const unlent = isUnlent ? UNLENT_TAB : '';
    return answerOf(run, opened, unlent);
  },
};

const TAB_MS = 3_000;

/** A step with its number in the call: keys may be done in several parts. */
type Numbered = Step & { readonly number: number };

/** The outcome of one step. */
interface Outcome {
  readonly number?: number;
  readonly tab: TabOfBatch;
  readonly said: string;
  readonly pages?: readonly PageText[];
  readonly lines?: readonly string[];
  readonly next?: string;
  readonly isFailed?: boolean;
  readonly opensTab?: boolean;
  readonly picture?: Answer['picture'];
}

interface Run {
  readonly tabs: TabsOfBatch;
  readonly context: ToolContext;
  readonly outcomes: Outcome[];
  rest?: string;
}

/** Errors of a step that say nothing about the next. */
const PASSING: ReadonlySet<string> = new Set([
  ...['state_mismatch', 'target_not_found', 'invalid_input', 'handler_failed'],
  ...['capability_unavailable', 'handler_timeout'],
]);

async function runSteps(steps: readonly Numbered[], stops: boolean, run: Run): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const left = steps.length - index - 1;
    const { id } = step;
    if (run.context.signal.aborted) return;
    let tab = run.tabs.main;
    const begun = async (): Promise<StepOutcome | string> => {
      tab = await run.tabs.named(step);
      if (tab.isClosed === true && (await run.tabs.closed(tab))) return closedOutcome(step, tab);
      return (id === undefined ? undefined : unsafeId(id, step, tab)) ?? stepOutcome(step, tab, run);
    };
    const outcome = await begun().catch(async (error: unknown) => {
      const isKnown = isCallFailure(error) || error instanceof BridgeError;
      if (isKnown && (await closedDuring(error, tab, run))) return closedOutcome(step, tab);
      if (!isKnown || (steps.length === 1 && !meetsDialog(error))) throw plainly(error, step);
      return failedOutcome(step, error, run);
    });
    if (typeof outcome === 'string') {
      run.rest = notRun(left + 1, outcome);
      return;
    }
    if (ANSWERS.has(step.kind) && outcome.isFailed !== true) dropDialogAdvice(run, tab);
    run.outcomes.push({ ...outcome, tab, number: step.number });
    for (const each of outcome.renamed ?? []) tab.renamed.add(each);
    const why = outcome.ends ?? (stops ? outcome.stops : undefined);
    if (why === undefined) continue;
    run.rest = notRun(left, why);
    return;
  }
}

const ANSWERS: ReadonlySet<KindName> = new Set(['accept_dialog', 'dismiss_dialog']);

/** The dialog of an earlier step is answered. */
function dropDialogAdvice({ outcomes }: Run, tab: TabOfBatch): void {
  for (const [index, { next, ...outcome }] of outcomes.entries())
    if (outcome.tab === tab && next === ANSWER_DIALOG) outcomes[index] = outcome;
}

/** Errors of a call whose tab closes, as a popup does when it is done. */
const CLOSING: ReadonlySet<string> = new Set(['cancelled', 'runtime_not_found', 'transport_failed']);

/** Whether the tab has gone: the bridge may hear of it after the call. */
async function closedDuring(error: unknown, tab: TabOfBatch, { tabs, context }: Run): Promise<boolean> {
  const { code } = callFailure(error, undefined).error;
  if (!CLOSING.has(code) || context.signal.aborted) return false;
  tab.isClosed ||= await tabs.closed(tab);
  return tab.isClosed;
}

/** The step that closed it did so; a later step finds it closed. */
function closedOutcome({ words }: Step, tab: TabOfBatch): StepOutcome {
  if (tab.isToldClosed === true) return { said: `${words} not run: its tab has closed`, isFailed: true };
  tab.isToldClosed = true;
  return { said: `${words}: its tab closed, or is no longer lent`, stops: 'its tab closed' };
}

/** Why an id may not be the element that the agent saw. */
function unsafeId(id: string, { words }: Step, { leftFor, renamed }: TabOfBatch): string | undefined {
  if (leftFor !== undefined) return 'this is a new page';
  return renamed.has(id) ? `an earlier step renamed the element of ${words}. Check it first` : undefined;
}

interface StepOutcome extends Omit<Outcome, 'tab'> {
  readonly renamed?: readonly string[];
  /** Why the following steps cannot be run, and why a careful caller would not run them. */
  readonly ends?: string;
  readonly stops?: string;
}

const NOT_BY_HAND = 'the value is set, but the keys or drag by which a page notices it failed';

async function stepOutcome(step: Step, tab: TabOfBatch, { context }: Run): Promise<StepOutcome> {
  const place: Place = { route: tab.route, context };
  if (step.kind === 'wait' || step.kind === 'wait_gone') return waited(step, place);
  if (step.kind === 'look') return looked(step, tab, context);
  if (step.kind === 'screenshot') return { ...(await pictureOf(tab.route, {}, context)) };
  const found = await withId(step, place);
  const { output, asked, how } = await act(found, place);
  const isNamed = found.id === step.id || step.target !== undefined || step.kind === 'select_text';
  const named = isNamed ? '' : ` ${found.id} (it had the focus)`;
  const words = `${step.words}${named}${how === undefined ? '' : ` by ${how}`}`;
  const report: ActionReport = reportOf(words, asked, output);
  if (step.kind === 'key_down') tab.held.add(step.value ?? '');
  if (step.kind === 'key_up') tab.held.delete(step.value ?? '');
  if (report.leftFor !== undefined) tab.leftFor = report.leftFor;
  const failed = textAt(output, 'by_hand_failed');
  const notSaved = textAt(output, 'not_saved');
  return {
    said: failed === undefined ? report.said : `${report.said}; ${NOT_BY_HAND}`,
    lines: [
      ...report.lines,
      ...(failed === undefined ? [] : [`by hand: ${oneLine(failed)}`]),
      ...(notSaved === undefined ? [] : [`file not saved: ${oneLine(notSaved)}`]),
    ],
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
      next: ANSWER_DIALOG,
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
  ...(['double_click', 'triple_click', 'right_click', 'middle_click', 'tap', 'double_tap', 'hold'] as const),
]);

interface Acted {
  readonly asked: { readonly id?: string; readonly value?: string };
  readonly output: unknown;
  /** Set when another way was taken than the step's own. */
  readonly how?: string;
}

async function act(step: Step, { route, context }: Place): Promise<Acted> {
  const { make } = KINDS[trustMade(step.kind)];
  const made: PrimitiveCall = make(step);
  const { id = '', value = '' } = step;
  const asked = { ...(step.id !== undefined && { id }), ...(step.value !== undefined && { value }) };
  if (step.kind === 'type' && step.ms !== undefined) return typedByKeys(step, { route, context });
  try {
    const { output } = await context.call({ ...made, route });
    const how = textAt(output, 'by');
    return { asked, output, ...(how !== undefined && { how }) };
  } catch (error) {
    if (step.kind === 'type' && takesNoText(error)) return typedByKeys(step, { route, context });
    // A page shows labels; some maps and agents use the value behind one.
    const isNoLabel = isCallFailure(error) && error.error.evidence['reason'] === 'not_a_choice';
    if (step.kind !== 'select' || !isNoLabel) throw error;
    const byValue: InputOf<'element.select'> = { id, choice: { value } };
    return { asked, output: (await callPrimitive(context, route, 'element.select', byValue)).output };
  }
}

/** A box that draws its own text listens for keys alone. Each call of keys is classified like one that was asked for. */
async function typedByKeys({ id, value = '' }: Step, { route, context }: Place): Promise<Acted> {
  let output: unknown;
  for (const [index, keys] of keysFor(value).entries()) {
    const on = index === 0 && id !== undefined ? { id } : {};
    ({ output } = await callPrimitive(context, route, 'element.keys', { ...on, keys }));
  }
  return { asked: {}, output, how: 'keys' };
}

const takesNoText = (error: unknown): boolean =>
  isCallFailure(error) && error.error.evidence['reason'] === 'not_editable';

const WAIT_MS = 10_000;
const REST_MS = 300;
/** Extra time of the call, so that the page's own answer comes first. */
const GRACE_MS = 2_000;

async function waited(step: Step, { context, route }: Place): Promise<StepOutcome> {
  const { target, value, ms, words, kind } = step;
  if (target === undefined && value === undefined) {
    await new Promise((resolve) => setTimeout(resolve, ms ?? 1_000));
    // Changes until now belong to this answer; those of a page that does not rest come with the next.
    const rest = { for: 'stable', timeout_ms: REST_MS } as const;
    const seen = await callPrimitive(context, route, 'page.wait', rest, { timeout_ms: GRACE_MS }).catch(
      () => undefined,
    );
    return { said: `${words} ok`, lines: lateLines(seen?.output) };
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

async function looked({ value, words }: Step, tab: TabOfBatch, context: ToolContext): Promise<StepOutcome> {
  const { output, view } = await callPrimitive(context, tab.route, 'page.snapshot', {
    mode: 'semantic',
    form: 'view',
    max_tokens: LOOK_TOKENS,
    ...(value !== undefined && { query: value }),
  });
  const { look, pages, next } = seenPage(output, view && urlOf(view), context.nonce, value);
  if (value === undefined) context.looks.add(view?.runtime_id ?? '', look);
  // The ids of a new page are known from here on.
  delete tab.leftFor;
  return { said: `${words} ok`, pages, ...(next !== undefined && { next }) };
}

/** A key left down would change everything that follows. */
async function releaseKeys({ tabs, context }: Run): Promise<void> {
  for (const { held, route } of tabs.used())
    for (const keys of held)
      await callPrimitive(context, route, 'element.keys', { keys, phase: 'up' }).catch(() => undefined);
}

async function answerOf(run: Run, opened: readonly RuntimeView[], unlent: string): Promise<Answer> {
  const { outcomes, tabs, context, rest = '' } = run;
  const arrived: Pick<Answer, 'pages' | 'next'>[] = [];
  for (const { route, leftFor } of tabs.used())
    if (leftFor !== undefined) arrived.push(await arrival(context, route, leftFor));
  const isNumbered = outcomes.length > 1;
  const said = outcomes.map(({ number = 1, said: words }) => (isNumbered ? `${number} ${words}` : words));
  const pages = outcomes.flatMap(({ number = 1, tab, lines = [], pages: own = [], isFailed }) => {
    const origin = originOf(tab.route.view && urlOf(tab.route.view));
    const head = isNumbered ? `step ${number}:\n` : '';
    const changes = lines.length > 0 ? [{ origin, text: head + lines.join('\n') }] : [];
    const [reason, ...others] = own;
    if (isFailed !== true || reason === undefined) return [...changes, ...own];
    return [...changes, { ...reason, text: head + reason.text }, ...others];
  });
  const news = opened.length === 0 ? unlent : NEW_TAB;
  const advice = [...outcomes, ...arrived].flatMap((each) => each.next ?? []);
  const next = [news, rest, ...new Set(advice)];
  const words = next.filter((part) => part !== '').join(' ');
  // A mark stands for one tab.
  const actedIn =
    tabs.used().length > 1 ? undefined : currentView(tabs.main.route, context.tabs())?.runtime_id;
  return {
    said: said.join('\n'),
    ...(actedIn !== undefined && { actedIn }),
    pages: [
      ...pages,
      ...(opened.length === 0 ? [] : [{ origin: TABS_ORIGIN, text: tabLines(opened) }]),
      ...arrived.flatMap((each) => each.pages ?? []),
    ],
    pictures: outcomes.flatMap(({ picture }) => picture ?? []),
    ...(outcomes.some(({ isFailed }) => isFailed === true) && { failed: true }),
    ...(words !== '' && { next: words }),
  };
}

const notRun = (steps: number, why: string): string =>
  steps === 0 ? '' : `${steps} ${steps === 1 ? 'step' : 'steps'} not run: ${why}.`;

type DoneHere = 'wait' | 'wait_gone' | 'look' | 'screenshot';

/** The others are done before. */
function trustMade(kind: KindName): Exclude<KindName, DoneHere> {
  return kind as Exclude<KindName, DoneHere>;
}
