import type { Clock } from '@drawbridge/base';
import { delay } from '@drawbridge/base';
import {
  type Answer,
  type Asker,
  BridgeError,
  type BridgeItem,
  type GrantAnswer,
  LIMITS,
  onAbort,
  type Question,
} from '@drawbridge/protocol';

export interface LinkAskerOptions {
  readonly clock: Clock;
  /** Sends an item of the asking runtime to the bridge. */
  readonly send: (item: BridgeItem) => void;
}

/** Asks through the bridge at the other end of the connection (BRG-166). */
export interface LinkAsker extends Asker {
  readonly receive: (answer: GrantAnswer) => void;
  /** Denies open questions: the connection was replaced or closed, and its peer no longer knows them. */
  readonly lost: () => void;
}

/** Grace after the question's expiry until its answer counts as lost. */
const GRACE_MS = 1_000;

export function createLinkAsker({ clock, send }: LinkAskerOptions): LinkAsker {
  const open = new Map<string, { readonly settle: (answer: Answer) => void; readonly deny: Deny }>();

  return {
    ask(question, withdrawn) {
      const { question_id, call_hash, expires_at } = question;
      const denial = (reason: string): Answer => ({ decision: 'deny', call_hash, by: 'nobody', reason });
      if (withdrawn.aborted) return Promise.resolve(denial(CALL_OVER));
      const timeout_ms = Math.max(0, Math.ceil(expires_at - clock.now()));
      return new Promise((resolve) => {
        const over = new AbortController();
        const settle = (answer: Answer): void => {
          if (!open.delete(question_id)) return;
          release();
          over.abort();
          resolve(answer);
        };
        const deny: Deny = (reason) => settle(denial(reason));
        const withdraw: Deny = (reason) => {
          if (open.has(question_id)) trySend({ type: 'grant_withdrawn', question_id });
          deny(reason);
        };
        let release = () => {};
        open.set(question_id, { settle, deny });
        const sent = trySend({
          type: 'grant_question',
          runtime_id: question.runtime_id,
          question: asked(question, timeout_ms),
        });
        if (!sent) return deny(NOT_SENT);
        release = onAbort(withdrawn, () => withdraw(CALL_OVER));
        void delay(clock, timeout_ms + GRACE_MS, over.signal).then(() => withdraw(NO_ANSWER));
      });
    },
    receive: ({ type: _, question_id, ...answer }) => open.get(question_id)?.settle(answerOf(answer)),
    lost: () => {
      for (const { deny } of [...open.values()]) deny(CONNECTION_LOST);
    },
  };

  function trySend(item: BridgeItem): boolean {
    try {
      send(item);
      return true;
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      return false;
    }
  }
}

type Deny = (reason: string) => void;

/** Shortens the question to what an item may hold, since an item that is refused reaches nobody. */
function asked({ runtime_id: _, expires_at: __, ...question }: Question, timeout_ms: number) {
  const { call_id, sentence, data, page, amounts, prices, goods, sends, changed, ...rest } = question;
  return {
    ...rest,
    call_id: call_id.slice(0, LIMITS.id.value),
    sentence: shortened(sentence),
    data: data.map(shortened),
    ...(page && { page: { ...page, title: shortened(page.title) } }),
    ...(amounts && { amounts: amounts.map(shortened) }),
    ...(prices && { prices: prices.map(shortened) }),
    ...(goods && { goods: goods.map(shortened) }),
    ...(sends && { sends: sends.map(shortened) }),
    ...(changed && {
      changed: { before: changed.before.map(shortened), now: changed.now.map(shortened) },
    }),
    timeout_ms,
  };
}

const shortened = (text: string): string =>
  text.length <= LIMITS.label.value ? text : `${text.slice(0, LIMITS.label.value - 1)}…`;

/** Keeps the hash that came with the answer, for the caller to compare (BRG-129). */
function answerOf({
  decision,
  call_hash,
  by,
  until,
  reason,
}: Omit<GrantAnswer, 'type' | 'question_id'>): Answer {
  if (decision === 'once') return { decision, call_hash, by };
  return decision === 'always'
    ? { decision, call_hash, by, ...(until !== undefined && { until }) }
    : { decision, call_hash, by, ...(reason !== undefined && { reason }) };
}

const NOT_SENT = 'The relay cannot be reached, so nobody was asked.';
const NO_ANSWER = 'Nobody answered in time.';
const CALL_OVER = 'The call was over before anybody answered.';
const CONNECTION_LOST = 'The connection to the relay was lost before anybody answered. Call again.';
