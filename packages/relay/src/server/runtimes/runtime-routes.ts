import type { Bridge, RuntimeView } from '@drawbridge/bridge';
import { Hono } from 'hono';
import type { CoreClock, Identity } from '../../core/ports.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome, isPerson } from '../guard/permission.ts';
import { type RelayEnv, refuse, signedIn } from '../relay-env.ts';

export interface RuntimeRoutesOptions {
  readonly bridge: Pick<Bridge, 'runtimes' | 'revokeGrants'>;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly credentials: Credentials;
}

/** The tabs that are lent, and what agents may do in them without asking: `/api/{runtimes,grants}`. */
export function runtimeRoutes({ bridge, ledger, clock, credentials }: RuntimeRoutesOptions): Hono<RelayEnv> {
  const forPeople = signedIn(credentials, (identity) => isPerson(identity) && isAtHome(identity));

  const revoke = async (by: Identity, runtime_id: string, grant_id?: string): Promise<boolean> => {
    const of = { runtime_id, ...(grant_id !== undefined && { grant_id }) };
    if (bridge.revokeGrants(of) === 0) return false;
    const entry = {
      at: clock.now(),
      device_id: by.device_id,
      action: 'grant_revoked',
      subject: runtime_id,
      detail: { grant_id: grant_id ?? null },
    };
    await ledger.commit([{ do: 'audit', entry }]);
    return true;
  };

  return new Hono<RelayEnv>()
    .get('/runtimes', forPeople, (context) => context.json({ runtimes: bridge.runtimes().map(summaryOf) }))
    .get('/grants', forPeople, (context) => context.json({ grants: bridge.runtimes().flatMap(grantsOf) }))
    .delete('/grants/:runtime_id', forPeople, async (context) => {
      const told = await revoke(context.get('identity'), context.req.param('runtime_id'));
      return told ? context.body(null, 204) : refuse(context, 'not_found', NO_SUCH_RUNTIME);
    })
    .delete('/grants/:runtime_id/:grant_id', forPeople, async (context) => {
      const { runtime_id, grant_id } = context.req.param();
      const told = await revoke(context.get('identity'), runtime_id, grant_id);
      return told ? context.body(null, 204) : refuse(context, 'not_found', NO_SUCH_RUNTIME);
    });
}

function summaryOf({ runtime_id, ready, status, liveness }: RuntimeView) {
  const { title, host, runtime_key, manifest } = ready;
  const tools = toolNamesOf(manifest);
  return {
    runtime_id,
    ...(runtime_key !== undefined && { runtime_key }),
    url: status?.url ?? ready.url,
    ...(title !== undefined && { title }),
    ...(host !== undefined && { host }),
    liveness,
    states: status?.states ?? [],
    tools,
  };
}

function toolNamesOf(manifest: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const tools = manifest?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { name?: unknown }) => tool.name).filter((name) => typeof name === 'string');
}

const grantsOf = ({ runtime_id, ready, grants = [] }: RuntimeView) =>
  grants.map((grant) => ({ runtime_id, title: ready.title ?? ready.url, ...grant }));

const NO_SUCH_RUNTIME =
  'No browser tab of this id is connected, or it keeps its own grants. GET /api/runtimes lists those that are.';
