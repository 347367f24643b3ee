export { createTaskServerClient, type TaskServerClient } from './task-server-client.ts';
export { tasksInTabs } from './tasks-in-tabs.ts';
