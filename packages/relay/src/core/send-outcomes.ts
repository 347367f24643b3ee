import type { Write } from '../ledger/writes.ts';
import type { CoreContext } from './core-context.ts';
import { chatError, parseJson, timeText } from './frames.ts';

/** Outcome of a send. Without `attempt` the send was never forwarded. */
export type SendOutcome =
  | { readonly state: 'delivered'; readonly attempt: number; readonly when: string }
  | {
      readonly state: 'failed';
      readonly error: { readonly code: string; readonly message: string };
      readonly indeterminate?: true;
      readonly attempt?: number;
      readonly when?: string;
    };

type Failure = Extract<SendOutcome, { state: 'failed' }>;

const failure = (error: Failure['error']): Failure => ({ state: 'failed', error });

export const FAILURES = {
  /** CHT-158, CHT-202 */
  away: failure(
    chatError('session_not_connected', 'The session is not connected. Send it again when it is.'),
  ),
  /** CHT-157 */
  expired: failure(
    chatError('session_not_connected', 'The session did not come back in time. Send it again when it has.'),
  ),
  /** CHT-150 */
  injection: failure(
    chatError(
      'send_injection_failed',
      'The proxy could not put the message into the agent, and did not say why.',
    ),
  ),
  /** CHT-160 */
  lost: {
    ...failure(
      chatError(
        'delivery_unknown',
        'The proxy went away in the middle. Look at the agent before you send it again.',
      ),
    ),
    indeterminate: true,
  },
  silent: {
    ...failure(
      chatError('delivery_unknown', 'The proxy never reported. Look at the agent before you send it again.'),
    ),
    indeterminate: true,
  },
} as const satisfies Record<string, Failure>;

export interface SendOutcomes {
  /** The writes, to combine with others in one transaction. */
  readonly writes: (session_id: string, client_message_id: string, outcome: SendOutcome) => readonly Write[];
  /** CHT-154: does nothing when the send is already settled. */
  readonly settle: (session_id: string, client_message_id: string, outcome: SendOutcome) => Promise<void>;
}

export function createSendOutcomes(context: CoreContext): SendOutcomes {
  const writes = (session_id: string, client_message_id: string, outcome: SendOutcome): readonly Write[] => {
    const at = context.now();
    const sent = { message_id: client_message_id, client_message_id };
    const { state, attempt = 0, when = timeText(at) } = outcome;
    const settle = { do: 'settle_message', session_id, client_message_id, attempt, at } as const;
    if (state === 'delivered') {
      const body = { ...sent, status: state, delivered_at: when };
      return [{ ...settle, state }, context.event(session_id, 'message_delivered', body, { at })];
    }
    const { error, indeterminate } = outcome;
    const body = { ...sent, status: state, failed_at: when, error, ...(indeterminate && { indeterminate }) };
    return [
      { ...settle, state, error: parseJson({ ...error, ...(indeterminate && { indeterminate }) }) },
      context.event(session_id, 'message_failed', body, { at }),
    ];
  };

  const settle: SendOutcomes['settle'] = (session_id, client_message_id, outcome) =>
    context.retryUntilStored(() =>
      context.commit(session_id, writes(session_id, client_message_id, outcome)),
    );

  return { writes, settle };
}
