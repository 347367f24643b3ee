import type { InteractRequest } from '@drawbridge/protocol';
import type { PageView } from '../page-view.ts';
import type { LastAct } from './rule-state.ts';

export type Verdict =
  | { readonly kind: 'worked' }
  | { readonly kind: 'failed'; readonly problem: string }
  /** May have been done, so no alternative is tried. */
  | { readonly kind: 'unsure'; readonly problem: string }
  /** The client refused to start it. */
  | { readonly kind: 'undone' }
  /** Something covered the element. */
  | { readonly kind: 'covered' }
  /** A person or the policy denied it. */
  | { readonly kind: 'refused'; readonly problem: string };

const WORKED: Verdict = { kind: 'worked' };
const UNSURE_CODES = new Set(['handler_timeout', 'transport_failed', 'indeterminate']);
const REFUSED_CODES = new Set(['permission_denied', 'unsafe_state']);

/** Outcome of the last action, from the client's report and the page (INT-86…93). */
export function judge(last: LastAct, request: InteractRequest, page: PageView): Verdict {
  const { lastActionStatus, lastActionError, lastActionResult } = request;
  if (lastActionStatus === 'pending' && lastActionResult?.success === false && lastActionError === undefined)
    return { kind: 'undone' };
  if (lastActionStatus === 'failure' || lastActionResult?.success === false) {
    const problem = lastActionError?.message ?? request.verification_message ?? 'The action failed.';
    const code = lastActionError?.code ?? '';
    if (code === 'covered') return { kind: 'covered' };
    if (REFUSED_CODES.has(code)) return { kind: 'refused', problem };
    const isUnsure = lastActionStatus === 'pending' || UNSURE_CODES.has(code);
    return { kind: isUnsure ? 'unsure' : 'failed', problem };
  }
  if (last.part === 'look' || last.part === 'scroll') return scrolled(last, request, page);
  const said = complaint(last, request, page);
  if (said !== undefined) return { kind: 'failed', problem: said };
  if (last.isTool || isChanged(last, request, page)) return WORKED;
  return { kind: 'failed', problem: 'Nothing changed on the page.' };
}

function scrolled(last: LastAct, { scrollPosition = '' }: InteractRequest, page: PageView): Verdict {
  const moved = last.hash !== page.hash || last.scrollPosition !== scrollPosition;
  return moved ? WORKED : { kind: 'failed', problem: 'There is nothing more to scroll to.' };
}

/** An error shown by the page or found by the client's check. */
function complaint(last: LastAct, request: InteractRequest, page: PageView): string | undefined {
  if (last.part === 'write' && holdsValue(last, page)) return undefined;
  const [detected] = request.errors_detected ?? [];
  if (detected !== undefined) return `The page says: ${detected}`;
  if (request.verification_passed === false)
    return request.verification_message ?? 'The expected result did not appear.';
  const isSettled =
    request.verification_passed === true || request.hasSuccess === true || last.part === 'write';
  if (request.hasErrors !== true || isSettled) return undefined;
  const event = request.recentEvents?.findLast((text) => /\bError: /.test(text));
  return event === undefined ? undefined : `The page says: ${event}`;
}

function isChanged(last: LastAct, request: InteractRequest, page: PageView): boolean {
  if (last.part === 'write' && holdsValue(last, page)) return true;
  const { didUrlChange, didDomMutate, didNetworkOccur } = request.clientObservations ?? {};
  if (didUrlChange || didDomMutate || didNetworkOccur || request.verification_passed || request.hasSuccess)
    return true;
  if (last.hash !== page.hash) return true;
  return request.lastActionStatus === 'success' && request.clientObservations === undefined;
}

/** A secret field shows only that it is filled; others may cut or reformat the value (`1,000`). */
function holdsValue({ on, value }: LastAct, page: PageView): boolean {
  const node = page.nodes.find(({ i }) => i === on);
  if (node === undefined || value === undefined) return false;
  return node.s?.includes('filled') === true || node.v?.startsWith(value) === true;
}
