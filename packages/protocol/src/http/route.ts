import { type Static, type TSchema, Type } from 'typebox';
import type { HttpErrorCode, InteractErrorCode } from './errors.ts';

/**
 * Devices that may call a route. `anybody`: without a credential. `device`: any paired one; the handler
 * decides further. `home`: a person who is no guest of a session.
 */
export type Access =
  | 'anybody'
  | 'device'
  | 'person'
  | 'home'
  | 'owner'
  | 'owner_at_home'
  | 'proxy'
  | 'browser'
  | 'tasks'
  | 'files'
  | 'listener';

/** `interact`: contract 4 signs in and refuses in its own way. `signed`: by the secret of a Pusher app. */
export type OwnAccess = 'interact' | 'signed';

export type Tag =
  | 'interact'
  | 'tasks'
  | 'devices'
  | 'sessions'
  | 'runtimes'
  | 'notices'
  | 'relay'
  | 'pusher'
  | 'health';

export interface Parameter {
  readonly description: string;
  /** A text unless given. */
  readonly schema?: TSchema;
  readonly required?: boolean;
}

/** One HTTP route, from which the server, its clients and the OpenAPI document come. */
export interface Route<By extends string = Access | OwnAccess> {
  /** `operationId` of the OpenAPI document. */
  readonly operation: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: By;
  /** Descriptions of the parameters in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
  /** Schema of the JSON body. */
  readonly body?: TSchema;
  /** The body may have this many bytes. */
  readonly bytes?: number;
  /** Media type and schema of a body that is a form. */
  readonly form?: { readonly type: string; readonly schema: TSchema };
  /** The body is a file. */
  readonly upload?: true;
  /** Schema of the JSON reply. Without it and without `stream`, the reply has no body. */
  readonly reply?: TSchema;
  /** Media type and description of a reply that is not JSON. */
  readonly stream?: { readonly type: string; readonly description: string };
  /** Description of the reply. */
  readonly done?: string;
  /** 200 with a reply and 204 without one, unless given. 307: the handler redirects. */
  readonly status?: 200 | 201 | 202 | 307;
  /** Refusals beside 401 and 403, which every route has that needs the credential of a device. */
  readonly refuses?: readonly (HttpErrorCode | InteractErrorCode)[];
  /** Replies with another status and schema. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly reply: TSchema }>>;
}

/** By `METHOD /path/{parameter}`. */
export type RouteTable<By extends string = Access | OwnAccess> = Readonly<Record<string, Route<By>>>;

export const defineRoutes = <const Table extends RouteTable>(table: Table): Table => table;

export type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

export type BodyOf<Spec> = Spec extends { readonly body: infer Body extends TSchema }
  ? Frozen<Static<Body>>
  : never;
export type ReplyOf<Spec> = Spec extends { readonly reply: infer Reply extends TSchema }
  ? Frozen<Static<Reply>>
  : undefined;

/** Names of the parameters in a path. */
export type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

export type QueryOf<Spec> = Spec extends { readonly query: infer Query } ? keyof Query & string : never;

/** An object that the reference describes only as an object. */
export const shape = <Value extends object>(more: { readonly description?: string } = {}) =>
  Type.Unsafe<Value>({ type: 'object', ...more });

/** A schema of the reference, by its name alone. */
export const reference = (name: string) => Type.Unsafe<object>({ $ref: `#/components/schemas/${name}` });

/** A schema of the reference, under its name there. */
export const named = <Schema extends TSchema>(name: string, _: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: `#/components/schemas/${name}` });

/** An object with one list. */
export const listOf = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Unsafe<Readonly<Record<Name, readonly Static<Item>[]>>>(Type.Object({ [name]: Type.Array(item) }));

export const wholeNumber = Type.Integer({ minimum: 1 });
