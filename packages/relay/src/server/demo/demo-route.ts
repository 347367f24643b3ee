import { DEMO, type DemoView } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import type { RelayEnv } from '../relay-env.ts';
import { serveRoutes } from '../serve-routes.ts';

/** A demo that an owner can start. */
export interface RelayDemo {
  readonly view: () => DemoView;
  /** Starts without waiting for the end. Rejects with the missing requirement. */
  readonly start: () => Promise<void>;
}

const NONE: DemoView = { state: 'none', said: '', done: [] };

export const demoRoute = ({
  demo,
  credentials,
}: {
  readonly demo: RelayDemo | undefined;
  readonly credentials: Credentials;
}): Hono<RelayEnv> =>
  serveRoutes(DEMO, credentials, {
    'GET /api/demo': () => demo?.view() ?? NONE,
    async 'POST /api/demo'({ refuse }) {
      if (demo === undefined) return refuse('not_found', 'This relay has no demo to play.');
      if (demo.view().state === 'playing')
        return refuse('demo_playing', 'The demo is being played already. Wait for its end.');
      try {
        await demo.start();
      } catch (error) {
        return refuse('unavailable', error instanceof Error ? error.message : String(error));
      }
      return demo.view();
    },
  });
