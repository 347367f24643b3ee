import { cutText } from '../perceive/text.ts';
import type { Effect } from './effect.ts';
import type { ExpectedOutcome } from './expected-outcome.ts';

/** Contract fields for the outcome of the last action. */
export interface Verification {
  readonly verification_passed: boolean;
  readonly verification_message: string;
  readonly errors_detected: readonly string[];
  readonly success_messages: readonly string[];
  /** Failed only because nothing was seen: a host that sees more than page code may pass it. */
  readonly unseen?: true;
}

const MESSAGE_LIMIT = 500;
const ENTRY_LIMIT = 200;
const MOST_ENTRIES = 10;

export interface Judged {
  readonly action: string;
  readonly effect: Effect;
  readonly expected: ExpectedOutcome | undefined;
  readonly isMet: boolean | undefined;
  /** The action's own report: a field with the requested value needs no further change. */
  readonly achieved: boolean | undefined;
  readonly shortfall: string | undefined;
}

/** A visible error fails the check, whatever else came true (INT-246); so does an action without one (INT-248). */
export function verify(judged: Judged): Verification {
  const { effect } = judged;
  const shown = problemOf(judged);
  const problem = shown ?? unseenIn(judged);
  return {
    verification_passed: problem === undefined,
    verification_message: cutText(problem ?? `${judged.action}: ${summaryOf(effect)}`, MESSAGE_LIMIT),
    ...(shown === undefined && problem !== undefined && { unseen: true as const }),
    errors_detected: entries(effect.errors),
    success_messages: entries(effect.successes),
  };
}

function problemOf({ action, effect, expected, isMet, achieved, shortfall }: Judged): string | undefined {
  const [error] = effect.errors;
  if (error !== undefined) return `${action}: the page says '${error}'.`;
  if (achieved === false) return `${action}: ${shortfall ?? 'it did not take effect'}.`;
  if (expected !== undefined && isMet === false) {
    return `${action}: expected ${nameOfOutcome(expected)}, but ${effect.happened ? summaryOf(effect) : 'no change was seen'}.`;
  }
  return undefined;
}

function unseenIn({ action, effect, expected, achieved }: Judged): string | undefined {
  if (expected !== undefined || achieved === true || effect.happened) return undefined;
  return `${action}: ${evidenceOf(effect)}`;
}

function nameOfOutcome({ type, orOutcome }: ExpectedOutcome): string {
  return orOutcome === undefined ? type : `${type} or ${nameOfOutcome(orOutcome)}`;
}

/** The statement that nothing was seen, with its evidence. */
function evidenceOf({
  watched_ms = 0,
  requests,
  focus_only,
  drawing,
  timer,
  background,
  settled,
}: Effect): string {
  const parts = [
    `no change seen in ${watched_ms} ms`,
    focus_only && 'focus only',
    drawing && 'drawing not observed',
    timer && 'the page set a timer, more may come',
    requests > 0 && `${requests} requests ended`,
    settled.startsWith('timeout') && settled.slice('timeout: '.length),
    background && `changed by itself as before: ${background.join('; ')}`,
  ];
  return `${parts.filter((part) => typeof part === 'string').join(', ')}.`;
}

/** One line with the most noticeable effects first. */
export function summaryOf(effect: Effect): string {
  const {
    url,
    download,
    dialogs,
    successes,
    added,
    removed,
    changed,
    more = 0,
    messages,
    seen = [],
  } = effect;
  const nodes = added.length + removed.length + changed.length + more;
  const parts = [
    url && `went to ${url.to}`,
    download !== undefined && `a download started (${download})`,
    dialogs.length > 0 && `a dialog opened: '${dialogs[0]}'`,
    successes.length > 0 && `the page says '${successes[0]}'`,
    nodes > 0 && `${added.length} added, ${removed.length} removed, ${changed.length} changed`,
    seen.length > 0 && nodes === 0 && seen.slice(0, 2).join('; '),
    messages.length > 0 && nodes + seen.length === 0 && `'${messages.at(-1)}' appeared`,
    effect.focus !== undefined && 'the focus moved',
    effect.scrolled && 'it scrolled',
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'no change seen' : parts.join('; ');
}

function entries(texts: readonly string[]): string[] {
  return texts.slice(-MOST_ENTRIES).map((text) => cutText(text, ENTRY_LIMIT));
}
