import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { Hono } from 'hono';
import { parseLabel } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner } from '../server/guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from '../server/relay-env.ts';
import { mintTaskClient } from './task-token.ts';

const BODY_BYTES = 4_096;

/** `POST /api/task-clients`: what an owner pastes into the options of an extension, shown this once. */
export function taskClientRoutes({
  devices,
  credentials,
  areLetIn,
}: {
  readonly devices: Devices;
  readonly credentials: Credentials;
  readonly areLetIn: boolean;
}): Hono<RelayEnv> {
  return new Hono<RelayEnv>().post(
    '/',
    bodyOf(BODY_BYTES),
    signedIn(credentials, isOwner),
    async (context) => {
      context.header('cache-control', 'no-store');
      if (!areLetIn) return refuse(context, 'not_found', NOT_LET_IN);
      const read = readJson(await context.req.text(), BODY_BYTES);
      const label = read.ok && isObject(read.value) ? parseLabel(read.value['label']) : undefined;
      const by = context.get('identity');
      const minted = await mintTaskClient(devices, { label: label ?? 'Task extension', by });
      return context.json(minted, 201);
    },
  );
}

const NOT_LET_IN =
  'Extensions of the task protocol are not let in here. Start the relay with drawbridge up --task-clients.';
