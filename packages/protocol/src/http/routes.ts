import { CONFIRMATIONS, DEVICES, PAIRING, PASSKEYS } from './devices.ts';
import { PUSH, WEBHOOKS } from './notices.ts';
import { DEMO, HALT, MAP_FOR, MODEL, MODEL_SCHEMAS, RUNTIMES } from './runtimes.ts';
import { FILES, LENT_BROWSER, SCHEDULED_SENDS, SESSIONS_API } from './sessions.ts';
import { TASK_CLIENTS, TASK_SCHEMAS, TASKS } from './tasks.ts';

/** Every HTTP route outside contract 4, the bridge and Pusher. */
export const ROUTES = {
  ...TASKS,
  ...TASK_CLIENTS,
  ...DEVICES,
  ...PAIRING,
  ...PASSKEYS,
  ...CONFIRMATIONS,
  ...SESSIONS_API,
  ...LENT_BROWSER,
  ...SCHEDULED_SENDS,
  ...FILES,
  ...RUNTIMES,
  ...MAP_FOR,
  ...HALT,
  ...DEMO,
  ...MODEL,
  ...PUSH,
  ...WEBHOOKS,
};

/** Schemas that the routes name. */
export const ROUTE_SCHEMAS = { ...TASK_SCHEMAS, ...MODEL_SCHEMAS };
