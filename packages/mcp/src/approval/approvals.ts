import { type Answer, type Asker, onAbort, type Question } from '@drawbridge/protocol';

/** A question that waits for a person. Only the first answer counts. */
export interface OpenQuestion {
  readonly question: Question;
  readonly answer: (decision: Answer['decision'], by: string, reason?: string) => void;
}

/** Runtimes ask here, and MCP calls listen for questions about them. */
export interface Approvals {
  readonly asker: Asker;
  /** Delivers later questions about this call here. Returns an unsubscribe function. */
  readonly listen: (callId: string, onQuestion: (question: OpenQuestion) => void) => () => void;
}

export interface ApprovalsOptions {
  /** Asks where the MCP client cannot, or about other calls. */
  readonly fallback?: Asker;
  readonly now?: () => number;
}

const NO_WAY_TO_ASK =
  'This MCP client cannot ask a person (it has no elicitation). Allow the call in the side panel or the web app, then call again.';

const denyAll: Asker = {
  ask: async ({ call_hash }) => ({ decision: 'deny', call_hash, by: 'nobody', reason: NO_WAY_TO_ASK }),
};

/**
 * Asks through the MCP client while one of its calls runs. `asker` goes to the runtime, the whole to the
 * server: older MCP pushes a form, current MCP answers the call with it, and both find the question by its
 * `call_id`.
 */
export function createApprovals({ fallback = denyAll, now = Date.now }: ApprovalsOptions = {}): Approvals {
  const listeners = new Map<string, (question: OpenQuestion) => void>();
  return {
    asker: {
      ask(question, withdrawn) {
        const listener = listeners.get(question.call_id);
        if (listener === undefined) return fallback.ask(question, withdrawn);
        const { call_hash } = question;
        return new Promise((resolve) => {
          let stop = () => {};
          const settle = (answer: Answer) => {
            clearTimeout(timer);
            stop();
            resolve(answer);
          };
          const deny = (reason: string) => settle({ decision: 'deny', call_hash, by: 'nobody', reason });
          const timer = setTimeout(
            () => deny('Nobody answered in time.'),
            Math.max(0, question.expires_at - now()),
          );
          stop = onAbort(withdrawn, () => deny('The call was over before it was answered.'));
          listener({
            question,
            // Bound to the call it was asked for, whatever the answer contains (BRG-129).
            answer: (decision, by, reason) =>
              settle({
                decision,
                call_hash,
                by,
                ...(decision === 'deny' && reason !== undefined && { reason }),
              }),
          });
        });
      },
    },
    listen(callId, onQuestion) {
      listeners.set(callId, onQuestion);
      return () => listeners.delete(callId);
    },
  };
}
