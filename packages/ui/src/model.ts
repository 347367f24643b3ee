/** The part without React: conversation types, parsers for proxy data, and texts. */
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
export { withOwnCommand } from './own-command.ts';
export { permissionText } from './permission-text.ts';
export { readPrompt } from './prompt/read-prompt.ts';
export { agentName, sessionLocation, sessionName, workspaceName } from './session/session-name.ts';
export { en, type Words } from './words/en.ts';
