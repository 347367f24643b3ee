import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { Hono } from 'hono';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import { parseLabel } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import { mintTaskClient } from './task-token.ts';

const BODY_BYTES = 4_096;

/** `POST /api/task-clients`: an address that an owner pastes into an extension's options, shown once. */
export function taskClientRoutes({
  devices,
  credentials,
  auth,
  areLetIn,
}: {
  readonly devices: Devices;
  readonly credentials: Credentials;
  readonly auth: AuthMiddleware;
  readonly areLetIn: boolean;
}): Hono<RelayEnv> {
  const app = new Hono<RelayEnv>();
  return app.post('/', bodyOf(BODY_BYTES), signedIn(credentials, isOwner), async (context) => {
    context.header('cache-control', 'no-store');
    if (!areLetIn) return refuse(context, 'not_found', NOT_LET_IN);
    const text = await context.req.text();
    const read = readJson(text, BODY_BYTES);
    const given = read.ok && isObject(read.value) ? parseLabel(read.value['label']) : undefined;
    const label = given ?? 'Task extension';
    const by = context.get('identity');
    await auth.confirm(context, by, { act: 'add_task_client', roles: ['runtime'], label }, text);
    const minted = await mintTaskClient(devices, { label, by });
    return context.json(minted, 201);
  });
}

const NOT_LET_IN =
  'Extensions of the task protocol are not let in here. Start the relay with drawbridge up --task-clients.';
