/** Every limit on wire messages. `docs/reference/limits.md` is generated from this table. */
export interface Limit {
  readonly value: number;
  readonly unit: 'characters' | 'items' | 'levels';
  readonly meaning: string;
}

const limit = (value: number, unit: Limit['unit'], meaning: string): Limit => ({ value, unit, meaning });

export const LIMITS = {
  depth: limit(64, 'levels', 'nesting depth of any message'),
  frame: limit(1_048_576, 'characters', 'a bridge item, a chat frame, a Pusher frame'),
  interact_request: limit(4_194_304, 'characters', 'an interact request body'),
  interact_response: limit(1_048_576, 'characters', 'an interact response body'),
  manifest: limit(4_194_304, 'characters', 'an actions.json map'),
  task_message: limit(1_000_000, 'characters', 'a task message'),
  id: limit(256, 'characters', 'any id, name or type that a peer chooses'),
  task_id: limit(1_000, 'characters', '`taskId` of a task message'),
  prompt: limit(100_000, 'characters', '`prompt` of `execute_task`'),
  url: limit(8_192, 'characters', 'any URL'),
  label: limit(4_096, 'characters', 'a title, label, reason or human-readable message'),
  selector: limit(1_024, 'characters', 'a CSS selector of a map'),
  resume_sessions: limit(1_000, 'items', '`resume.sessions` of `connection_hello`'),
  subscribed_sessions: limit(128, 'items', '`sessions` of `subscribe`'),
  delta: limit(65_536, 'characters', '`append` of `message_delta`'),
  chat_list: limit(1_000, 'items', '`chats` of `chat_list`'),
  scheduled_send: limit(100_000, 'characters', '`content` of a scheduled send'),
  attachments: limit(100, 'items', '`attachments` of `send_message`'),
  choices: limit(100, 'items', '`choices` of `permission_prompt`'),
  offered: limit(200, 'items', '`agents` and `workspaces` of `proxy_offer`'),
  query: limit(10_000, 'characters', '`query` of an interact request'),
  dom: limit(1_000_000, 'characters', '`dom` of an interact request'),
  screenshot: limit(2_000_000, 'characters', '`screenshot` of an interact request (base64)'),
  skeleton_dom: limit(100_000, 'characters', '`skeletonDom` of an interact request'),
  screenshot_hash: limit(256, 'characters', '`screenshotHash` of an interact request'),
  page_title: limit(500, 'characters', '`pageTitle` and `title` of an interact request'),
  domain: limit(255, 'characters', '`domain` of an interact request'),
  scroll_position: limit(10, 'characters', '`scrollPosition` of an interact request'),
  recent_events: limit(20, 'items', '`recentEvents` of an interact request'),
  event_text: limit(
    200,
    'characters',
    'one of `recentEvents`, `errors_detected`, `success_messages`; `filter_reason`',
  ),
  verification_messages: limit(
    10,
    'items',
    '`errors_detected` and `success_messages` of an interact request',
  ),
  verification_message: limit(500, 'characters', '`verification_message` of an interact request'),
  pusher_channel: limit(200, 'characters', 'a Pusher channel or event name'),
  pusher_channels: limit(100, 'items', '`channels` of one Pusher trigger'),
  pusher_batch: limit(10, 'items', '`batch` of one Pusher batch'),
} as const satisfies Record<string, Limit>;
