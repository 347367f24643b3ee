import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from './route.ts';
import type { ROUTES } from './routes.ts';

type Routes = typeof ROUTES;
export type RouteName = keyof Routes;
export type ReplyTo<Name extends RouteName> = ReplyOf<Routes[Name]>;
export type BodyFor<Name extends RouteName> = BodyOf<Routes[Name]>;

type Value = string | number | undefined;
/** The parameters of the path by name, the query and the body. */
export type Given<Name extends RouteName> = Readonly<Record<ParamsOf<Name>, string>> & {
  readonly query?: { readonly [Key in QueryOf<Routes[Name]>]?: Value };
} & (Routes[Name] extends { readonly body: object } ? { readonly body: BodyFor<Name> } : unknown);

/** Arguments of a call: `given` may be left out where nothing must be given. */
export type CallArguments<Name extends RouteName, More = never> =
  Record<never, never> extends Given<Name>
    ? [given?: Given<Name>, more?: More]
    : [given: Given<Name>, more?: More];

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Loads no schema, so that a page can use it. */
export function requestOf(name: RouteName, given: object = {}): HttpRequest {
  const { query, body, ...params }: Readonly<Record<string, unknown>> = { ...given };
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, param) => encodeURIComponent(String(params[param])));
  const asked = Object.entries(Object(query)).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${encodeURIComponent(String(value))}`,
  );
  const search = asked.length === 0 ? '' : `?${asked.join('&')}`;
  // A body in JSON is what tells a program from a form of another page.
  const isJson = body !== undefined || method === 'POST';
  return { method, path: `${path}${search}`, ...(isJson && { body: Object(body ?? {}) }) };
}
