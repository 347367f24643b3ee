import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError, type ErrorCode } from '@drawbridge/protocol';
import type { CallFailure } from '../call-failure.ts';
import { isCallFailure } from '../call-failure.ts';
import { tabLines, urlOf } from '../lent-tabs.ts';
import { listAt, textAt } from '../loose-value.ts';
import type { Answer } from './answer.ts';
import { oneLine, originOf } from './fence.ts';
import { plainNames } from './plain-names.ts';

/** Advice in our words, because the message itself may quote the page. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  target_not_found: 'Take a snapshot and use an id from it.',
  state_mismatch: 'The page is not in the required state: take a snapshot.',
  invalid_input: 'Change the arguments.',
  unknown_action: 'site {"mode":"list"} says what there is.',
  permission_denied: 'A person or policy refused. Do not try it another way; ask the person.',
  handler_timeout: 'Outcome unknown: take a snapshot before repeating it.',
  transport_failed: 'Outcome unknown: take a snapshot before repeating it.',
  runtime_not_ready: 'The tab is asleep or loading: try again, or use another tab.',
  unsafe_state: 'Nothing may be done on this page. Ask the person.',
  drift_detected: 'The site has changed since its map was made: use snapshot and act instead.',
  state_payload_too_large: 'Ask for state_summary, or raise max_bytes.',
};

export const ANSWER_DIALOG = 'act with accept_dialog or dismiss_dialog answers it.';

/** The step itself does not fit its element, which a snapshot would not change. */
const NEXT_BY_REASON: Readonly<Record<string, string>> = {
  dialog_open: ANSWER_DIALOG,
  not_editable: 'Use click, keys or drag there.',
  wrong_value: 'Change the arguments.',
};

export function errorAnswer(error: unknown, tabs: readonly RuntimeView[]): Answer {
  if (isCallFailure(error)) return callAnswer(error, tabs);
  if (error instanceof BridgeError) return { failed: true, said: `${error.code}: ${error.message}` };
  // A bug of ours, whose message may hold anything.
  return { failed: true, said: 'handler_failed: Drawbridge itself failed here. Try something else.' };
}

function callAnswer({ error, view }: CallFailure, tabs: readonly RuntimeView[]): Answer {
  const { code } = error;
  if (code === 'ambiguous_runtime') {
    return {
      failed: true,
      said: `${code}: several tabs fit. Say which in \`tab\`, by its id or a part of its url or title.`,
      pages: [{ origin: 'tabs', text: tabLines(candidatesOf(error, tabs)) }],
    };
  }
  if (code === 'runtime_not_found') {
    return tabs.length === 0
      ? { failed: true, said: `${code}: no tab is lent. Ask the person to lend one.` }
      : {
          failed: true,
          said: `${code}: no tab fits. There are:`,
          pages: [{ origin: 'tabs', text: tabLines(tabs) }],
        };
  }
  const evidence = plainNames(evidenceLine(error.evidence));
  const next = NEXT_BY_REASON[textAt(error.evidence, 'reason') ?? ''] ?? NEXT[code];
  return {
    failed: true,
    said: code,
    pages: [
      {
        origin: originOf(view && urlOf(view)),
        text: [oneLine(plainNames(error.message), 500), evidence].filter((line) => line !== '').join('\n'),
      },
    ],
    ...(next !== undefined && { next }),
  };
}

function candidatesOf(error: BridgeError, tabs: readonly RuntimeView[]): readonly RuntimeView[] {
  const ids = listAt(error.evidence, 'candidates').map((candidate) => textAt(candidate, 'runtime_id'));
  const named = tabs.filter(({ runtime_id }) => ids.includes(runtime_id));
  return named.length > 0 ? named : tabs;
}

const MOST_EVIDENCE = 300;

/** The plain values of the evidence. */
function evidenceLine(evidence: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(evidence).flatMap(([key, value]) => {
    if (key === 'runtime_id') return [];
    if (typeof value === 'string') return [`${key}=${oneLine(value, 80)}`];
    if (typeof value === 'number' || typeof value === 'boolean') return [`${key}=${value}`];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return [`${key}=${oneLine(value.join(','), 120)}`];
    return [];
  });
  return oneLine(parts.join(' '), MOST_EVIDENCE);
}
