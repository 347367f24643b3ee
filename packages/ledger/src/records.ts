import type { TaskState } from '@drawbridge/protocol';
import type { AuditAction } from '@drawbridge/protocol/http';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Every time in the ledger is in milliseconds since 1970, from the caller's clock. */
export interface SessionRecord {
  readonly session_id: string;
  /** CHT-127: the proxy device that announced it first. */
  readonly proxy_device_id: string;
  readonly metadata: JsonObject;
  /** CHT-251: the latest `agent_config`. */
  readonly config: JsonObject | null;
  readonly created_at: number;
  readonly closed_at: number | null;
  /** The sequence of the latest event; 0 before the first. */
  readonly head: number;
  /** The sequence of the oldest stored event; `head + 1` when none is. */
  readonly oldest: number;
}

export interface EventRecord {
  readonly session_id: string;
  readonly sequence: number;
  readonly event_id: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** On transcript records, the payload as JSON text when `JSON.stringify` would write another. */
  readonly payload_text?: string;
  readonly at: number;
  /** Set on transcript records: the message that this event adds or changes. */
  readonly message_id: string | null;
  readonly prev_hash: string;
  readonly hash: string;
}

/** Events, with the session's head and oldest sequence at the time of the read. */
export interface EventPage {
  readonly events: readonly EventRecord[];
  readonly head: number;
  readonly oldest: number;
}

export interface SessionHead {
  readonly session_id: string;
  readonly head: number;
  readonly oldest: number;
}

export type MessageState = 'accepted' | 'delivered' | 'failed';

export interface MessageRecord {
  readonly session_id: string;
  readonly client_message_id: string;
  readonly device_id: string;
  /** The frame to forward; `edit_message` changes it, and the retry check uses the first one. */
  readonly payload: JsonObject;
  /** The payload as JSON text when `JSON.stringify` would write another. */
  readonly payload_text?: string;
  readonly state: MessageState;
  /** Number of forwards: at 0 the send is queued, and may be edited or cancelled. */
  readonly attempt: number;
  readonly accepted_at: number;
  /** The `message_accepted` event: a retry gets the same (CHT-143), also after that event was pruned. */
  readonly event_id: string;
  readonly sequence: number;
  readonly expires_at: number | null;
  readonly settled_at: number | null;
  readonly error: JsonObject | null;
}

/** An accepted send without its content, so that thousands can be read at once. */
export interface WaitingMessage
  extends Pick<MessageRecord, 'session_id' | 'client_message_id' | 'attempt' | 'sequence' | 'expires_at'> {
  /** Length of the payload. */
  readonly chars: number;
}

/** `unconfirmed`: answered, and the proxy never confirmed it (CHT-222). */
export type PromptState = 'open' | 'answering' | 'answered' | 'expired' | 'unconfirmed';

export interface PromptRecord {
  readonly session_id: string;
  readonly prompt_id: string;
  readonly body: JsonObject;
  readonly state: PromptState;
  readonly opened_at: number;
  readonly expires_at: number | null;
  readonly settled_at: number | null;
  /** CHT-227: the choice, the device and the time. */
  readonly answer: JsonObject | null;
}

export type LaunchState = 'pending' | 'launched' | 'failed';

export interface LaunchRecord {
  readonly request_id: string;
  readonly device_id: string;
  readonly client_id: string | null;
  readonly proxy_device_id: string;
  readonly body: JsonObject;
  readonly state: LaunchState;
  readonly launched_at: number;
  readonly timeout_at: number;
  readonly settled_at: number | null;
  readonly outcome: JsonObject | null;
  /** CHT-190: true when the browser that asked has received the outcome. */
  readonly told: boolean;
}

export interface DeviceRecord {
  readonly device_id: string;
  /** An extension is one device that is both a runtime and a person. */
  readonly roles: readonly string[];
  readonly label: string;
  readonly scopes: readonly string[];
  /** The token itself is never stored. */
  readonly token_hash: string;
  readonly created_at: number;
  readonly last_seen_at: number | null;
  readonly revoked_at: number | null;
}

export interface FileRecord {
  readonly file_id: string;
  readonly session_id: string | null;
  readonly device_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly created_at: number;
}

export interface AuditEntry {
  readonly at: number;
  readonly device_id: string | null;
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail: JsonObject;
}

export interface AuditRecord extends Omit<AuditEntry, 'action'> {
  readonly number: number;
  /** Other versions of the relay may have written others. */
  readonly action: string;
}

export interface SettingRecord {
  readonly key: string;
  readonly value: Json;
}

/** "Do this in the browser": from the tasks API, an interact client, or a client of the task protocol. */
export interface TaskRecord {
  readonly task_id: string;
  readonly session_id: string;
  /** Device that asked for the task. */
  readonly device_id: string;
  readonly state: TaskState;
  /** Higher goes first. */
  readonly priority: number;
  /** The request, the brain's memory, the latest request and answer: see tasks/ and interact/. */
  readonly body: JsonObject;
  /** Counts the writes: a writer that has read an older revision is refused. */
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly settled_at: number | null;
}

/** A session of the interact contract: one per tab, found by its domain. */
export interface TabSessionRecord {
  readonly session_id: string;
  readonly device_id: string;
  readonly domain: string;
  readonly url: string;
  readonly title: string;
  readonly is_renamed: boolean;
  readonly tab_id: number | null;
  /** initialUrl and initialDomain, once the session has moved. */
  readonly metadata: JsonObject;
  readonly created_at: number;
  readonly updated_at: number;
}
