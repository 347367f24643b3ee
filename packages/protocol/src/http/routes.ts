import { SCHEDULED_SENDS, SESSIONS_API } from './sessions.ts';

/** Every HTTP route outside contract 4, the bridge and Pusher. */
export const ROUTES = { ...SESSIONS_API, ...SCHEDULED_SENDS };
