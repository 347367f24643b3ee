import { MAP_FOR } from '@drawbridge/protocol/http';
import { trustOf } from '@drawbridge/runtime';
import type { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import type { RelayOptions } from '../options.ts';
import type { RelayEnv } from '../relay-env.ts';
import { serveRoutes } from '../serve-routes.ts';

export interface MapRouteOptions {
  readonly maps: RelayOptions['maps'];
  readonly credentials: Credentials;
}

/** The map of a page with its trust level, for a browser without a folder of maps. */
export const mapRoute = ({ maps, credentials }: MapRouteOptions): Hono<RelayEnv> =>
  serveRoutes(MAP_FOR, credentials, {
    async 'GET /api/maps/for'({ query: { url = '' }, refuse }) {
      if (!URL.canParse(url)) return refuse('invalid_request', '"url" is the address of a page.');
      const choice = await maps?.mapFor(url);
      if (choice?.offer.ready !== true || choice.offer.map.tools.length === 0)
        return refuse('not_found', 'This relay has no map for that page.');
      const { offer, trust, address } = choice;
      return {
        map: offer.map,
        trust,
        tool_trust: Object.fromEntries(offer.map.tools.map(({ name }) => [name, trustOf(choice, name)])),
        ...(address !== undefined && { address }),
      };
    },
  });
