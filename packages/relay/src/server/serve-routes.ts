import type {
  Access,
  HttpErrorCode,
  ParamsOf,
  QueryOf,
  ReplyOf,
  Route,
  RouteTable,
} from '@drawbridge/protocol/http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Identity } from '../core/ports.ts';
import type { Credentials } from './guard/credentials.ts';
import { isAtHome, isOwner, isPerson, isSessionAgent, mayAct, mayHaveFiles } from './guard/permission.ts';
import { bodyOf, type RelayEnv, refuse, signedIn } from './relay-env.ts';

type RefusalsOf<Spec> = Spec extends { readonly refuses: readonly (infer Code)[] } ? Code : never;

/** One request to a route of the table. */
interface Call<Name, Spec> {
  readonly context: Context<RelayEnv>;
  /** The caller; the route's `access` has admitted it. */
  readonly identity: Identity;
  readonly params: Readonly<Record<ParamsOf<Name>, string>>;
  readonly query: { readonly [Key in QueryOf<Spec>]?: string };
  readonly refuse: (code: RefusalsOf<Spec>, message: string) => Response;
}

/** A handler returns the reply, which is sent as JSON with the status of the route, or a response of its own. */
type Handlers<Routes extends RouteTable> = {
  readonly [Name in keyof Routes]: (
    call: Call<Name, Routes[Name]>,
  ) => ReplyOf<Routes[Name]> | Response | Promise<ReplyOf<Routes[Name]> | Response>;
};

interface AnyCall extends Omit<Call<string, unknown>, 'refuse' | 'params' | 'query'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly refuse: (code: HttpErrorCode, message: string) => Response;
}

/** A task works in any idle lent tab, so the token of one session, limited to its sites and stops, gives none. */
const mayGiveTasks = (identity: Identity): boolean => mayAct(identity) && !isSessionAgent(identity);

const ADMITS: Readonly<Record<Exclude<Access, 'anybody'>, (identity: Identity) => boolean>> = {
  device: () => true,
  person: isPerson,
  home: isAtHome,
  owner: isOwner,
  owner_at_home: (identity) => isOwner(identity) && isAtHome(identity),
  proxy: ({ roles }) => roles.includes('proxy'),
  browser: (identity) => identity.roles.includes('runtime') || isAtHome(identity),
  tasks: mayGiveTasks,
  files: mayHaveFiles,
};

/** Serves every route of a table: checks the credential and the body's size, and forbids storing the reply. */
export function serveRoutes<const Routes extends RouteTable>(
  routes: Routes,
  credentials: Credentials,
  handlers: Handlers<Routes>,
): Hono<RelayEnv> {
  const app = new Hono<RelayEnv>();
  // `Handlers` has checked each handler against its own route; which one runs is known by name only.
  const checked: object = handlers;
  for (const [name, { access, bytes, status }] of Object.entries<Route>(routes)) {
    const [method = '', path = ''] = name.split(' ');
    const handle: (call: AnyCall) => unknown = Reflect.get(checked, name);
    const steps: MiddlewareHandler<RelayEnv>[] = [noStore];
    if (access !== 'anybody') steps.push(signedIn(credentials, ADMITS[access]));
    if (bytes !== undefined) steps.push(bodyOf(bytes));
    steps.push(async (context) => {
      const reply = await handle({
        context,
        identity: context.get('identity'),
        params: context.req.param(),
        query: context.req.query(),
        refuse: (code, message) => refuse(context, code, message),
      });
      if (reply instanceof Response) return reply;
      return reply === undefined ? context.body(null, 204) : context.json(Object(reply), status ?? 200);
    });
    app.on(method, [path.replaceAll(/\{(\w+)\}/g, ':$1')], ...steps);
  }
  return app;
}

const noStore: MiddlewareHandler = async (context, next) => {
  context.header('cache-control', 'no-store');
  await next();
};
