/** What needs no React: the shapes of a conversation, how what a proxy wrote is read, and the words for it. */
export { deedOf } from './message/deed-words.ts';
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
export { agentName, sessionName, sessionPlace, workspaceName } from './session/session-name.ts';
export { en, type Words } from './words/en.ts';
