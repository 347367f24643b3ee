import type {
  AuditEntry,
  DeviceRecord,
  FileRecord,
  Json,
  JsonObject,
  LaunchRecord,
  MessageRecord,
  PromptRecord,
  PromptState,
  SessionRecord,
  TabSessionRecord,
  TaskRecord,
} from './records.ts';

interface OfSession {
  readonly session_id: string;
}
interface OfMessage extends OfSession {
  readonly client_message_id: string;
}
interface OfPrompt extends OfSession {
  readonly prompt_id: string;
}

export interface CreateSession extends OfSession {
  readonly do: 'create_session';
  readonly proxy_device_id: string;
  readonly metadata: JsonObject;
  readonly at: number;
}

/** An omitted field keeps its value; `closed_at: null` opens a session again. */
export interface UpdateSession extends OfSession {
  readonly do: 'update_session';
  readonly metadata?: JsonObject;
  readonly config?: JsonObject | null;
  readonly closed_at?: number | null;
}

export interface AppendEvent extends OfSession {
  readonly do: 'append_event';
  readonly event_id: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** The payload as JSON text, when `JSON.stringify` would write another. */
  readonly payload_text?: string;
  readonly at: number;
  readonly message_id?: string;
}

/**
 * Appends `message_accepted` and records the send, or is refused as `message_repeated` or `message_conflict`.
 */
export interface AcceptMessage extends OfMessage {
  readonly do: 'accept_message';
  readonly device_id: string;
  readonly payload: JsonObject;
  /** As of `AppendEvent`. */
  readonly payload_text?: string;
  /** Content and attachments, which a retry must repeat (CHT-144). */
  readonly identity: JsonObject;
  /** The `message_accepted` event that this appends. */
  readonly event: { readonly event_id: string; readonly payload: JsonObject };
  readonly at: number;
  readonly expires_at: number | null;
}

/** Counts an attempt, durably, before the send is forwarded to the proxy. */
export interface ForwardMessage extends OfMessage {
  readonly do: 'forward_message';
}

/** Only while queued: refused as `message_changed` once it was forwarded. */
export interface EditMessage extends OfMessage {
  readonly do: 'edit_message';
  readonly payload: JsonObject;
  /** As of `AppendEvent`. */
  readonly payload_text?: string;
}

/**
 * CHT-154, CHT-155: refused as `message_changed` when already settled, or when `attempt` is not the latest.
 */
export interface SettleMessage extends OfMessage {
  readonly do: 'settle_message';
  readonly state: 'delivered' | 'failed';
  readonly attempt?: number;
  readonly error?: JsonObject;
  readonly at: number;
}

/** Drops the content of a settled send, as its events were pruned; its retry is still recognised. */
export interface ForgetMessage extends OfMessage {
  readonly do: 'forget_message';
}

/** CHT-216: refused as `prompt_open` while one of this id is open or being answered. */
export interface OpenPrompt extends OfPrompt {
  readonly do: 'open_prompt';
  readonly body: JsonObject;
  readonly at: number;
  readonly expires_at: number | null;
}

/**
 * CHT-219: refused as `prompt_changed`, with the current prompt, unless it is in one of the states `from`.
 */
export interface MovePrompt extends OfPrompt {
  readonly do: 'move_prompt';
  readonly from: readonly PromptState[];
  readonly to: PromptState;
  /** Omitted, the recorded answer stays; `null` removes it. */
  readonly answer?: JsonObject | null;
  readonly at: number;
}

/** Drops settled prompts of a session that are as old as the pruned events. */
export interface ForgetPrompts extends OfSession {
  readonly do: 'forget_prompts';
  readonly settled_before: number;
}

/** CHT-193: refused as `launch_pending` while this `request_id` is pending. */
export interface OpenLaunch {
  readonly do: 'open_launch';
  readonly request_id: string;
  readonly device_id: string;
  readonly client_id: string | null;
  readonly proxy_device_id: string;
  readonly body: JsonObject;
  readonly at: number;
  readonly timeout_at: number;
}

/** CHT-192: a launch has one outcome; without a pending one this is refused as `launch_unknown`. */
export interface SettleLaunch {
  readonly do: 'settle_launch';
  readonly request_id: string;
  readonly state: 'launched' | 'failed';
  readonly outcome: JsonObject;
  readonly at: number;
}

/** Records that the browser that asked has the outcome (CHT-190). */
export interface TellLaunch {
  readonly do: 'tell_launch';
  readonly device_id: string;
  readonly request_id: string;
}

/** Adds or replaces a device. */
export interface PutDevice {
  readonly do: 'put_device';
  readonly device: DeviceRecord;
}

/** An omitted field keeps its value; none of them can undo a revocation. */
export interface UpdateDevice {
  readonly do: 'update_device';
  readonly device_id: string;
  readonly label?: string;
  readonly last_seen_at?: number;
}

export interface RevokeDevice {
  readonly do: 'revoke_device';
  readonly device_id: string;
  readonly at: number;
  /** Refused as `device_last` when no other device with this role would be left. */
  readonly unless_last?: string;
}

export interface PutFile {
  readonly do: 'put_file';
  readonly file: FileRecord;
}

export interface DeleteFile {
  readonly do: 'delete_file';
  readonly file_id: string;
}

export interface Audit {
  readonly do: 'audit';
  readonly entry: AuditEntry;
}

/** `null` removes the setting. */
export interface PutSetting {
  readonly do: 'put_setting';
  readonly key: string;
  readonly value: Json;
}

/**
 * Drops the oldest events up to `through`, at most `limit` of them, so that the writer is never blocked for
 * long.
 */
export interface PruneEvents extends OfSession {
  readonly do: 'prune_events';
  readonly through: number;
  readonly limit: number;
}

/** Removes a session whose events were pruned, with its messages, prompts and file rows. */
export interface DropSession extends OfSession {
  readonly do: 'drop_session';
}

/** Adds or replaces a task: refused as `task_changed` unless it is at `if_revision`, 0 for a new one. */
export interface PutTask {
  readonly do: 'put_task';
  readonly task: Omit<TaskRecord, 'revision'>;
  readonly if_revision: number;
}

/** Adds or replaces a tab's session. */
export interface PutTabSession {
  readonly do: 'put_tab_session';
  readonly session: TabSessionRecord;
}

export type Write =
  | CreateSession
  | UpdateSession
  | AppendEvent
  | AcceptMessage
  | ForwardMessage
  | EditMessage
  | SettleMessage
  | ForgetMessage
  | OpenPrompt
  | MovePrompt
  | ForgetPrompts
  | OpenLaunch
  | SettleLaunch
  | TellLaunch
  | PutDevice
  | UpdateDevice
  | RevokeDevice
  | PutFile
  | DeleteFile
  | Audit
  | PutSetting
  | PutTask
  | PutTabSession
  | PruneEvents
  | DropSession;

export interface Appended {
  readonly sequence: number;
}

interface Results {
  append_event: Appended;
  accept_message: Appended;
  forward_message: { readonly attempt: number };
  prune_events: { readonly removed: number };
  put_task: { readonly revision: number };
}

export type ResultOf<W extends Write> = W['do'] extends keyof Results ? Results[W['do']] : null;
export type ResultsOf<Writes extends readonly Write[]> = {
  readonly [Place in keyof Writes]: ResultOf<Writes[Place]>;
};

/** Reason why the ledger's state did not allow a transaction, with the current record. */
export type Refusal =
  | { readonly reason: 'session_unknown'; readonly session_id: string }
  | { readonly reason: 'session_exists'; readonly session: SessionRecord }
  | { readonly reason: 'message_unknown' }
  | { readonly reason: 'message_repeated'; readonly message: MessageRecord }
  | { readonly reason: 'message_conflict'; readonly message: MessageRecord }
  | { readonly reason: 'message_changed'; readonly message: MessageRecord }
  | { readonly reason: 'prompt_unknown' }
  | { readonly reason: 'prompt_open'; readonly prompt: PromptRecord }
  | { readonly reason: 'prompt_changed'; readonly prompt: PromptRecord }
  | { readonly reason: 'launch_unknown' }
  | { readonly reason: 'launch_pending'; readonly launch: LaunchRecord }
  | { readonly reason: 'device_unknown' }
  | { readonly reason: 'device_last' }
  | { readonly reason: 'token_taken' }
  | { readonly reason: 'file_exists' }
  | { readonly reason: 'task_changed'; readonly task: TaskRecord | undefined };

export type CommitResult<Writes extends readonly Write[] = readonly Write[]> =
  | { readonly committed: true; readonly results: ResultsOf<Writes> }
  | { readonly committed: false; readonly at: number; readonly refusal: Refusal };
