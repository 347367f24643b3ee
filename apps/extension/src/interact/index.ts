export { createInteractDecider } from './interact-decider.ts';
export type { StoredValues } from './stored-values.ts';
export { createTabSessions } from './tab-sessions.ts';
export { createTabTasks, type TabTasks } from './tab-tasks.ts';
