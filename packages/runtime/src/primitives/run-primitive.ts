import { PageLeft, type RunPrimitive } from '@drawbridge/manifest';
import { BridgeError } from '@drawbridge/protocol';
import {
  type HostKind,
  type KnownPrimitive,
  misfitOf,
  type PrimitiveName,
  type PrimitiveSpec,
  primitiveByName,
} from '@drawbridge/protocol/primitives';
import { requireOrigin } from '../address/local-network.ts';
import { DocumentLeft } from '../host.ts';
import type { HandlerContext } from './handler-context.ts';
import { HANDLERS } from './handlers.ts';
import { withLocatedId } from './located-press.ts';
import { type NavigationWatch, watchNavigation } from './navigation-watch.ts';
import type { PrimitiveContext } from './primitive-context.ts';

type Args = Readonly<Record<string, unknown>>;

/** Checks before anything runs: the host supports it, and the arguments fit (BRG-77, BRG-82, BRG-97). */
export function checkPrimitive(primitive: PrimitiveSpec, args: unknown, host: HostKind): Args {
  const { name, hosts, input_schema } = primitive;
  if (!hosts.includes(host)) {
    const message = `The ${host} host cannot do ${name}. These hosts can: ${hosts.join(', ')}.`;
    throw new BridgeError('capability_unavailable', message, { evidence: { capability: name, host } });
  }
  const misfit = misfitOf(input_schema, args);
  if (misfit === undefined) return requirePlace(name, input_schema, trustArgs(args));
  const { path, expected, came } = misfit;
  const subject = path === '' ? 'its arguments' : path;
  const message = `${name}: ${subject} must be ${expected}; got ${came}. Correct it and call again.`;
  throw new BridgeError('invalid_input', message, { evidence: { path, expected, came } });
}

/** A press needs an element or a point. */
function requirePlace(name: string, { properties }: PrimitiveSpec['input_schema'], args: Args): Args {
  const { id, at, path, locator } = args;
  if (!('at' in properties) || (id ?? at ?? path ?? locator) !== undefined) return args;
  const message = `${name}: id must be the id of an element; got nothing. Without one, give a point in \`at\`.`;
  throw new BridgeError('invalid_input', message, { evidence: { path: 'id' } });
}

export async function runPrimitive(name: string, args: unknown, context: PrimitiveContext): Promise<unknown> {
  const primitive = known(name);
  return runChecked(primitive, checkPrimitive(primitive, args, context.host.kind), context);
}

/** For validated arguments. When the document leaves, resolves after the next one is ready. */
export async function runChecked(
  primitive: KnownPrimitive,
  args: Args,
  context: PrimitiveContext,
): Promise<unknown> {
  const navigation = watchNavigation(context.host, context.clock, context.signal);
  try {
    return await run(primitive, args, context, navigation);
  } catch (error) {
    throw error instanceof DocumentLeft ? tooLate(primitive.name) : error;
  } finally {
    navigation.close();
  }
}

/** For the workflow engine: returns a `PageLeft` when the document left. The next one is mostly ready by then. */
export function asRunPrimitive(context: PrimitiveContext): RunPrimitive {
  return async (name, args, signal) => {
    const navigation = watchNavigation(context.host, context.clock, signal);
    try {
      const primitive = known(name);
      const input = checkPrimitive(primitive, args, context.host.kind);
      const output = await run(primitive, input, { ...context, signal }, navigation);
      return navigation.hasLeft() ? new PageLeft(output) : output;
    } catch (error) {
      if (error instanceof DocumentLeft) return new PageLeft();
      throw error;
    } finally {
      navigation.close();
    }
  };
}

function known(name: string): KnownPrimitive {
  const primitive = primitiveByName(name);
  if (primitive !== undefined) return primitive;
  throw new BridgeError('unknown_action', `There is no primitive ${name}. The dictionary lists them all.`, {
    evidence: { name },
  });
}

async function run(
  primitive: KnownPrimitive,
  given: Args,
  context: PrimitiveContext,
  navigation: NavigationWatch,
): Promise<unknown> {
  const { host, origin } = context;
  if (origin !== undefined) requireOrigin(primitive.name, origin, host.surface().url);
  const handlerContext = handlerContextOf(context, navigation);
  const input = given['locator'] === undefined ? given : await withLocatedId(primitive.name, given, context);
  try {
    return await trustHandler(primitive.name)(input, handlerContext);
  } catch (error) {
    if (!(error instanceof DocumentLeft) || primitive.effect !== 'read') throw error;
    // Reading changed nothing, so it is retried in the next document.
    if ((await navigation.arrival()) === undefined) throw error;
    if (origin !== undefined) requireOrigin(primitive.name, origin, host.surface().url);
    return trustHandler(primitive.name)(input, handlerContext);
  }
}

function handlerContextOf(context: PrimitiveContext, navigation: NavigationWatch): HandlerContext {
  const { host, signal, origin } = context;
  /** The caller types the answer, and tests validate it against its schema. */
  const trustPage = async <Answer>(name: string, ...args: readonly unknown[]): Promise<Answer> =>
    (await host.callPage(name, args, signal)) as Answer;
  return {
    ...context,
    navigation,
    requestMark: host.requests?.mark() ?? 0,
    page: trustPage,
    inPage: (name, args) => trustPage(name, args, origin === undefined ? {} : { origin }),
  };
}

/** Validated against the schema of this primitive. */
function trustHandler(name: PrimitiveName): (args: Args, handlerContext: HandlerContext) => Promise<unknown> {
  const handler: unknown = HANDLERS[name];
  return handler as (args: Args, handlerContext: HandlerContext) => Promise<unknown>;
}

function trustArgs(args: unknown): Args {
  return args as Args;
}

const tooLate = (name: string): BridgeError =>
  new BridgeError(
    'state_mismatch',
    `The document left while ${name} ran. Look at the new one before repeating it.`,
    {
      evidence: { reason: 'document_left' },
    },
  );
