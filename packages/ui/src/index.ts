export { Composer, type ComposerProps, type Upload } from './compose/composer.tsx';
export { SendAndStop, type SendAndStopProps } from './compose/send-and-stop.tsx';
export {
  DictationContext,
  useDictation,
} from './compose/use-dictation.tsx';
export { type MessageActions, MessageRow } from './message/message-row.tsx';
export { MessageText, preloadMarkdown } from './message/message-text.tsx';
export { PlanSteps } from './message/plan-steps.tsx';
export { SettledNote } from './message/settled-note.tsx';
export { StepPlayer } from './message/step-player.tsx';
export { Transcript } from './message/transcript.tsx';
export { saveFile } from './message/use-file.ts';
export * from './model.ts';
export { ownCommand } from './own-command.ts';
export { Button, IconButton } from './parts/button.tsx';
export { CopyButton } from './parts/copy-button.tsx';
export { Confirm, Dialog } from './parts/dialog.tsx';
export { Disclosure } from './parts/disclosure.tsx';
export { EmptyState } from './parts/empty-state.tsx';
export { CheckField, SelectField, TextAreaField, TextField } from './parts/field.tsx';
export { ActionMenu, type MenuAction } from './parts/menu.tsx';
export { Notice } from './parts/notice.tsx';
export { TimeAgo } from './parts/time-ago.tsx';
export { PromptBar } from './prompt/prompt-bar.tsx';
export { PromptCard } from './prompt/prompt-card.tsx';
export type { LoadPicture, QuestionPicture } from './prompt/prompt-picture.tsx';
export { QuestionCard } from './prompt/question-card.tsx';
export { headlineOf } from './prompt/read-prompt.ts';
export { useArmed } from './prompt/use-armed.ts';
export { ConnectionBanner } from './session/connection-banner.tsx';
export { type HealthPart, HealthParts } from './session/health-parts.tsx';
export { SessionRow } from './session/session-row.tsx';
export { clockTime, dueTime, exactTime, shortCount } from './time-words.ts';
export type { AuditNames } from './words/audit-en.ts';
export { useWords, WordsContext } from './words/use-words.ts';
