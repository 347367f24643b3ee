import type {
  Access,
  HttpErrorCode,
  OwnAccess,
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
type Steps = readonly MiddlewareHandler<RelayEnv>[];

/** One request to a route of the table, before its caller is known. */
export interface OpenCall<Name, Spec> {
  readonly context: Context<RelayEnv>;
  readonly params: Readonly<Record<ParamsOf<Name>, string>>;
  readonly query: { readonly [Key in QueryOf<Spec>]?: string };
  readonly refuse: (code: RefusalsOf<Spec>, message: string) => Response;
}

export interface Call<Name, Spec> extends OpenCall<Name, Spec> {
  /** The caller; the route's `access` has admitted it. */
  readonly identity: Identity;
}

/** The reply is sent as JSON with the status of the route; a handler may also send a response itself. */
type Answer<Spec> = ReplyOf<Spec> | Response | Promise<ReplyOf<Spec> | Response>;
type Handlers<Routes extends RouteTable> = {
  readonly [Name in keyof Routes]: (call: Call<Name, Routes[Name]>) => Answer<Routes[Name]>;
};
type OpenHandlers<Routes extends RouteTable> = {
  readonly [Name in keyof Routes]: (call: OpenCall<Name, Routes[Name]>) => Answer<Routes[Name]>;
};

interface AnyCall {
  readonly context: Context<RelayEnv>;
  readonly identity: Identity;
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
  listener: (identity) => isPerson(identity) || identity.roles.includes('runtime'),
};

/** Serves every route of a table: checks the credential and the body's size, and forbids storing the reply. */
export const serveRoutes = <const Routes extends RouteTable<Access>>(
  routes: Routes,
  credentials: Credentials,
  handlers: Handlers<Routes>,
): Hono<RelayEnv> =>
  serve(routes, handlers, ({ access, bytes }) => [
    ...[noStore, ...(access === 'anybody' ? [] : [signedIn(credentials, ADMITS[access])])],
    ...limitsOf(bytes),
  ]);

/** The same for routes whose handlers identify the caller themselves. */
export const serveOpenRoutes = <const Routes extends RouteTable<Access>>(
  routes: Routes,
  handlers: OpenHandlers<Routes>,
): Hono<RelayEnv> => serve(routes, handlers, ({ bytes }) => [noStore, ...limitsOf(bytes)]);

/** The same for protocols that check the caller themselves: steps before a handler put the identity into the context. */
export const serveOwnRoutes = <const Routes extends RouteTable>(
  routes: Routes,
  stepsOf: (route: Route) => Steps,
  handlers: Handlers<Routes>,
): Hono<RelayEnv> => serve(routes, handlers, stepsOf);

const limitsOf = (bytes: number | undefined): Steps => (bytes === undefined ? [] : [bodyOf(bytes)]);

/** The types of the callers have checked each handler against its own route; here it is found by name only. */
function serve<By extends Access | OwnAccess>(
  routes: RouteTable<By>,
  handlers: object,
  stepsOf: (route: Route<By>) => Steps,
): Hono<RelayEnv> {
  const app = new Hono<RelayEnv>();
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ');
    const handle: (call: AnyCall) => unknown = Reflect.get(handlers, name);
    const answer: MiddlewareHandler<RelayEnv> = async (context) => {
      const reply = await handle({
        context,
        identity: context.get('identity'),
        params: context.req.param(),
        query: context.req.query(),
        refuse: (code, message) => refuse(context, code, message),
      });
      if (reply instanceof Response) return reply;
      return reply === undefined ? context.body(null, 204) : context.json(Object(reply), route.status ?? 200);
    };
    app.on(method, [path.replaceAll(/\{(\w+)\}/g, ':$1')], ...stepsOf(route), answer);
  }
  return app;
}

const noStore: MiddlewareHandler = async (context, next) => {
  context.header('cache-control', 'no-store');
  await next();
};
