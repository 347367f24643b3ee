import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { AskedQuestion, AttachmentState, type BRIDGE_ITEMS, HeldGrant, StructuredError } from './items.ts';

const toAgents: readonly Hop[] = [
  ['runtime', 'relay'],
  ['relay', 'agent'],
];

export const BRIDGE_NOTES: NotesOf<typeof BRIDGE_ITEMS> = {
  runtime_ready: note(
    toAgents,
    'A runtime has loaded and validated the map of its page and takes calls from now on.',
  ),
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
  dom_event: note(toAgents, 'Something that the map declares as a signal happened in the page.'),
  action_error: note(
    [...toAgents, ['relay', 'runtime']],
    'A call failed, or a runtime has a problem of its own.',
  ),

  agent_hello: note(
    [
      ['agent', 'relay'],
      ['relay', 'runtime'],
      ['relay', 'agent'],
    ],
    'Which items beyond the protocol its sender understands.',
  ),
  action_cancel: note(
    [
      ['agent', 'relay'],
      ['relay', 'runtime'],
    ],
    'Nobody waits for this call any more: no further step of it is to start.',
  ),
  action_progress: note(toAgents, 'Where a running call is.'),
  runtime_probe: note([['relay', 'runtime']], 'Asks a runtime that has gone quiet whether it still runs.'),
  runtime_probe_result: note([['runtime', 'relay']], 'The answer to a `runtime_probe`.'),
  runtime_gone: note([['relay', 'agent']], 'A runtime takes no calls any more, and why.'),
  grant_question: note([['runtime', 'relay']], 'Asks people, through the relay, before something happens.'),
  grant_answer: note([['relay', 'runtime']], "A person's answer, or that there is none."),
  grant_withdrawn: note([['runtime', 'relay']], 'Nothing waits for the answer any more.'),
  grants_held: note(
    [['runtime', 'relay']],
    'What its calls may do without asking: at first, and when it changes.',
  ),
  grants_revoked: note([['relay', 'runtime']], 'A person took a grant back, or all of them.'),
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
  'runtime_status.url': 'a field that is absent leaves the last known value as it was',
  call_id: 'pairs the call with its one answer',
  'action_call.name': "an action of the runtime's map, or a primitive",
  arguments: 'decoded: an object, never a string of JSON',
  'action_call.runtime_id': 'selectors may be combined; all of them must fit the same one runtime',
  target_runtime_id: 'the same as `runtime_id`',
  'target.runtime_id': 'the same as `runtime_id`',
  'target.runtime_key': 'a runtime by its `runtime_key`',
  target_url_contains: "a part of the runtime's latest url",
  target_title_contains: "a part of the runtime's latest title",
  timeout_ms: '30,000 when absent; then the call ends with `handler_timeout`',
  output: 'stays structured: nothing turns it into a string',
  'dom_event.name': "the signal's name",
  event: 'the name of the DOM event',
  payload: "fits the signal's schema; data that came from a page, never a person's words",
  previous_call_id: 'the call that caused the event, if one did',
  'action_error.call_id': 'there when the error is about a call',
  'action_error.runtime_id': 'there when the error is about a runtime',
  'StructuredError.code':
    'one of the [error codes](../error-codes.md); any other stable string is accepted too',
  'StructuredError.message': 'what failed, and what to do next',
  'agent_hello.features': 'the types of the items that the sender understands',
  relay_hosts: 'the names of the relay as they stand in `Host`, for a runtime: it serves no page of them',
  'action_cancel.call_id': 'a call of the sender; one that has ended is left as it is',
  step: 'the id of the step that runs; `handler_timeout` names the last one known',
  progress: 'how far it is, of `total` where that is known',
  probe_id: 'pairs the probe with its answer',
  'runtime_probe_result.state': '`asleep` when the host answers but the page does not run',
  'runtime_gone.reason': 'that it disconnected, or what took its place',
  'AskedQuestion.kind':
    '`handover`: the page needs a person; there is nothing to permit, and nothing waits for the answer',
  'AskedQuestion.call_id': 'the call that waits for the answer',
  'AskedQuestion.origin': 'where it would happen',
  'AskedQuestion.name': 'the action or primitive',
  sentence: 'what would be done, in words that were made outside the page',
  data: 'what would leave the page or enter it, a line each, secrets as dots',
  'AskedQuestion.page':
    'title and origin of the page in the tab; another origin when it would happen in a frame',
  destination: 'the origin and path that the form or the link would be sent to, with names of its query',
  amounts: 'lines around the button with an amount of money in them, totals first',
  sends: 'the fields that the form would send, a line each, secrets as dots',
  changed: 'both versions, where the page or its values changed after an earlier yes',
  since:
    '`allowed`: differs from the form as it was last allowed. Otherwise: changed while the person was asked',
  call_hash: 'of that exact call: an answer counts for nothing else',
  'AskedQuestion.timeout_ms': 'for how long the answer is waited for; then it is `deny`',
  question_id: 'pairs the question with its answer',
  decision: '`once`: this call. `always`: this action at this origin from now on',
  by: 'who answered: the label of their device',
  until: 'when an `always` ends, in milliseconds since 1970',
  'grant_answer.reason': 'why it was denied, and what to do',
  recoverable: 'true when the caller can succeed by doing something else, or later',
  evidence: 'facts about the failure: the url, the selector, the candidates',
};
