import postgres, { type Options, type Sql } from 'postgres';
import { LedgerError } from '../ledger-error.ts';
import type { Row } from '../rows/row.ts';

export type Value = string | number | boolean | null;

export interface WireOptions {
  readonly url: string;
  readonly connections: number;
  readonly connectWithinMs: number;
  /** A statement that takes longer is ended by the server. */
  readonly answerWithinMs: number;
}

/** Connections to the database that come back by themselves. */
export interface Wire {
  /** One statement. A line that stays silent is given up after `answerWithinMs` and a second, and the others with it. */
  readonly ask: (statement: string, ...values: readonly Value[]) => Promise<readonly Row[]>;
  /** For several statements on one connection. */
  readonly client: () => Sql;
  readonly close: () => Promise<void>;
}

const SCHEMA = 'drawbridge';
const SILENCE_MS = 1_000;
const CLOSE_WITHIN_S = 5;
const RECONNECT_AFTER_S = 0.1;
const INT8 = 20;

export function openWire(options: WireOptions): Wire {
  const { url, connections, connectWithinMs, answerWithinMs } = options;
  const settings: Options<Record<string, never>> = {
    max: connections,
    connect_timeout: connectWithinMs / 1_000,
    backoff: () => RECONNECT_AFTER_S,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'drawbridge',
      search_path: SCHEMA,
      statement_timeout: answerWithinMs,
      lock_timeout: Math.ceil(answerWithinMs / 2),
      idle_in_transaction_session_timeout: answerWithinMs,
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
    },
  };
  // A count of more than 2^53 rows or milliseconds does not come up.
  const types = { bigint: { to: INT8, from: [INT8], serialize: String, parse: Number } };
  const connect = (): Sql => postgres(url, { ...settings, types });
  let client = connect();

  const giveUp = (silent: Sql): void => {
    if (client === silent) client = connect();
    silent.end({ timeout: 0 }).catch(() => {});
  };

  return {
    ask: async (statement, ...values) => {
      const asked = client;
      const silence = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        silence.reject(
          new LedgerError('ledger_unreachable', 'The database does not answer. Check it and the network.'),
        );
        giveUp(asked);
      }, answerWithinMs + SILENCE_MS);
      const answer = asked.unsafe(statement, [...values], { prepare: true });
      try {
        return await Promise.race([answer, silence.promise]);
      } finally {
        clearTimeout(timer);
        // It is rejected later, when the connection is ended under it.
        answer.catch(() => {});
      }
    },
    client: () => client,
    close: () => client.end({ timeout: CLOSE_WITHIN_S }),
  };
}
