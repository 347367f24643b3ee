import { createBusInbox } from '../../src/core/bus-inbox.ts';
import { createCloses } from '../../src/core/closes.ts';
import { createConnections, openConnection } from '../../src/core/connection.ts';
import { createRetryUntilStored } from '../../src/core/core-context.ts';
import { createDelivery } from '../../src/core/delivery.ts';
import { createFeed } from '../../src/core/feed.ts';
import { renderEvent } from '../../src/core/frames.ts';
import { createHandshake } from '../../src/core/handshake.ts';
import { createHistory } from '../../src/core/history.ts';
import { createLaunches } from '../../src/core/launches.ts';
import { createPeer } from '../../src/core/peer.ts';
import { createPeers, isFor } from '../../src/core/peers.ts';
import { defaultDenies } from '../../src/core/prompt.ts';
import { createPromptAnswers } from '../../src/core/prompt-answers.ts';
import { createPrompts } from '../../src/core/prompts.ts';
import { createQueueEdits } from '../../src/core/queue-edits.ts';
import { recover } from '../../src/core/recovery.ts';
import { createRepeatedRequests } from '../../src/core/repeated-requests.ts';
import { createScheduledSends } from '../../src/core/scheduled-sends.ts';
import { answersAgain, storedSend } from '../../src/core/send.ts';
import { createSendExpiry } from '../../src/core/send-expiry.ts';
import { sortSends } from '../../src/core/send-queue.ts';
import { createSends } from '../../src/core/sends.ts';
import { createSessions } from '../../src/core/sessions.ts';
import { createTranscript } from '../../src/core/transcript.ts';
import { readTranscript } from '../../src/core/transcript-page.ts';
import type { Mutant } from './mutated-core.ts';

/** A timeout that no run reaches. */
const NEVER = '1e9';

/** Mutants of the core that the checker has to kill. Shapes name only wire fields, settings and literals. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'accepts a send before it is stored',
    of: createSends,
    changes: [
      { find: "$_.send($accepted($_), 'answer')" },
      { find: '$base.feed.reach($_, $_)' },
      {
        find: 'const $outcome = await $accept($peer.device_id, $frame, $session, $chars);',
        replace: `
          const sequence = $base.feed.head($frame.session_id) + 1;
          $peer.send($accepted({ ...$frame, event_id: $base.id('evt'), accepted_at: 0, sequence }), 'answer');
          const $outcome = await $accept($peer.device_id, $frame, $session, $chars);`,
      },
    ],
  },
  {
    name: 'forgets scheduled sends at a restart',
    of: createScheduledSends,
    changes: [{ find: 'await $ledger.settingsUnder($_)', replace: '[]' }],
  },
  {
    name: 'forwards a send again to a proxy without a record',
    of: answersAgain,
    changes: [{ find: "$features.has('resend')", replace: 'true' }],
  },
  {
    name: 'takes a send in doubt for one that never left',
    of: storedSend,
    changes: [{ find: "$attempt > 0 ? 'in_doubt' : 'queued'", replace: "'queued'" }],
  },
  {
    name: 'waits for a silent proxy without a timeout',
    of: createDelivery,
    changes: [{ find: '$after($times.send_result_ms, $run)', replace: `$after(${NEVER}, $run)` }],
  },
  {
    name: 'forwards the queue from its end',
    of: sortSends,
    changes: [
      {
        find: '$queue.toSorted(($a, $b) => $a.$send.sequence - $b.$send.sequence)',
        replace: '$queue.toSorted(($a, $b) => $b.$send.sequence - $a.$send.sequence)',
      },
    ],
  },
  {
    name: 'takes a failed injection for a delivery',
    of: createDelivery,
    changes: [{ find: "$result === 'delivered'", replace: '$result !== undefined' }],
  },
  {
    name: 'does not retry a write that the disk refused',
    of: createRetryUntilStored,
    changes: [
      {
        find: '$after($ms, () => $run($insist($work)))',
        replace: `$after(${NEVER}, () => $run($insist($work)))`,
      },
    ],
  },
  {
    name: 'cancels a forwarded send',
    of: createQueueEdits,
    changes: [
      {
        find: "({ do: 'settle_message', ...$which, state: 'failed', attempt: 0, ...$rest })",
        replace: "{ do: 'settle_message', ...$which, state: 'failed', ...$rest }",
      },
    ],
  },
  {
    name: 'never expires a waiting send',
    of: createSendExpiry,
    changes: [{ find: '$open($times.queue_ms + $batch)', replace: `$open(${NEVER})` }],
  },
  {
    name: 'sends live events before missed ones',
    of: createHistory,
    changes: [
      {
        find: 'for (const { session_id } of $points) $peer.$skip(session_id, Number.POSITIVE_INFINITY);',
        replace: '',
      },
      { find: '$peer.$skip(session_id, Number.POSITIVE_INFINITY);', replace: '' },
    ],
  },
  {
    name: 'loses events during a resume',
    of: createHistory,
    changes: [
      {
        find: '$cursor < $feed.$head(session_id) && $peer.$isOpen()',
        replace: 'Number.isNaN($cursor)',
      },
    ],
  },
  {
    name: 'adds a browser to the watchers after its acknowledgement',
    of: createHandshake,
    changes: [
      { find: '({ ...$_, epoch: $ledger.epoch, ...$_ })' },
      {
        find: '$history.$resume($peer, $points); $peers.$add($peer); $base.$run($follow($peer));',
        replace:
          '$history.$resume($peer, $points); await $ledger.heads(); $peers.$add($peer); $base.$run($follow($peer));',
      },
    ],
  },
  {
    name: 'leaves delivery states out of a transcript',
    of: readTranscript,
    changes: [
      { find: '({ ...$message, status: $send.state })', replace: "{ ...$message, status: 'accepted' }" },
    ],
  },
  {
    name: 'broadcasts every session to a guest',
    of: createPeers,
    changes: [
      {
        find: 'if ($peer.$sessions === undefined) $everywhere.add($peer);',
        replace: '$everywhere.add($peer);',
      },
    ],
  },
  {
    name: 'shows every session to a guest',
    of: createPeer,
    changes: [
      {
        find: 'const $scopes = $identity?.scopes ?? []; if ($scopes.length === 0) return undefined;',
        replace: 'const $scopes = []; return undefined;',
      },
    ],
  },
  {
    name: 'greets a stranger as a person',
    of: openConnection,
    changes: [{ find: "$claimed === 'browser' ? 'stranger' : undefined", replace: "'browser'" }],
  },
  {
    name: 'keeps a revoked device connected',
    of: createConnections,
    changes: [{ find: "$connection.$end($codes.unauthorized, 'revoked');", replace: 'continue;' }],
  },
  {
    name: "sends a feature's frames to peers without it",
    of: renderEvent,
    changes: [
      { find: '$feature !== undefined && $features.has($feature)', replace: '$feature !== undefined' },
    ],
  },
  {
    name: 'grants on a timeout',
    of: defaultDenies,
    changes: [
      {
        find: "$effect || $denying.has($id) || $id.startsWith('reject')",
        replace: "$effect || $id !== '' || $id.startsWith('reject')",
      },
    ],
  },
  {
    name: 'lets two people answer the same prompt',
    of: createPromptAnswers,
    changes: [
      {
        find: "({ ...$which, from: ['open'], to: 'answering', ...$rest })",
        replace: "{ ...$which, from: ['open', 'answering'], to: 'answering', ...$rest }",
      },
    ],
  },
  {
    name: 'waits for an answer without a timeout',
    of: createPromptAnswers,
    changes: [{ find: '$after($times.answer_ms, $run)', replace: `$after(${NEVER}, $run)` }],
  },
  {
    name: 'keeps a prompt shut after its answer failed',
    of: createPromptAnswers,
    changes: [{ find: "$prompt.state = 'open';", replace: '' }],
  },
  {
    name: 'expires a prompt too early',
    of: createPrompts,
    changes: [
      {
        find: '$open($body, $timeout, { sequence, ...$rest })',
        replace: '$open($body, $timeout && $timeout / 2, { sequence, ...$rest })',
      },
    ],
  },
  {
    name: 'expires a prompt by wall time after a restart',
    of: createPrompts,
    changes: [
      { find: 'Math.min($timeout, Math.max(0, $expiry - $base.$now()))', replace: '$expiry - $base.$now()' },
    ],
  },
  {
    name: 'keeps a prompt open after its session closed',
    of: createCloses,
    changes: [{ find: 'await $prompts.$withdraw(session_id);', replace: '' }],
  },
  {
    name: 'never times out a launch',
    of: createLaunches,
    changes: [{ find: '$after($ms, () => { $$body; })', replace: `$after(${NEVER}, () => { $$body; })` }],
  },
  {
    name: 'answers only the connection that asked',
    of: createPeers,
    changes: [{ find: '({ ...$requester, connection_id: null })', replace: '{ ...$requester }' }],
  },
  {
    name: 'answers every tab of the device',
    of: isFor,
    changes: [{ find: '$client === null || $client === $peer.client_id', replace: 'true' }],
  },
  {
    name: 'stores an echo in the transcript again',
    of: createTranscript,
    changes: [{ find: "$role === 'user'", replace: "$role === 'nobody'" }],
  },
  {
    name: 'lists a closed session',
    of: createSessions,
    changes: [{ find: '$shown && !$ended($session) && !$gone($_, $_)', replace: '$shown' }],
  },
  {
    name: 'leaves a session up after a crash',
    of: recover,
    changes: [
      {
        find: "$parse($metadata).status !== 'disconnected'",
        replace: "$parse($metadata).status === 'disconnected'",
      },
    ],
  },
];

/** Mutants that the checker has to kill where several relays share one ledger. */
export const CLUSTER_MUTANTS: readonly Mutant[] = [
  {
    name: 'publishes a repeated bus message twice',
    of: createFeed,
    changes: [{ find: '$event.sequence === $line.$head + 1', replace: '$event.sequence <= $line.$head + 1' }],
  },
  {
    name: 'ignores heads in a heartbeat',
    of: createBusInbox,
    changes: [{ find: 'if ($behind.length > 0) $base.$run($catchUp($behind));', replace: '' }],
  },
  {
    name: 'does not repeat a lost bus message',
    of: createRepeatedRequests,
    changes: [{ find: 'return $times < ($waiting.has($id) ? $most : $least);', replace: 'return false;' }],
  },
  {
    name: 'shows every agent as away on a new follower',
    of: createSessions,
    changes: [
      {
        find: "$leads ? { ...$stored, status: 'disconnected' } : $_",
        replace: "{ ...$stored, status: 'disconnected' }",
      },
    ],
  },
  {
    name: 'skips a gap on a follower',
    of: createFeed,
    changes: [{ find: '$event.sequence === $line.$head + 1', replace: '$event.sequence > $line.$head' }],
  },
];
