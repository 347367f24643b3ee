import type { ChatFrame } from '@drawbridge/protocol';
import type { Browser } from './browser.ts';
import type { Facts } from './facts.ts';
import type { PeerLog } from './peer.ts';
import { ONLY_SESSION, type Run } from './simulation.ts';
import { parseBroadcast, type SessionView } from './view.ts';

/** Checks each person's screen: finally the same as everyone's, and never a session without access. */
export function checkScreens(run: Run, facts: Facts): readonly string[] {
  return [
    ...run.browsers.flatMap((browser) => [
      ...checkPrivacy(run, browser, facts),
      ...checkAnswers(browser.log, facts),
      ...(run.revoked.has(browser.traits.device_id) ? [] : checkScreen(browser, facts)),
    ]),
    ...checkUnauthenticated(run.unauthenticated.log),
  ];
}

function checkScreen({ traits, peer, views, outbox, launches }: Browser, facts: Facts): readonly string[] {
  const wrong: string[] = [];
  if (!peer.isReady()) wrong.push('[CHT-101] is not connected');
  for (const id of outbox.keys()) wrong.push(`[CHT-136] ${id} has no answer`);
  for (const [id, state] of launches) {
    if (state === 'asked' || state === 'launching') wrong.push(`[CHT-186] ${id} is ${state} for ever`);
  }
  for (const [session_id, { record, view }] of facts.sessions) {
    if (traits.name === 'guest' && session_id !== ONLY_SESSION) continue;
    const shown = views.get(session_id);
    // Closed before the browser first connected: in no snapshot.
    if (record.closed_at !== null && shown?.last === undefined) continue;
    if (shown?.last !== record.head)
      wrong.push(`[CHT-263] ${session_id}: at ${shown?.last} of ${record.head}`);
    if (shown === undefined) continue;
    const [here, there] = [plain(shown.view), plain(view)];
    if (here !== there) wrong.push(`[CHT-263] ${session_id}: shows ${here}, the ledger says ${there}`);
  }
  return wrong.map((problem) => `${traits.name}: ${problem}`);
}

function plain({ session, closed, model_id, deliveries, transcript, prompts }: SessionView): string {
  const sorted = (entries: Iterable<readonly [string, string]>) =>
    [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    closed,
    ...(!closed && { status: session?.status, title: session?.window_title, model_id }),
    deliveries: sorted(deliveries),
    transcript: sorted(transcript),
    prompts: [...prompts].sort(),
  });
}

function checkPrivacy(run: Run, { traits, log }: Browser, facts: Facts): readonly string[] {
  const wrong: string[] = [];
  const dismissed = run.relay.log.dismissed.get(traits.device_id) ?? Number.POSITIVE_INFINITY;
  if (run.revoked.has(traits.device_id) && !run.relay.log.dismissed.has(traits.device_id))
    wrong.push(`[CHT-93] ${traits.name} was revoked, and is connected`);
  for (const { direction, frame, at } of log.entries) {
    if (direction === 'out') continue;
    const event = parseBroadcast(frame);
    const safe = event && facts.synced.get(event.event_id);
    if (safe !== undefined && safe.order > dismissed)
      wrong.push(`[CHT-93] ${traits.name} at ${at} after it was revoked`);
    if (traits.name !== 'guest') continue;
    for (const session_id of sessionsIn(frame)) {
      if (session_id !== ONLY_SESSION) wrong.push(`[CHT-92] guest at ${at}: ${JSON.stringify(frame)}`);
    }
  }
  return wrong;
}

function sessionsIn(frame: ChatFrame): readonly string[] {
  if (frame.type === 'session_launch_ack') return [];
  if (frame.type === 'session_snapshot') return frame.sessions.map(({ session_id }) => session_id);
  if (frame.type === 'session_up') return [frame.session.session_id];
  if (frame.type === 'connection_ack') {
    const { resumed = [], open_prompts = [], session_configs = {} } = frame;
    return [
      ...[...resumed, ...open_prompts].map(({ session_id }) => session_id),
      ...Object.keys(session_configs),
    ];
  }
  return 'session_id' in frame && frame.session_id !== undefined ? [frame.session_id] : [];
}

const NOT_BEGUN: ReadonlySet<string> = new Set(['send_rejected', 'no_proxy_connected']);

/** CHT-188, CHT-238: answers go to their requester, and a launch has one outcome. */
function checkAnswers({ name, entries }: PeerLog, { relaunched }: Facts): readonly string[] {
  const wrong: string[] = [];
  const asked = new Set<string>();
  const outcomes = new Map<string, string>();
  for (const { direction, frame, at } of entries) {
    if (direction === 'out') {
      if (frame.request_id !== undefined) asked.add(frame.request_id);
      continue;
    }
    const { type, request_id = '' } = frame;
    const answers = type === 'agent_control_result' || type.startsWith('session_launch');
    if (answers && !asked.has(request_id))
      wrong.push(`[CHT-238] ${name} at ${at} did not ask: ${JSON.stringify(frame)}`);
    if (type !== 'session_launch_ack' && type !== 'session_launch_failed') continue;
    const outcome = type === 'session_launch_ack' ? frame.session_id : frame.error_code;
    // Nothing was started, so a retry may start it.
    if (NOT_BEGUN.has(outcome) || relaunched.has(request_id)) continue;
    if ((outcomes.get(request_id) ?? outcome) !== outcome)
      wrong.push(`[CHT-192] ${name}: ${request_id} ended twice`);
    outcomes.set(request_id, outcome);
  }
  return wrong;
}

function checkUnauthenticated({ entries }: PeerLog): readonly string[] {
  return entries.flatMap(({ direction, frame }) => {
    if (direction === 'out') return [];
    if (frame.type === 'heartbeat_ack' || frame.type === 'connection_error') return [];
    if (frame.type === 'session_launch_failed' && frame.error_code === 'unauthorized') return [];
    if (
      frame.type === 'connection_ack' &&
      sessionsIn(frame).length + (frame.pending_launches?.length ?? 0) === 0
    ) {
      return [];
    }
    return [`[CHT-86] a stranger hears ${JSON.stringify(frame)}`];
  });
}
