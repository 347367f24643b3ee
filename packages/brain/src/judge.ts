import { type Action, type InteractRequest, parseAction } from '@drawbridge/protocol';
import { diffTrees, type SemanticNode, type TreeDiff } from '@drawbridge/protocol/semantic';
import { type Change, type ExpectedOutcome, isMet } from './expected-outcome.ts';
import { comparable, type PageView, viewOf } from './page-view.ts';

/** The last action and the page before it. */
export interface LastAction {
  readonly action: string;
  /** INT-321: every action, when there were several in a row. */
  readonly chain?: readonly string[];
  readonly url: string;
  readonly nodes: readonly SemanticNode[];
  /** Some nodes were filtered: a missing one may have been on the page. */
  readonly partial: boolean;
  readonly scrollPosition?: string;
  readonly expected?: ExpectedOutcome;
}

export interface Verdict {
  readonly outcome: 'passed' | 'failed' | 'unclear';
  /** Strongest first. Reasons quote the page, so they are data to a model. */
  readonly reasons: readonly string[];
  readonly diff: TreeDiff;
  /** The failed one of a chain. */
  readonly failedIndex?: number;
}

type Settled = Omit<Verdict, 'diff'>;

interface Evidence {
  readonly request: InteractRequest;
  readonly view: PageView;
  readonly last: LastAction;
  readonly action: Action | undefined;
  readonly change: Change;
  /** The client observed a change, whatever the trees show (INT-87). */
  readonly observed: string | undefined;
  /** Nodes missing from either tree do not count as gone (INT-252). */
  readonly partial: boolean;
}

/**
 * Judges the last action from the client's report, the page's messages and the observed changes, in that
 * order. The first rule with a verdict wins.
 */
export function judge(last: LastAction, request: InteractRequest, view: PageView = viewOf(request)): Verdict {
  const evidence = evidenceOf(last, request, view);
  const settled = RULES.map((rule) => rule(evidence)).find((one) => one !== undefined);
  const failedIndex = settled?.failedIndex ?? failedIndexIn(last, request);
  return {
    ...(settled ?? unclear('there is nothing to judge it by')),
    diff: evidence.change.diff,
    ...(failedIndex !== undefined && { failedIndex }),
  };
}

/** INT-322: from the client's report. */
function failedIndexIn({ chain }: LastAction, request: InteractRequest): number | undefined {
  if (chain === undefined) return undefined;
  const { chainPartialState, lastActionError, lastExecutedActionIndex } = request;
  const named = lastActionError === undefined ? -1 : chain.indexOf(lastActionError.action);
  const index =
    (request.chainError ?? request.chainActionError)?.failedIndex ??
    (named >= 0 ? named : undefined) ??
    chainPartialState?.executedActions.length ??
    (lastExecutedActionIndex === undefined ? undefined : lastExecutedActionIndex + 1);
  return index !== undefined && index < chain.length ? index : undefined;
}

const RULES: readonly ((evidence: Evidence) => Settled | undefined)[] = [
  clientFailure,
  clientCheck,
  pageError,
  expectedElement,
  expectedOutcome,
  ownEffect,
  pageSuccess,
  anyChange,
  nothing,
];

/** INT-90 */
function clientFailure({ request }: Evidence): Settled | undefined {
  const error = request.lastActionError ?? request.chainActionError ?? request.chainError;
  const isFailure =
    request.lastActionStatus === 'failure' ||
    request.lastActionResult?.success === false ||
    error !== undefined;
  if (!isFailure) return undefined;
  const state = request.lastActionResult?.actualState;
  return failed(
    error === undefined ? 'the client could not do it' : `${error.code}: ${error.message}`,
    ...(state === undefined ? [] : [`the page is now: ${state}`]),
  );
}

/** INT-92 */
function clientCheck({ request }: Evidence): Settled | undefined {
  const errors = request.errors_detected ?? [];
  if (request.verification_passed !== false && errors.length === 0) return undefined;
  return failed(...errors, request.verification_message ?? "the client's own check failed");
}

/** INT-93. An error beside a met expectation may be unrelated. */
function pageError(evidence: Evidence): Settled | undefined {
  const { request, last, change } = evidence;
  const errors = eventsLike(request, ERROR);
  if (request.hasErrors !== true && errors.length === 0) return undefined;
  const came =
    request.clientVerification?.elementFound === true ||
    (last.expected !== undefined && isMet(last.expected, change) === true);
  const reasons = errors.length > 0 ? errors : ['the page shows an error'];
  return came || request.hasSuccess === true
    ? unclear(...reasons, 'though what was expected came too')
    : failed(...reasons);
}

/** INT-88: takes precedence over our own reading of the tree. */
function expectedElement({ request: { clientVerification: found } }: Evidence): Settled | undefined {
  if (found === undefined) return undefined;
  const what = found.selector === undefined ? 'the expected element' : found.selector;
  return found.elementFound ? passed(`${what} is there`) : failed(`${what} is not there`);
}

function expectedOutcome(evidence: Evidence): Settled | undefined {
  const { last, change, observed, partial } = evidence;
  if (last.expected === undefined) return undefined;
  const met = isMet(last.expected, change);
  const what = outcomeInWords(last.expected);
  if (met === true)
    return observed !== undefined && last.expected.type === 'no_change' ? undefined : passed(what);
  if (met === undefined) return undefined;
  if (change.seen || observed !== undefined || partial)
    return unclear(`not seen: ${what}`, ...changeInWords(evidence));
  return failed(`not seen: ${what}`, 'nothing changed');
}

/** Direct effects: the field has the written value, the address is the requested one. */
function ownEffect(evidence: Evidence): Settled | undefined {
  const { last, view } = evidence;
  if (last.chain === undefined) return effectOf(evidence.action, view);
  const effects = last.chain.map((text) => effectOf(readAction(text), view));
  const index = effects.findIndex((effect) => effect?.outcome === 'failed');
  const wrong = effects[index];
  if (wrong !== undefined) return { ...wrong, failedIndex: index };
  const isSeen = effects.every(
    (effect, place) => effect !== undefined || !/^setValue/.test(last.chain?.[place] ?? ''),
  );
  return isSeen && effects.some((effect) => effect !== undefined)
    ? passed('the fields have their values')
    : undefined;
}

function effectOf(action: Action | undefined, view: PageView): Settled | undefined {
  const [first, second] = action?.args ?? [];
  if (action?.name === 'setValue') {
    const field = view.nodes.find(({ i }) => i === String(first));
    if (field?.v === undefined)
      return field?.s?.includes('filled') ? passed('the field is filled') : undefined;
    return field.v === second
      ? passed('the field has the value')
      : failed(`the field has another value: ${JSON.stringify(field.v)}`);
  }
  if (action?.name === 'navigate' && typeof first === 'string')
    return withoutSlash(view.url) === withoutSlash(first) ? passed('this is the address') : undefined;
  return undefined;
}

function pageSuccess({ request }: Evidence): Settled | undefined {
  const said = [...(request.success_messages ?? []), ...eventsLike(request, SUCCESS)];
  if (said.length > 0) return passed(...said);
  if (request.hasSuccess === true) return passed('the page shows a success');
  if (request.verification_passed === true)
    return passed(request.verification_message ?? 'the client checked it');
  return undefined;
}

/** INT-86, INT-87 */
function anyChange(evidence: Evidence): Settled | undefined {
  const { change, last, request, observed } = evidence;
  if (change.seen) return passed(...changeInWords(evidence));
  const scrolled = last.scrollPosition !== undefined && request.scrollPosition !== last.scrollPosition;
  if (scrolled && request.scrollPosition !== undefined)
    return passed(`scrolled to ${request.scrollPosition}`);
  return observed === undefined ? undefined : unclear(observed, 'but what can be acted on is as it was');
}

/** INT-248 */
function nothing({ request, partial, last, action }: Evidence): Settled | undefined {
  if (request.lastActionStatus === 'pending') return unclear('the client has not finished it');
  const blind =
    last.nodes.length === 0 && (request.interactiveTree ?? request.semanticNodes ?? []).length === 0;
  if (action?.name === 'wait') return unclear('nothing changed meanwhile');
  return partial || blind ? unclear('nothing changed in what was seen') : failed('nothing changed');
}

function evidenceOf(last: LastAction, request: InteractRequest, view: PageView): Evidence {
  const [before, after] = [last.nodes.map(comparable), view.nodes.map(comparable)];
  const diff = diffTrees(before, after);
  const partial = last.partial || request.dom_filtered === true;
  const from = last.url === '' ? request.previousUrl : last.url;
  const edits =
    diff.changed.length + (partial ? 0 : diff.added.length + diff.removed.length + diff.moved.length);
  const seen = (from !== undefined && from !== view.url) || edits > 0;
  const action = readAction(last.action);
  const actedId = action?.args[0] === undefined ? undefined : String(action.args[0]);
  const change: Change = { url: { from, to: view.url }, before, after, diff, seen, actedId };
  return { request, view, last, action, change, observed: observedBy(request), partial };
}

function observedBy({ clientObservations: seen, clientVerification }: InteractRequest): string | undefined {
  if (seen?.didUrlChange === true || clientVerification?.urlChanged === true)
    return 'the client saw the address change';
  if (seen?.didDomMutate === true) return 'the client saw the page change';
  return seen?.didNetworkOccur === true ? 'the client saw a network request' : undefined;
}

function changeInWords({ change: { url, diff } }: Evidence): string[] {
  const nodes = [
    [diff.added.length, 'added'],
    [diff.removed.length, 'removed'],
    [diff.changed.length, 'changed'],
  ] as const;
  const counted = nodes.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
  return [
    ...(url.from !== undefined && url.from !== url.to ? [`went to ${url.to}`] : []),
    ...(counted.length > 0 ? [`elements: ${counted.join(', ')}`] : []),
  ];
}

function outcomeInWords({ type, element, to }: ExpectedOutcome): string {
  const about = element?.name ?? element?.id;
  return [type.replaceAll('_', ' '), about && JSON.stringify(about), to && `to ${JSON.stringify(to)}`]
    .filter((part) => part)
    .join(' ');
}

const ERROR = /^(?:\[[^\]]*\]\s*)?error\b/i;
const SUCCESS = /^(?:\[[^\]]*\]\s*)?success\b/i;

const eventsLike = ({ recentEvents = [] }: InteractRequest, kind: RegExp): string[] =>
  recentEvents.filter((event) => kind.test(event));

function readAction(text: string): Action | undefined {
  try {
    return parseAction(text);
  } catch {
    return undefined;
  }
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');
const passed = (...reasons: string[]): Settled => ({ outcome: 'passed', reasons });
const failed = (...reasons: string[]): Settled => ({ outcome: 'failed', reasons });
const unclear = (...reasons: string[]): Settled => ({ outcome: 'unclear', reasons });
