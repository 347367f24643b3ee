/** What needs no React: the shapes of a conversation, and how what a proxy wrote is read. */
export type {
  Attachment,
  Delivery,
  Entry,
  MessageEntry,
  OpenPrompt,
  OpenQuestion,
  SettledEntry,
} from './message/entry.ts';
export { isPersons, isShown } from './message/entry.ts';
export { parseDetails } from './message/parse-details.ts';
export { agentName, sessionName, sessionPlace } from './session/session-name.ts';
