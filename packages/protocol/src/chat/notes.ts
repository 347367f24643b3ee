import { type NotesOf, note } from '../wire/note.ts';
import type { CHAT_FRAMES } from './frames.ts';

const fromBrowser = ['browser', 'relay'] as const;
const fromProxy = ['proxy', 'relay'] as const;
const toBrowser = ['relay', 'browser'] as const;
const toProxy = ['relay', 'proxy'] as const;
const toEveryBrowser = ['relay', 'every browser'] as const;

/** Sender, receiver and purpose of each frame. */
export const CHAT_NOTES: NotesOf<typeof CHAT_FRAMES> = {
  connection_hello: note(
    [fromBrowser, fromProxy],
    'The first frame on a socket: the peer, and the cursors to resume from.',
  ),
  connection_ack: note(
    [toBrowser, toProxy],
    'Answers a valid hello with the heartbeat times and, to a browser, with open prompts and pending launches.',
  ),
  connection_error: note(
    [toBrowser, toProxy],
    'Reports why a frame was refused; after the handshake the connection usually stays open.',
  ),
  heartbeat: note([fromBrowser, fromProxy], 'Keeps the connection alive.'),
  heartbeat_ack: note([toBrowser, toProxy], 'Answers one heartbeat, with its `request_id`.'),

  session_snapshot: note(
    [toBrowser],
    'Lists every session that the browser may see; it follows each `connection_ack`.',
  ),
  session_up: note(
    [toEveryBrowser],
    'A session appeared, came back, or changed its name or another part of its metadata.',
  ),
  session_down: note([toEveryBrowser], "A session's proxy disconnected, or no longer lists it."),
  session_status: note([toEveryBrowser], "A session's health or activity changed."),

  send_message: note([fromBrowser, toProxy], "A person's message to an agent."),
  message_accepted: note([toEveryBrowser], 'The relay has stored the message durably.'),
  message_delivered: note([toEveryBrowser], 'The proxy has passed the message to the agent.'),
  message_failed: note(
    [toEveryBrowser],
    'The message was not delivered, or its delivery is unknown (`indeterminate`).',
  ),
  message_event: note([toEveryBrowser], 'One record of the conversation, new or changed.'),

  history_request: note([fromBrowser], "Asks for a session's conversation, whole or after a cursor."),
  history_snapshot: note(
    [toBrowser, fromProxy],
    'The conversation up to `last_sequence`; from a proxy, its own record of it.',
  ),
  history_delta: note([toBrowser], 'Every event after a cursor, in order and without gaps.'),

  proxy_session_snapshot: note(
    [fromProxy],
    'Lists every session of the proxy, after its handshake and whenever the list changes.',
  ),
  proxy_message: note([fromProxy], "A message in the agent's conversation."),
  proxy_send_result: note([fromProxy], 'Whether a `send_message` reached the agent.'),
  proxy_status: note([fromProxy], "A session's health or activity changed."),

  launch_session: note([fromBrowser, toProxy], "Starts an agent on a proxy's machine."),
  session_launching: note([toBrowser], 'The launch is pending; sent only to the browser that asked.'),
  session_launch_ack: note([fromProxy, toBrowser], 'The agent runs, and this is its session.'),
  session_launch_failed: note([fromProxy, toBrowser], 'The agent was not started, with the reason.'),
  close_session: note([fromBrowser, toProxy], 'Ends a session.'),
  session_closed: note([fromProxy, toEveryBrowser], 'A session has ended; its history stays.'),

  permission_prompt: note([fromProxy, toEveryBrowser], 'An agent asks a person before it continues.'),
  permission_response: note([fromBrowser, toProxy], "A person's answer to a prompt; the first one counts."),
  permission_prompt_expired: note(
    [toEveryBrowser, fromProxy],
    'A prompt expired without an answer; from a proxy, it was dismissed at the agent.',
  ),
  agent_interrupt: note([fromBrowser, toProxy], 'Stops what the agent is generating.'),
  agent_config_request: note(
    [fromBrowser, toProxy],
    "Asks the proxy to read the agent's configuration again.",
  ),
  agent_set_model: note([fromBrowser, toProxy], 'Chooses another model for the agent.'),
  agent_config: note([fromProxy, toEveryBrowser], "The agent's current configuration."),
  agent_control_result: note(
    [fromProxy, toBrowser],
    'Result of a control command; sent only to the browser that sent the command.',
  ),

  cancel_message: note([fromBrowser], 'Cancels a send that still waits in the relay.'),
  edit_message: note([fromBrowser], 'Changes a send that still waits in the relay.'),
  message_cancelled: note([toEveryBrowser], 'A waiting send was cancelled and will not be delivered.'),
  message_edited: note([toEveryBrowser], 'A waiting send was changed.'),
  agent_question: note([fromProxy, toEveryBrowser], 'An agent asks a person for more than a choice.'),
  agent_answer: note([fromBrowser, toProxy], "A person's answer to an `agent_question`."),
  agent_set_mode: note([fromBrowser, toProxy], 'Chooses another mode for the agent.'),
  permission_prompt_answered: note(
    [toEveryBrowser],
    'Names the device that answered a prompt, for screens that still show it.',
  ),
  permission_prompt_withdrawn: note([fromProxy], 'A prompt is obsolete and needs no answer.'),
  lagging: note(
    [toBrowser, toProxy],
    'The peer reads too slowly and will be disconnected; it can resume without a gap.',
  ),
  reconnect_hint: note([toBrowser, toProxy], 'The relay is about to stop; tells when to reconnect.'),
  message_append: note(
    [toBrowser],
    'Continues a message that is being written, at `offset`. No event: the next `message_event` has the whole text.',
  ),
  message_checking: note(
    [toBrowser],
    'A send may have reached its agent, and the relay is finding out. No event: an outcome follows.',
  ),
  proxy_offer: note(
    [fromProxy],
    'Lists the agents that the proxy can start and the folders that it shares, after its handshake and after each change.',
  ),
  subscribe: note([fromBrowser], 'The sessions that the browser shows; of all others it gets summaries.'),
  subscription_ack: note([toBrowser], 'The sessions that the browser is now subscribed to.'),
  session_summary: note([toBrowser], 'News of a session that the browser is not subscribed to.'),
  session_patch: note([toBrowser], "Changes the subscriber's copy of a session object."),
  message_delta: note(
    [fromProxy, toBrowser],
    'A part of a message that is being written. Not stored: the settled message replaces it.',
  ),
  history_chunk_request: note([fromBrowser], "Asks for a page of a session's conversation."),
  history_chunk: note([toBrowser], "A page of a session's conversation, the oldest message first."),
  chat_list: note([fromProxy, toBrowser], "The conversations that the agent's own screen lists."),
  scheduled_send_status: note(
    [toBrowser],
    'The state of a send that this device scheduled at `/api/scheduled-sends`.',
  ),
  agent_started: note([fromProxy, toBrowser], 'The agent has begun to work on a delivered message.'),
  message_queued: note([fromProxy, toBrowser], 'The agent keeps a message in its own queue.'),
  native_queue: note([fromProxy, toBrowser], "The messages in the agent's own queue."),
  rate_limit_active: note([fromProxy, toBrowser], 'The agent is near a limit of its provider, or at it.'),
  rate_limit_cleared: note([fromProxy, toBrowser], 'A limit of its provider no longer holds the agent up.'),
  transcript_resync_required: note(
    [toBrowser],
    'Messages may be missing from the conversation: ask for its tail.',
  ),
  agent_goal_control: note([fromBrowser, toProxy], "Pauses or resumes the agent's goal."),
};
