import { TASK_CLIENTS } from '@drawbridge/protocol/http';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Hono } from 'hono';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { parseLabel } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveRoutes } from '../server/serve-routes.ts';
import { mintTaskClient } from './task-token.ts';

const BODY_CHARS = 4_096;

/** An address that an owner pastes into an extension's options, shown once. */
export const taskClientRoutes = ({
  devices,
  credentials,
  auth,
  areLetIn,
}: {
  readonly devices: Devices;
  readonly credentials: Credentials;
  readonly auth: AuthMiddleware;
  readonly areLetIn: boolean;
}): Hono<RelayEnv> =>
  serveRoutes(TASK_CLIENTS, credentials, {
    async 'POST /api/task-clients'({ context, identity: by, refuse }) {
      if (!areLetIn) return refuse('not_found', NOT_LET_IN);
      const text = await context.req.text();
      const read = readJson(text, BODY_CHARS);
      const given = read.ok && isObject(read.value) ? parseLabel(read.value['label']) : undefined;
      const label = given ?? 'Task extension';
      await auth.confirm(context, by, { act: 'add_task_client', roles: ['runtime'], label }, text);
      return mintTaskClient(devices, { label, by });
    },
  });

const NOT_LET_IN =
  'Extensions of the task protocol are not let in here. Start the relay with drawbridge up --task-clients.';
