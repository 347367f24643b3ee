import type { TSchema } from 'typebox';
import { type FieldNotes, type Hop, type NotesOf, note } from '../wire/note.ts';
import { ElementId, type INTERACT_REQUESTS } from './request.ts';
import {
  ActionDetails,
  ChainedAction,
  type INTERACT_RESPONSES,
  NextStep,
  Plan,
  PlanStep,
  ToolAction,
} from './response.ts';
import { ScrollableContainer, SemanticNode, SemanticNodeV2, Viewport } from './semantic-tree.ts';
import { ChatMessage, type SESSION_MESSAGES, TabSession } from './session.ts';

const ask: readonly Hop[] = [['extension', 'relay']];
const answer: readonly Hop[] = [['relay', 'extension']];

export const INTERACT_REQUEST_NOTES: NotesOf<typeof INTERACT_REQUESTS> = {
  interact_request: note(
    ask,
    'Sends the current page and the result of the last action, and asks for the next one.',
  ),
};

export const INTERACT_RESPONSE_NOTES: NotesOf<typeof INTERACT_RESPONSES> = {
  next_step: note(answer, 'The next action of the task, or its end.'),
  needs_context: note(answer, 'Asks for more of the page: repeat the call with the requested form.'),
  needs_user_input: note(answer, 'Asks the person something; their answer is the `query` of the next call.'),
  bare_step: note(
    [['older server', 'extension']],
    'A step without the envelope, from the oldest servers: read, never sent.',
  ),
  error: note(answer, 'The call failed, with the reason.'),
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
  ToolAction,
  ChainedAction,
  Plan,
  PlanStep,
  TabSession,
  ChatMessage,
} as const satisfies Record<string, TSchema>;

export const INTERACT_FIELD_NOTES: FieldNotes = {
  query: 'what the person wants, or their answer to a question',
  'interact_request.taskId': 'absent in the first call; the answer to that one has it',
  'interact_request.sessionId': 'one that the server does not know creates a session with that id',
  tabId: 'stored for information; the server does not look it up',
  'interact_request.domain': 'used only when `url` has none',
  'interact_request.title': 'the title of a session that this call creates',
  features: 'ours: extensions of this contract that the client understands',
  domMode: "a hint; when absent, the mode follows from the request's fields",
  interactiveTree: 'V3 nodes, the preferred form of the page; this or one of the next three is required',
  semanticNodes: 'V2 nodes, when V3 fails or is empty',
  dom: 'the full DOM, when the server asked for it',
  skeletonDom: 'only what a person can act on, as HTML',
  screenshot: '`null` means unchanged',
  screenshotHash: 'a perceptual hash of the screenshot',
  recentEvents:
    'texts that appeared since the last snapshot, toasts included, optionally after an age such as `[3s ago]`',
  'lastActionError.action': 'the action as sent',
  'clientVerification.elementFound': 'whether the expected element exists',
  dom_filtered: 'true when the tree is a part of the page',
  token_reduction: 'in percent',
  lastExecutedActionIndex: 'ours: for a client that ran several actions in a row',
  chainPartialState: "ours: that client's progress",
  chainActionError: "ours: that client's failed action",
  attachment: 'a file that `POST /api/knowledge/upload-to-s3` took',
  'interact_request.taskType': 'ours: `chat_only` needs no page',
  chainError: "ours: the newer document's name of `chainActionError`",

  'data.status': '`needs_full_dom` is the older name',
  'needs_user_input.data.status': 'the task waits for the person',
  'data.requestedDomMode': '`full` when absent',
  'data.reason': 'for a person to read',
  'data.userQuestion': 'what to ask the person',
  'data.missingInformation': 'the missing items, when they have names',
  'error.code': 'one of the [error codes](../error-codes.md#interact)',
  'error.path': 'the field that is wrong',

  'SemanticNode.i': 'the element id that actions use',
  'SemanticNode.r': 'the role, short where there is a short form: `btn`, `inp`, `link`, `chk`, `sel`',
  'SemanticNode.n': 'the accessible name',
  'SemanticNode.v': 'the current value of an input; never that of a secret field',
  'SemanticNode.s': 'states, joined by commas: disabled, checked, expanded, selected, filled',
  'SemanticNode.xy': 'the centre',
  'SemanticNode.box': 'x, y, width, height',
  'SemanticNode.scr': 'a scrollable container',
  'SemanticNode.scr.depth': 'how far it is scrolled',
  'SemanticNode.scr.h': 'true when scrolling shows more',
  'SemanticNode.occ': 'true when something covers it',
  'SemanticNode.f': 'the frame; absent in the main one',

  'NextStep.thought': 'the reason, in words',
  'NextStep.action': 'such as `click(42)`, `setValue(13, "space x")`, `finish()` or `fail()`',
  'NextStep.status': '`completed` comes with `finish()`, `failed` with `fail()`',
  'NextStep.currentStep': 'the same as `plan.currentStepIndex`',
  'NextStep.result': 'ours: the result of the task; `finish()` has no argument',
  'NextStep.actions': 'several actions in a row, for a client that lists `chain` in `features`',
  'NextStep.chainedActions': 'the same as `actions`',
  'ToolAction.toolType': '`SERVER` was done by the server: the client asks for the next turn',
  selectorPath: 'a CSS selector, used when the id no longer exists',
  'ActionDetails.args': 'the other arguments by name',
  'Plan.currentStepIndex': "counted from 0: the step that this answer's action belongs to",
  'PlanStep.id': '`step_` and the `index`',
  'PlanStep.index': 'its position in `steps`, counted from 0',
  isRenamed: 'true after a person renamed it',
  'TabSession.metadata': 'its first domain, after it moved to another one',
  sequenceNumber: 'its position in the session, counted from 0',
  actionString: 'the action of a decision',
  sessionExists: 'false, with an empty list, when there is no such session',
};
