import { launchOf, promptOf } from '../rows/record-rows.ts';
import { integer } from '../rows/row.ts';
import type {
  ForgetPrompts,
  MovePrompt,
  OpenLaunch,
  OpenPrompt,
  SettleLaunch,
  TellLaunch,
} from '../writes.ts';
import type { Writer } from './chains.ts';
import { QUERIES } from './queries.ts';
import { Refused } from './refused.ts';
import type { Sql } from './sql.ts';

const OPEN_STATES: readonly string[] = ['open', 'answering'];

/** CHT-223: a settled prompt_id that comes again is a new prompt, and a new row. */
export function openPrompt(sql: Writer, write: OpenPrompt): null {
  const session = sql.chains.of(write.session_id).session;
  const there = sql.one(QUERIES.prompt, write.session_id, write.prompt_id);
  const prompt = there && promptOf(there);
  if (prompt && OPEN_STATES.includes(prompt.state)) throw new Refused({ reason: 'prompt_open', prompt });
  sql.run(
    `INSERT INTO prompts (session, prompt_id, body, state, opened_at, expires_at) VALUES (?, ?, ?, 'open', ?, ?)`,
    session,
    write.prompt_id,
    JSON.stringify(write.body),
    write.at,
    write.expires_at,
  );
  return null;
}

export function movePrompt(sql: Writer, write: MovePrompt): null {
  const { session_id, prompt_id, from, to, answer, at } = write;
  const row = sql.one(QUERIES.prompt, session_id, prompt_id);
  if (row === undefined) {
    sql.chains.of(session_id);
    throw new Refused({ reason: 'prompt_unknown' });
  }
  const prompt = promptOf(row);
  if (!from.includes(prompt.state)) throw new Refused({ reason: 'prompt_changed', prompt });
  const kept = answer === undefined ? prompt.answer : answer;
  sql.run(
    'UPDATE prompts SET state = ?, settled_at = ?, answer = ? WHERE prompt = ?',
    to,
    OPEN_STATES.includes(to) ? null : at,
    kept === null ? null : JSON.stringify(kept),
    integer(row, 'prompt'),
  );
  return null;
}

export function forgetPrompts(sql: Writer, { session_id, settled_before }: ForgetPrompts): null {
  sql.run(
    `DELETE FROM prompts INDEXED BY prompts_id WHERE session = ? AND state NOT IN ('open', 'answering') AND settled_at < ?`,
    sql.chains.of(session_id).session,
    settled_before,
  );
  return null;
}

export function openLaunch(sql: Sql, write: OpenLaunch): null {
  const there = sql.one(QUERIES.pendingLaunch, write.request_id);
  if (there !== undefined) throw new Refused({ reason: 'launch_pending', launch: launchOf(there) });
  sql.run(
    `INSERT INTO launches
       (request_id, device_id, client_id, proxy_device_id, body, state, launched_at, timeout_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)`,
    write.request_id,
    write.device_id,
    write.client_id,
    write.proxy_device_id,
    JSON.stringify(write.body),
    write.at,
    write.timeout_at,
  );
  return null;
}

export function settleLaunch(sql: Sql, write: SettleLaunch): null {
  const row = sql.one(QUERIES.pendingLaunch, write.request_id);
  if (row === undefined) throw new Refused({ reason: 'launch_unknown' });
  sql.run(
    'UPDATE launches SET state = ?, settled_at = ?, outcome = ? WHERE launch = ?',
    write.state,
    write.at,
    JSON.stringify(write.outcome),
    integer(row, 'launch'),
  );
  return null;
}

export function reportLaunch(sql: Sql, { device_id, request_id }: TellLaunch): null {
  const told = sql.run(
    `UPDATE launches INDEXED BY launches_untold SET told = 1
     WHERE state <> 'pending' AND told = 0 AND device_id = ? AND request_id = ?`,
    device_id,
    request_id,
  );
  if (told === 0) throw new Refused({ reason: 'launch_unknown' });
  return null;
}
