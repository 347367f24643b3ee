export {
  type Answers,
  type ChatEvent,
  type ChatLink,
  type ChatProblem,
  ChatRefusal,
  type ChatState,
  type FrameOf,
  isEvent,
  type NewMessage,
  type Outgoing,
  type RequestFrame,
  type RequestType,
  type Resumed,
  type ResumePoint,
  type SendFrame,
  type SendOutcome,
  type SentMessage,
} from './chat-link.ts';
export type { ChatOptions } from './chat-options.ts';
export { connectChat } from './connect-chat.ts';
export { historyPages } from './history-pages.ts';
export { indexedDbOutbox } from './indexed-db-outbox.ts';
export { memoryOutbox, type OutboxStore } from './outbox-store.ts';
