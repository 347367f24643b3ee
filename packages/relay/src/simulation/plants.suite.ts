import type { Plant } from './planted-core.suite.ts';

/** In place of a time that ends something. */
const NEVER = '1e9';

/** Each has to be found by the checker. */
export const PLANTS: readonly Plant[] = [
  {
    name: 'a send is said to be accepted before it is stored',
    file: 'sends.ts',
    changes: [
      [
        '    try {\n      const outcome = await base.commit(session_id, writes',
        `    const event_id = writes[0].event.event_id;
    const sequence = base.feed.head(session_id) + 1;
    peer.send(acceptedText({ session_id, client_message_id, event_id, sequence, accepted_at: at }), 'answer');
    try {
      const outcome = await base.commit(session_id, writes`,
      ],
    ],
  },
  {
    name: 'what left for a proxy that died is sent again',
    file: 'delivery.ts',
    changes: [
      ['message.attempt === 0 || line.unsent.has(message.client_message_id)', 'message.attempt < 9'],
      ['attempt === 0 || line.unsent.has(client_message_id)', 'attempt < 9'],
    ],
  },
  {
    name: 'what never left counts as sent',
    file: 'delivery.ts',
    changes: [
      ['message.attempt === 0 || line.unsent.has(message.client_message_id)', 'message.attempt === 0'],
    ],
  },
  {
    name: 'a silent proxy is waited for without end',
    file: 'delivery.ts',
    changes: [['base.after(base.times.send_result_ms', `base.after(${NEVER}`]],
  },
  {
    name: 'the queue is forwarded from its end',
    file: 'delivery.ts',
    changes: [['toSorted((a, b) => a.sequence - b.sequence)', 'toSorted((a, b) => b.sequence - a.sequence)']],
  },
  {
    name: 'a failed injection counts as delivered',
    file: 'delivery.ts',
    changes: [["result === 'delivered'", "result !== 'unheard of'"]],
  },
  {
    name: 'what the disk refused is not tried again',
    file: 'insistence.ts',
    changes: [['after(RETRY_MS', `after(${NEVER}`]],
  },
  {
    name: 'a forwarded send can be cancelled',
    file: 'queue-edits.ts',
    changes: [["state: 'failed', attempt: 0, error", "state: 'failed', error"]],
  },
  {
    name: 'a waiting send never expires',
    file: 'expiry.ts',
    changes: [['openLot(times.queue_ms', `openLot(${NEVER}`]],
  },
  {
    name: 'sends that were under way at a crash are forgotten',
    file: 'recovery.ts',
    changes: [['if (attempt > 0) await', 'if (attempt > 9) await']],
  },
  {
    name: 'a note that comes twice is told twice',
    file: 'feed.ts',
    changes: [['if (event.sequence === line.head + 1) pass', 'if (event.sequence <= line.head + 1) pass']],
  },
  {
    name: 'live events come before what was missed',
    file: 'history.ts',
    changes: [
      ['for (const { session_id } of points) peer.skipThrough(session_id, Number.POSITIVE_INFINITY);', ''],
      ['peer.skipThrough(session_id, Number.POSITIVE_INFINITY);', ''],
    ],
  },
  {
    name: 'what happens during a resume is lost',
    file: 'history.ts',
    changes: [['while (cursor < feed.head(session_id) && peer.isOpen())', 'while (Number.isNaN(cursor))']],
  },
  {
    name: 'a browser watches a little later than it is told',
    file: 'greeting.ts',
    changes: [
      ['history.resume(peer, points);\n', 'history.resume(peer, points);\n    await ledger.heads();\n'],
    ],
  },
  {
    name: 'a transcript says nothing of deliveries',
    file: 'transcript-page.ts',
    changes: [['status: send.state', "status: 'accepted'"]],
  },
  {
    name: 'a guest hears what happens in other sessions',
    file: 'peers.ts',
    changes: [['if (peer.sessions === undefined) everywhere.add(peer);', 'everywhere.add(peer);']],
  },
  {
    name: 'a guest may see every session',
    file: 'peer.ts',
    changes: [['const only = scopedSessions(identity);', 'const only = undefined;']],
  },
  {
    name: 'a stranger is greeted as a person',
    file: 'connection.ts',
    changes: [["claimed === 'browser' ? 'stranger' : undefined", "'browser'"]],
  },
  {
    name: 'a revoked device stays connected',
    file: 'connections.ts',
    changes: [["connection.end(CLOSE_CODES.unauthorized, 'revoked')", 'continue']],
  },
  {
    name: 'frames of a feature go to those who do not know it',
    file: 'render.ts',
    changes: [['feature !== undefined && features.has(feature)', 'feature !== undefined']],
  },
  {
    name: 'a timeout grants',
    file: 'prompt.ts',
    changes: [['DENYING.has(id)', "id !== ''"]],
  },
  {
    name: 'two people answer the same prompt',
    file: 'prompt-answers.ts',
    changes: [["from: ['open'],", "from: ['open', 'answering'],"]],
  },
  {
    name: 'an answer is waited for without end',
    file: 'prompt-answers.ts',
    changes: [['base.after(base.times.answer_ms', `base.after(${NEVER}`]],
  },
  {
    name: 'a prompt whose answer failed stays shut',
    file: 'prompt-answers.ts',
    changes: [["prompt.state = 'open';", '']],
  },
  {
    name: 'a prompt runs out too early',
    file: 'prompts.ts',
    changes: [['timeout_ms, { sequence })', 'timeout_ms && timeout_ms / 2, { sequence })']],
  },
  {
    name: 'a prompt expires by the wall after a restart',
    file: 'prompts.ts',
    changes: [['Math.min(timeout_ms, Math.max(0, expires_at - base.now()))', 'expires_at - base.now()']],
  },
  {
    name: 'a prompt outlives its session',
    file: 'closes.ts',
    changes: [['await prompts.withdraw(session_id);', '']],
  },
  {
    name: 'a launch never times out',
    file: 'launches.ts',
    changes: [['base.after(ms, () => {', `base.after(${NEVER}, () => {`]],
  },
  {
    name: 'an answer goes only to the connection that asked',
    file: 'peers.ts',
    changes: [['{ ...asker, connection_id: null }', 'asker']],
  },
  {
    name: 'an answer goes to every tab of the device',
    file: 'peers.ts',
    changes: [['(client_id === null || client_id === peer.client_id)', 'true']],
  },
  {
    name: 'an echo stands in the transcript again',
    file: 'transcript.ts',
    changes: [["role === 'user'", "role === 'nobody'"]],
  },
  {
    name: 'a closed session is still listed',
    file: 'sessions.ts',
    changes: [['!hasEnded(session) && ', '']],
  },
  {
    name: 'a session that was up at a crash is not said to be down',
    file: 'recovery.ts',
    changes: [
      [
        "parseSession(metadata).status !== 'disconnected'",
        "parseSession(metadata).status === 'disconnected'",
      ],
    ],
  },
];

/** Each has to be found where several relays keep one ledger. */
export const CLUSTER_PLANTS: readonly Plant[] = [
  {
    name: 'what a beat tells is not looked for',
    file: 'hearing.ts',
    changes: [['if (behind.length > 0) base.run(catchUpAll(behind));', '']],
  },
  {
    name: 'a word that was lost is not said again',
    file: 'courier.ts',
    changes: [['return times < (waiting.has(id) ? TRIES : atLeast);', 'return false;']],
  },
  {
    name: 'a branch that comes up takes every agent to be away',
    file: 'sessions.ts',
    changes: [['shown: keeps\n', 'shown: keeps || true\n']],
  },
  {
    name: 'a hole is passed over on a branch',
    file: 'feed.ts',
    changes: [['if (event.sequence === line.head + 1) pass', 'if (event.sequence > line.head) pass']],
  },
];
