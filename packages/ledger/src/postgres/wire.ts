import postgres, { type Options, type Sql } from 'postgres';
import { LedgerError } from '../ledger-error.ts';
import type { Row } from '../rows/row.ts';

export type Value = string | number | boolean | null;

export interface WireOptions {
  readonly url: string;
  readonly connections: number;
  readonly connectWithinMs: number;
  /** Timeout of a statement on the server. */
  readonly answerWithinMs: number;
  /** How long a statement waits for a lock; half of `answerWithinMs` by default. */
  readonly lockWithinMs?: number;
  /** Names the sessions, so that other nodes see when the process has ended. */
  readonly name?: string | undefined;
}

/** At most 63 bytes: https://www.postgresql.org/docs/15/runtime-config-logging.html */
export const sessionName = (name: string | undefined): string =>
  name === undefined ? 'drawbridge' : `drawbridge ${name}`;

/** Database connections that reconnect by themselves. */
export interface Wire {
  /**
   * Runs one statement. A silent connection is given up after `answerWithinMs` and a second, together with
   * the others.
   */
  readonly ask: (statement: string, ...values: readonly Value[]) => Promise<readonly Row[]>;
  /** For several statements on one connection. */
  readonly client: () => Sql;
  readonly close: () => Promise<void>;
}

const SCHEMA = 'drawbridge';
const IDLE_TIMEOUT_MS = 1_000;
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
      application_name: sessionName(options.name),
      search_path: SCHEMA,
      statement_timeout: answerWithinMs,
      lock_timeout: options.lockWithinMs ?? Math.ceil(answerWithinMs / 2),
      idle_in_transaction_session_timeout: answerWithinMs,
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
    },
  };
  // Counts beyond 2^53 rows or milliseconds do not occur.
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
      }, answerWithinMs + IDLE_TIMEOUT_MS);
      const answer = asked.unsafe(statement, [...values], { prepare: true });
      try {
        return await Promise.race([answer, silence.promise]);
      } finally {
        clearTimeout(timer);
        // Rejected later, when its connection is closed.
        answer.catch(() => {});
      }
    },
    client: () => client,
    close: () => client.end({ timeout: CLOSE_WITHIN_S }),
  };
}
