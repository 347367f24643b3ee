import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { AskedQuestion, AttachmentState, type BRIDGE_ITEMS, HeldGrant, StructuredError } from './items.ts';

const toAgents: readonly Hop[] = [
  ['runtime', 'relay'],
  ['relay', 'agent'],
];

export const BRIDGE_NOTES: NotesOf<typeof BRIDGE_ITEMS> = {
  runtime_ready: note(toAgents, 'A runtime has loaded and validated the map of its page and takes calls.'),
  runtime_status: note(
    toAgents,
    "The runtime's heartbeat, sent at once when its states or attachments change.",
  ),
  action_call: note(
    [
      ['agent', 'relay'],
      ['relay', 'runtime'],
    ],
    'Runs one action or primitive on exactly one runtime.',
  ),
  action_call_output: note(toAgents, 'The result of a call that succeeded.'),
  dom_event: note(toAgents, 'An event in the page that the map declares as a signal.'),
  action_error: note([...toAgents, ['relay', 'runtime']], 'A call failed, or a runtime reports a problem.'),

  agent_hello: note(
    [
      ['agent', 'relay'],
      ['relay', 'runtime'],
      ['relay', 'agent'],
    ],
    'Lists the items beyond the protocol that its sender understands.',
  ),
  action_cancel: note(
    [
      ['agent', 'relay'],
      ['relay', 'runtime'],
    ],
    'Cancels a call: no further step of it may start.',
  ),
  action_progress: note(toAgents, 'Progress of a running call.'),
  runtime_probe: note([['relay', 'runtime']], 'Asks a silent runtime whether it still runs.'),
  runtime_probe_result: note([['runtime', 'relay']], 'The answer to a `runtime_probe`.'),
  runtime_gone: note([['relay', 'agent']], 'A runtime no longer takes calls, with the reason.'),
  grant_question: note([['runtime', 'relay']], 'Asks people for permission, through the relay.'),
  grant_answer: note([['relay', 'runtime']], "A person's answer, or the lack of one."),
  grant_withdrawn: note([['runtime', 'relay']], 'The question no longer needs an answer.'),
  grants_held: note([['runtime', 'relay']], 'All grants of a runtime: sent at first and after each change.'),
  grants_revoked: note([['relay', 'runtime']], 'A person revoked one grant, or all of them.'),
  grants_renewed: note([['relay', 'runtime']], 'A person lets agents read and act in the tab again.'),
  person_message: note(
    [['relay', 'agent']],
    'A message of a person to the agent, before the answer to its call.',
  ),
};

export const BRIDGE_SHAPES = {
  AskedQuestion,
  AttachmentState,
  HeldGrant,
  StructuredError,
} as const satisfies Record<string, TSchema>;

export const BRIDGE_FIELD_NOTES: FieldNotes = {
  runtime_key: 'stays the same when the tab navigates, even where `runtime_id` changes',
  authorization_id: "a new one for each approval by a person, so that two tabs' approvals differ",
  manifest: 'the `actions.json` map; not validated as part of this item',
  host: 'the host name of `url`',
  capabilities: 'what the runtime can do, before any call asks for it',
  features: 'ours: the items beyond this protocol that the sender understands',
  'runtime_status.url': 'an absent field keeps its last known value',
  call_id: 'pairs the call with its one answer',
  'action_call.name': "an action of the runtime's map, or a primitive",
  arguments: 'decoded: an object, never a string of JSON',
  'action_call.runtime_id': 'selectors may be combined; all must match the same runtime',
  target_runtime_id: 'the same as `runtime_id`',
  'target.runtime_id': 'the same as `runtime_id`',
  'target.runtime_key': 'a runtime by its `runtime_key`',
  target_url_contains: "a part of the runtime's latest url",
  target_title_contains: "a part of the runtime's latest title",
  origins:
    'ours: the origins that the agent may use; set by the bridge alone, and the runtime answers about no other (BRG-202)',
  timeout_ms: '30,000 when absent; then the call ends with `handler_timeout`',
  output: 'structured JSON, never encoded as a string',
  'dom_event.name': "the signal's name",
  event: 'the name of the DOM event',
  payload: "matches the signal's schema; data from a page, never from a person",
  previous_call_id: 'the call that caused the event, if one did',
  'action_error.call_id': 'present when the error is about a call',
  'action_error.runtime_id': 'present when the error is about a runtime',
  'StructuredError.code':
    'one of the [error codes](../error-codes.md); any other stable string is accepted too',
  'StructuredError.message': 'what failed, and what to do next',
  'agent_hello.features': 'the types of the items that the sender understands',
  relay_hosts: "the relay's `Host` names: a runtime serves no page of these hosts",
  'action_cancel.call_id': 'a call of the sender; a finished call is not affected',
  step: 'the id of the step that runs; `handler_timeout` names the last one known',
  progress: 'progress, out of `total` when that is known',
  probe_id: 'pairs the probe with its answer',
  'runtime_probe_result.state': '`asleep` when the host answers but the page does not run',
  'runtime_gone.reason': 'a disconnect, or the runtime that replaced it',
  'AskedQuestion.kind':
    '`handover`: the page needs a person; there is nothing to permit, and nothing waits for the answer',
  'AskedQuestion.call_id': 'the call that waits for the answer',
  'AskedQuestion.origin': 'where it would happen',
  'AskedQuestion.name': 'the action or primitive',
  sentence: 'the action in words that were made outside the page',
  data: 'data that would enter or leave the page, one line each, secrets as dots',
  'AskedQuestion.page':
    'title and origin of the page in the tab; another origin when it would happen in a frame',
  destination: 'the origin and path that the form or the link would be sent to, with names of its query',
  amounts: 'what would be paid: the line of the total, or of the button',
  prices: 'other lines around the button with an amount of money in them, where no total is certain',
  goods: 'lines of the page that say how many of what',
  sends: 'fields that the form would send, one line each, secrets as dots',
  changed: 'both versions, when the page or its values changed after an earlier yes',
  call_hash: 'hash of that exact call: an answer is valid for no other',
  'AskedQuestion.timeout_ms': 'time for an answer; after it, the answer is `deny`',
  question_id: 'pairs the question with its answer',
  decision: '`once`: this call. `always`: this action at this origin from now on',
  by: 'who answered: the label of their device',
  until: 'when an `always` ends, in milliseconds since 1970',
  'grant_answer.reason': 'why it was denied, and what to do',
  recoverable: 'true when the caller can succeed by doing something else, or later',
  evidence: 'facts about the failure: the url, the selector, the candidates',
};
