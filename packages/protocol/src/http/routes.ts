import { CONFIRMATIONS, DEVICES, PAIRING, PASSKEYS } from './devices.ts';
import { PUSH, WEBHOOKS } from './notices.ts';
import { PUSHER_AUTH } from './pusher.ts';
import { DEMO, HALT, MAP_FOR, MODEL, MODEL_SCHEMAS, RUNTIMES } from './runtimes.ts';
import { FILES, LENT_BROWSER, SCHEDULED_SENDS, SESSIONS_API } from './sessions.ts';
import { TASK_CLIENTS, TASK_SCHEMAS, TASKS } from './tasks.ts';

/** Every HTTP route that takes the credential of a device as the relay's own clients show it. */
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
  ...PUSHER_AUTH,
};

/** Schemas that the routes name. */
export const ROUTE_SCHEMAS = { ...TASK_SCHEMAS, ...MODEL_SCHEMAS };
