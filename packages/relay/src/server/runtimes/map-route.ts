import { trustOf } from '@drawbridge/runtime';
import { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome } from '../guard/permission.ts';
import type { RelayOptions } from '../options.ts';
import { type RelayEnv, refuse, signedIn } from '../relay-env.ts';

export interface MapRouteOptions {
  readonly maps: RelayOptions['maps'];
  readonly credentials: Credentials;
}

/** `/api/maps/for?url=`: the map of a page with its trust level, for a browser without a folder of maps. */
export function mapRoute({ maps, credentials }: MapRouteOptions): Hono<RelayEnv> {
  const forBrowsers = signedIn(
    credentials,
    (identity) => identity.roles.includes('runtime') || isAtHome(identity),
  );
  return new Hono<RelayEnv>().get('/for', forBrowsers, async (context) => {
    const url = context.req.query('url') ?? '';
    if (!URL.canParse(url)) return refuse(context, 'invalid_request', '"url" is the address of a page.');
    const choice = await maps?.mapFor(url);
    if (choice?.offer.ready !== true || choice.offer.map.tools.length === 0)
      return refuse(context, 'not_found', 'This relay has no map for that page.');
    const { offer, trust, address } = choice;
    return context.json({
      map: offer.map,
      trust,
      tool_trust: Object.fromEntries(offer.map.tools.map(({ name }) => [name, trustOf(choice, name)])),
      ...(address !== undefined && { address }),
    });
  });
}
