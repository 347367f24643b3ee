export * from './bridge/items.ts';
export { bridge } from './bridge/protocol.ts';
export { blocksOfDetails } from './chat/blocks-of-details.ts';
export { type BlockCard, type MessagePart, partsOfBlocks } from './chat/content-blocks.ts';
export { CHAT_PROTOCOL_VERSION } from './chat/envelope.ts';
export { CHAT_FEATURES, type ChatFeature } from './chat/features.ts';
export { CHAT_FRAMES, type ChatFrame, type ChatFrameType, RETIRED_FRAMES } from './chat/frames.ts';
export type { SessionEvent } from './chat/history.ts';
export { MessageDetails } from './chat/message-details.ts';
export { NO_TIME, UNNAMED } from './chat/open-words.ts';
export { chat } from './chat/protocol.ts';
export {
  type Activity,
  type AgentType,
  type Session,
  type SessionHealth,
  TASK_SIGNATURE,
} from './chat/session.ts';
export { type Work, workOf } from './chat/work.ts';
export { type Action, type ActionArgument, formatAction, parseAction } from './interact/action-string.ts';
export {
  interactRequest,
  interactResponse,
  newMessage,
  sessionFound,
  sessionMessages,
  sessionRename,
} from './interact/protocol.ts';
export type { Attachment, DomMode, ElementId, InteractRequest, MapTool } from './interact/request.ts';
export {
  type ActionDetails,
  type ChainedAction,
  type InteractResponse,
  type MemoryResult,
  type NeedsContext,
  type NextStep,
  type Plan,
  type PlanStep,
  reasoningText,
  type ToolAction,
} from './interact/response.ts';
export {
  SemanticNode,
  SemanticNodeV2,
  SemanticPage,
  type Viewport,
} from './interact/semantic-tree.ts';
export type { ChatMessage, TabSession } from './interact/session.ts';
export { onAbort } from './on-abort.ts';
export {
  type Answer,
  type Asker,
  EFFECTS,
  type EffectClass,
  type Question,
} from './permission/asker.ts';
export { plainLine, plainSentence, quotedLine, siteName } from './permission/plain-line.ts';
export { PUSHER_CLOSE_CODES, type PusherFrame } from './pusher/frames.ts';
export { pusher, pusherBatch, pusherTrigger } from './pusher/protocol.ts';
export { SHORT_ROLES } from './semantic/short-roles.ts';
export { REJECTION_REASONS, type TaskEvent, type TaskMessage } from './tasks/messages.ts';
export { tasks } from './tasks/protocol.ts';
export type { TaskState } from './tasks/task-state.ts';
export { BridgeError, type BridgeErrorDetails, withoutStack } from './wire/bridge-error.ts';
export {
  childEnvironment,
  isVariable,
  MODEL_KEY_VARIABLES,
  withheldVariables,
  workerEnvironment,
} from './wire/child-environment.ts';
export { DEVICE_LIMITS, type DeviceLimit } from './wire/device-limits.ts';
export {
  BRIDGE_CODES,
  CHAT_CODES,
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeInfo,
  INTERACT_CODES,
  MAP_CODES,
  type Severity,
} from './wire/error-codes.ts';
export { SAFE_IDENTIFIER } from './wire/fields.ts';
export { asWritten, itemsOf, membersOf, withMembers } from './wire/json-members.ts';
export { LIMITS, type Limit } from './wire/limits.ts';
export type { Protocol } from './wire/protocol.ts';
export { pageText, visibleJson, visibleText } from './wire/visible-text.ts';
export { withScheme } from './wire/with-scheme.ts';
