import { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome } from '../guard/permission.ts';
import { type RelayEnv, signedIn } from '../relay-env.ts';
import type { Halt } from './halt.ts';

/** `POST /api/halt` */
export function haltRoute({
  halt,
  credentials,
}: {
  readonly halt: Halt;
  readonly credentials: Credentials;
}): Hono<RelayEnv> {
  return new Hono<RelayEnv>().post('/', signedIn(credentials, isAtHome), async (context) => {
    context.header('cache-control', 'no-store');
    return context.json(await halt.run(context.get('identity')));
  });
}
