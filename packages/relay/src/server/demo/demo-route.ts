import { Hono } from 'hono';
import type { Credentials } from '../guard/credentials.ts';
import { isAtHome, isOwner } from '../guard/permission.ts';
import { type RelayEnv, refuse, signedIn } from '../relay-env.ts';

export interface DemoView {
  /** `none`: this relay has no demo. */
  readonly state: 'none' | 'ready' | 'playing' | 'played' | 'failed';
  /** The last event or problem, in one sentence. */
  readonly said: string;
  /** Results of the finished parts. */
  readonly done: readonly string[];
}

/** A demo that an owner can start. */
export interface RelayDemo {
  readonly view: () => DemoView;
  /** Starts without waiting for the end. Rejects with the missing requirement. */
  readonly start: () => Promise<void>;
}

const NONE: DemoView = { state: 'none', said: '', done: [] };

/** `/api/demo` */
export function demoRoute({
  demo,
  credentials,
}: {
  readonly demo: RelayDemo | undefined;
  readonly credentials: Credentials;
}): Hono<RelayEnv> {
  const routes = new Hono<RelayEnv>();
  routes.use('*', async (context, next) => {
    context.header('cache-control', 'no-store');
    await next();
  });
  return routes
    .get('/', signedIn(credentials, isAtHome), (context) => context.json(demo?.view() ?? NONE))
    .post(
      '/',
      signedIn(credentials, (identity) => isOwner(identity) && isAtHome(identity)),
      async (context) => {
        if (demo === undefined) return refuse(context, 'not_found', 'This relay has no demo to play.');
        if (demo.view().state === 'playing')
          return refuse(context, 'demo_playing', 'The demo is being played already. Wait for its end.');
        try {
          await demo.start();
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          return refuse(context, 'unavailable', message);
        }
        return context.json(demo.view(), 202);
      },
    );
}
