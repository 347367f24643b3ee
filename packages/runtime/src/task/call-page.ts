import { type Action, BridgeError } from '@drawbridge/protocol';
import { effectOfElement, plainEffect } from './act-effect.ts';
import { callFor, elementOf, type MadeCall, withElement } from './action-call.ts';
import { type BodyCall, callPrimitive, parseOutput } from './page-call.ts';
import { createLook, type LookOptions } from './page-look.ts';
import type { Act, ActEffect, Acted, ElementFacts, PageLocation, TaskPage } from './task-page.ts';

export type { BodyCall } from './page-call.ts';

export interface CallBodyOptions extends LookOptions {
  /** Takes a small screenshot of each step. False by default. */
  readonly thumbnails?: boolean;
}

const THUMBNAIL = { format: 'jpeg', quality: 50, max_width: 320 } as const;
/** An irreversible action asks a person, who may be away from the screen. */
const ACT_TIMEOUT_MS = 10 * 60_000;
const EXPECTED_WITHIN_MS = 2_000;
const ANSWER_CHARS = 4_000;

/** Runs a task over calls to one runtime, local or remote. */
export function createCallBody(call: BodyCall, options: CallBodyOptions = {}): TaskPage {
  return {
    perceive: createLook(call, options),
    act: (act, signal) => carryOut(call, act, signal),
    describe: (action, signal) => describe(call, action, signal).catch(() => unseen(action)),
    ...(options.thumbnails === true && {
      thumbnail: (signal: AbortSignal) => callPrimitive(call, 'browser.screenshot', THUMBNAIL, signal),
    }),
  };
}

async function carryOut(call: BodyCall, act: Act, signal: AbortSignal): Promise<Acted> {
  try {
    const ran = await run(call, act, signal);
    const expected = await expectation(call, act, signal);
    const after = await locationAfter(call, act, signal);
    const effect = effectOf(ran, act, after);
    return { ok: true, effect: { ...effect, ...(expected && { expected }) }, after };
  } catch (error) {
    if (signal.aborted || !(error instanceof BridgeError)) throw error;
    return undone(error);
  }
}

interface Ran extends MadeCall {
  readonly output: unknown;
  /** The element that the selector found in place of the id. */
  readonly bySelector?: string;
}

async function run(call: BodyCall, act: Act, signal: AbortSignal): Promise<Ran> {
  const { action, details, expected, seen } = act;
  const made = callFor(action, seen, expected);
  try {
    return { ...made, output: await call(made.name, made.arguments, signal, ACT_TIMEOUT_MS) };
  } catch (error) {
    if (signal.aborted || !(error instanceof BridgeError)) throw error;
    const reason = error.evidence['reason'];
    if (made.name === 'page.wait' && made.arguments['for'] === 'stable' && reason === 'timeout')
      return { ...made, output: undefined };
    if (made.name === 'element.select' && reason === 'not_a_choice')
      return selectByValue(call, made, action, signal);
    if (elementOf(action) === undefined || details?.selectorPath === undefined || !isGone(error)) throw error;
    const id = await onlyElement(call, details.selectorPath, signal);
    if (id === undefined) throw error;
    const again = callFor(withElement(action, id), seen, expected);
    return {
      ...again,
      output: await call(again.name, again.arguments, signal, ACT_TIMEOUT_MS),
      bySelector: id,
    };
  }
}

/** A page shows labels; some deciders send the value behind one. */
async function selectByValue(
  call: BodyCall,
  made: MadeCall,
  { args }: Action,
  signal: AbortSignal,
): Promise<Ran> {
  const byValue = { ...made, arguments: { ...made.arguments, choice: { value: String(args[1]) } } };
  return { ...byValue, output: await call(byValue.name, byValue.arguments, signal, ACT_TIMEOUT_MS) };
}

const GONE: ReadonlySet<unknown> = new Set([
  undefined,
  'unknown_id',
  'detached',
  'changed_identity',
  'ambiguous',
]);

const isGone = ({ code, evidence }: BridgeError): boolean =>
  code === 'target_not_found' && GONE.has(evidence['reason']);

/** INT-129: none when several match. */
async function onlyElement(
  call: BodyCall,
  selector: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const info = await callPrimitive(call, 'locator.element_info', { locator: { selector } }, signal);
    return info.candidate_count === 1 ? info.id : undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof BridgeError)) throw error;
    return undefined;
  }
}

function effectOf(ran: Ran, { action, seen }: Act, after: PageLocation): ActEffect {
  const { name, output, bySelector } = ran;
  const didUrlChange = after.url !== seen.url;
  if (name.startsWith('element.')) {
    const parsed = parseOutput('element.click', output);
    const effect = effectOfElement(parsed);
    const hasLeft = parsed.effect.navigation === 'document' && effect.passed;
    return {
      ...effect,
      didUrlChange: effect.didUrlChange || didUrlChange,
      // The previous document could not report the destination.
      ...(hasLeft && { message: `${action.name}: went to ${after.url}.` }),
      ...(bySelector !== undefined && { healed: { to: bySelector, by: 'selector' } }),
    };
  }
  if (name === 'viewport.scroll') {
    const { moved } = parseOutput('viewport.scroll', output);
    const message = moved ? 'scroll: it scrolled.' : 'scroll: it is at its end already.';
    return plainEffect(message, { didUrlChange, didDomMutate: false, happened: moved, passed: moved });
  }
  if (name === 'browser.navigate')
    return plainEffect(`${action.name}: went to ${after.url}.`, { didUrlChange, didNetworkOccur: true });
  if (name === 'page.wait') return plainEffect('wait: the time is over.', { didUrlChange });
  const answer = (typeof output === 'string' ? output : JSON.stringify(output ?? null)).slice(
    0,
    ANSWER_CHARS,
  );
  return plainEffect(`${String(action.args[0])}: answered.`, { didUrlChange, answer });
}

async function locationAfter(call: BodyCall, { seen }: Act, signal: AbortSignal): Promise<PageLocation> {
  try {
    return await callPrimitive(call, 'page.info', {}, signal);
  } catch (error) {
    // The next document may not be ready; the next look reports its address.
    if (signal.aborted || !(error instanceof BridgeError)) throw error;
    return { url: seen.url };
  }
}

async function expectation(call: BodyCall, { expected }: Act, signal: AbortSignal) {
  const selector = selectorIn(expected);
  if (selector === undefined) return undefined;
  const sought = { locator: { selector }, state: 'attached', timeout_ms: EXPECTED_WITHIN_MS } as const;
  try {
    await callPrimitive(call, 'locator.wait_for', sought, signal);
    return { selector, found: true };
  } catch (error) {
    if (signal.aborted || !(error instanceof BridgeError)) throw error;
    return { selector, found: false };
  }
}

/** Reads `expectedOutcome` of a plan step: a selector, or the element that should appear. */
function selectorIn(expected: Act['expected']): string | undefined {
  const element: unknown = expected?.['element'];
  const inner: unknown =
    typeof element === 'object' && element !== null ? Reflect.get(element, 'selector') : undefined;
  return [expected?.['selector'], inner].find((selector) => typeof selector === 'string');
}

/** Text for a field that cannot be inspected, as in a frame of another site, counts as a secret. */
const unseen = ({ name }: Action): ElementFacts => (name === 'setValue' ? { secret: true } : {});

async function describe(call: BodyCall, action: Action, signal: AbortSignal): Promise<ElementFacts> {
  const id = elementOf(action);
  if (id === undefined) return {};
  const locator = { selector: `[data-llm-id="${id.replaceAll(/["\\]/g, '\\$&')}"]` };
  const info = await callPrimitive(call, 'locator.element_info', { locator, auto_scroll: false }, signal);
  // A page can copy the id attribute to any element: only the page code's own id counts.
  if (info.id !== id) return unseen(action);
  const { selector_path } = info;
  const isSecret =
    action.name === 'setValue' &&
    (await callPrimitive(call, 'locator.value', { locator }, signal)).filled !== undefined;
  return {
    ...(selector_path !== undefined && { selectorPath: selector_path }),
    ...(isSecret && { secret: true }),
  };
}

/** After these errors the outcome is unknown. */
const IN_THE_MIDDLE: ReadonlySet<string> = new Set(['transport_failed', 'handler_timeout']);
/** Steps at which a timed-out call had not acted yet. */
const BEFORE_IT_BEGAN: ReadonlySet<unknown> = new Set(['waiting for permission', 'waiting for its turn']);

function undone({ code, message, evidence }: BridgeError): Acted {
  const { reason, step, cancelled } = evidence;
  // A `page.wait` that timed out is a valid answer.
  const wasRunning = reason !== 'timeout' && !BEFORE_IT_BEGAN.has(step);
  const isOpen = (IN_THE_MIDDLE.has(code) && wasRunning) || cancelled === true;
  return {
    ok: false,
    error: { code: isWord(reason) ? reason : code, message },
    ...(isOpen && { indeterminate: true as const }),
  };
}

/** Some reasons are sentences: "a person refused it". */
const isWord = (reason: unknown): reason is string => typeof reason === 'string' && /^[a-z_]+$/.test(reason);
