import { isObject, readJson } from '@drawbridge/protocol/manifest';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { parseLabel } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isOwner } from '../server/guard/permission.ts';
import { type RelayEnv, signedIn } from '../server/relay-env.ts';
import { mintTaskClient } from './task-token.ts';

const BODY_BYTES = 4_096;

/** `POST /api/task-clients`: what an owner pastes into the options of an extension, shown this once. */
export function taskClientRoutes({
  devices,
  credentials,
}: {
  readonly devices: Devices;
  readonly credentials: Credentials;
}): Hono<RelayEnv> {
  return new Hono<RelayEnv>().post(
    '/',
    bodyLimit({ maxSize: BODY_BYTES }),
    signedIn(credentials, isOwner),
    async (context) => {
      context.header('cache-control', 'no-store');
      const read = readJson(await context.req.text(), BODY_BYTES);
      const label = read.ok && isObject(read.value) ? parseLabel(read.value['label']) : undefined;
      const by = context.get('identity');
      const minted = await mintTaskClient(devices, { label: label ?? 'Task extension', by });
      return context.json(minted, 201);
    },
  );
}
