import { HALT } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import type { RelayEnv } from '../relay-env.ts';
import { serveRoutes } from '../serve-routes.ts';
import type { Halt } from './halt.ts';

export const haltRoute = ({
  halt,
  credentials,
}: {
  readonly halt: Halt;
  readonly credentials: Credentials;
}): Hono<RelayEnv> =>
  serveRoutes(HALT, credentials, { 'POST /api/halt': ({ identity }) => halt.run(identity) });
