import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { ElementId, type INTERACT_REQUESTS } from './request.ts';
import { ActionDetails, type INTERACT_RESPONSES, NextStep, Plan, PlanStep } from './response.ts';
import { ScrollableContainer, SemanticNode, SemanticNodeV2, Viewport } from './semantic-tree.ts';
import { ChatMessage, type SESSION_MESSAGES, TabSession } from './session.ts';

const ask: readonly Hop[] = [['extension', 'relay']];
const answer: readonly Hop[] = [['relay', 'extension']];

export const INTERACT_REQUEST_NOTES: NotesOf<typeof INTERACT_REQUESTS> = {
  interact_request: note(
    ask,
    'Shows the page as it is now, says how the last action went, and asks for the next.',
  ),
};

export const INTERACT_RESPONSE_NOTES: NotesOf<typeof INTERACT_RESPONSES> = {
  next_step: note(answer, 'The next action of the task, or its end.'),
  needs_context: note(answer, 'Asks to see more of the page: repeat the call with what is asked for.'),
  needs_user_input: note(answer, 'Asks the person something; their answer is the `query` of the next call.'),
  bare_step: note(
    [['older server', 'extension']],
    'A step without the envelope, as the oldest servers send it: read, never sent.',
  ),
  error: note(answer, 'The call failed, and why.'),
};

export const SESSION_NOTES: NotesOf<typeof SESSION_MESSAGES> = {
  session_found: note(answer, 'The most recent session of a domain, or `null`.'),
  session_rename: note(ask, 'Gives a session another title.'),
  session_messages: note(answer, 'The messages of a session in their order.'),
  new_message: note(
    answer,
    'A message that was just stored, pushed on the channel `private-session-<sessionId>`.',
  ),
};

export const INTERACT_SHAPES = {
  'element id': ElementId,
  SemanticNode,
  SemanticNodeV2,
  Viewport,
  ScrollableContainer,
  NextStep,
  ActionDetails,
  Plan,
  PlanStep,
  TabSession,
  ChatMessage,
} as const satisfies Record<string, TSchema>;

export const INTERACT_FIELD_NOTES: FieldNotes = {
  query: 'what the person wants, or their answer to a question',
  'interact_request.taskId': 'absent in the first call; the answer to that one has it',
  'interact_request.sessionId': 'one that the server does not know creates a session with that id',
  tabId: 'kept as a note: the server finds nothing by it',
  'interact_request.domain': 'counts only when `url` has none',
  'interact_request.title': 'the title of a session that this call creates',
  features: 'ours: what the client understands beyond this contract',
  domMode: 'a hint; absent, the mode follows from what the request carries',
  interactiveTree: 'V3 nodes; the preferred form of the page. One of this and the next three must be there',
  semanticNodes: 'V2 nodes, when V3 fails or is empty',
  dom: 'the full DOM, when the server asked for it',
  skeletonDom: 'only what a person can act on, as HTML',
  screenshot: '`null` means: the same as the last one',
  screenshotHash: 'a perceptual hash of the screenshot',
  recentEvents: 'what appeared since the last snapshot, toasts included; an age such as `[3s ago]` may lead',
  'lastActionError.action': 'the action as it was given',
  'clientVerification.elementFound': 'whether the element that the step expected is there',
  dom_filtered: 'true when the tree is only a part of the page',
  token_reduction: 'in percent',
  lastExecutedActionIndex: 'ours: for a client that ran several actions in a row',
  chainPartialState: 'ours: how far such a client came',
  chainActionError: 'ours: where such a client failed',

  'data.status': '`needs_full_dom` is the older word for the same',
  'needs_user_input.data.status': 'the task waits for the person',
  'data.requestedDomMode': '`full` when absent',
  'data.reason': 'for a person to read',
  'data.userQuestion': 'what to ask the person',
  'data.missingInformation': 'what is missing, where it can be named',
  'error.code': 'one of the [error codes](../error-codes.md#interact)',
  'error.path': 'the field that is wrong',

  'SemanticNode.i': 'the element id that actions use',
  'SemanticNode.r': 'the role, short where there is a short form: `btn`, `inp`, `link`, `chk`, `sel`',
  'SemanticNode.n': 'the name: what a person would call it',
  'SemanticNode.v': 'the current value of an input; never that of a secret field',
  'SemanticNode.s': 'states, joined by commas: disabled, checked, expanded, selected, filled',
  'SemanticNode.xy': 'the centre',
  'SemanticNode.box': 'x, y, width, height',
  'SemanticNode.scr': 'a scrollable container',
  'SemanticNode.scr.depth': 'how far it is scrolled',
  'SemanticNode.scr.h': 'true when scrolling shows more',
  'SemanticNode.occ': 'true when something covers it',
  'SemanticNode.f': 'the frame; absent in the main one',

  'NextStep.thought': 'why, in words',
  'NextStep.action': 'such as `click(42)`, `setValue(13, "space x")`, `finish()` or `fail()`',
  'NextStep.status': '`completed` comes with `finish()`, `failed` with `fail()`',
  'NextStep.currentStep': 'the same as `plan.currentStepIndex`',
  'NextStep.result': 'ours: what the task found; `finish()` itself stays bare',
  selectorPath: 'a CSS selector for when the id finds nothing any more',
  'ActionDetails.args': 'the other arguments by name',
  'Plan.currentStepIndex': "counted from 0: the step that this answer's action belongs to",
  'PlanStep.id': '`step_` and the `index`',
  'PlanStep.index': 'its place in `steps`, counted from 0',
  isRenamed: 'true once a person gave it a title',
  'TabSession.metadata': 'where it began, once it moved to another domain',
  sequenceNumber: 'its place in the session, counted from 0',
  actionString: 'the action of a decision',
  sessionExists: 'false, with an empty list, when there is no such session',
};
