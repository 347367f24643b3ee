import { BridgeError, type RuntimeReady } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { RuntimeView } from './bridge.ts';

/** The parts of a runtime's map that the bridge reads, without validation (BRG-14). */
interface SiteMap {
  /** Absent when the map lists none: only the runtime knows its tools. */
  readonly tools: ReadonlyMap<string, ToolFacts> | undefined;
  readonly imports: readonly ImportFacts[];
  readonly primitives: ReadonlyMap<string, PrimitiveFacts> | undefined;
}

interface ToolFacts {
  readonly requires: readonly string[];
  /** Trust of the tool's source, if the map names it. */
  readonly trust: string | undefined;
}

interface ImportFacts {
  readonly namespace: string;
  readonly trust: string;
  readonly enabled: boolean;
}

interface PrimitiveFacts {
  readonly supported: boolean;
  readonly capabilities: readonly string[];
}

const knownMaps = new WeakMap<RuntimeReady, SiteMap>();

/** Read once per announcement: a map may have hundreds of tools, and every call needs them. */
function siteMapOf(ready: RuntimeReady): SiteMap {
  const map = knownMaps.get(ready) ?? readSiteMap(ready.manifest);
  knownMaps.set(ready, map);
  return map;
}

function readSiteMap(manifest: Readonly<Record<string, unknown>> = {}): SiteMap {
  const dictionary = manifest['primitive_dictionary'];
  const primitives = isObject(dictionary) ? dictionary['primitives'] : dictionary;
  return {
    tools: byName(manifest['tools'], readTool),
    imports: objectsIn(manifest['imports']).flatMap(readImport),
    primitives: byName(primitives, readPrimitive),
  };
}

function readTool(tool: Readonly<Record<string, unknown>>): ToolFacts {
  const { requires, x_actions: own } = tool;
  const source = isObject(own) ? own['source'] : undefined;
  const trust = isObject(source) ? source['trust'] : undefined;
  return { requires: stringsIn(requires), trust: typeof trust === 'string' ? trust : undefined };
}

/** An import without a namespace uses its id (MAN-113); one without trust has none. */
function readImport({
  id,
  namespace = id,
  trust,
  enabled,
}: Readonly<Record<string, unknown>>): ImportFacts[] {
  if (typeof namespace !== 'string') return [];
  return [{ namespace, trust: typeof trust === 'string' ? trust : 'unknown', enabled: enabled !== false }];
}

function readPrimitive({ support, capabilities }: Readonly<Record<string, unknown>>): PrimitiveFacts {
  return { supported: support !== 'unsupported', capabilities: stringsIn(capabilities) };
}

function byName<Facts>(
  list: unknown,
  read: (part: Readonly<Record<string, unknown>>) => Facts,
): ReadonlyMap<string, Facts> | undefined {
  if (!Array.isArray(list)) return undefined;
  return new Map(
    objectsIn(list).flatMap((part) => {
      const { name } = part;
      return typeof name === 'string' ? [[name, read(part)] as const] : [];
    }),
  );
}

const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

type Capabilities = ReadonlySet<string> | undefined;

const knownCapabilities = new WeakMap<RuntimeReady, Capabilities>();

/**
 * Declared capabilities (BRG-93); undefined when unknown, and the runtime itself refuses. Read once per
 * announcement, as every call needs them.
 */
export function capabilitiesOf(ready: RuntimeReady): Capabilities {
  if (!knownCapabilities.has(ready)) knownCapabilities.set(ready, readCapabilities(ready));
  return knownCapabilities.get(ready);
}

function readCapabilities(ready: RuntimeReady): Capabilities {
  if (ready.capabilities !== undefined) return new Set(ready.capabilities);
  const { primitives } = siteMapOf(ready);
  if (primitives === undefined) return undefined;
  const supported = [...primitives].filter(([, facts]) => facts.supported);
  return new Set(supported.flatMap(([name, facts]) => [name, ...facts.capabilities]));
}

export function checkCapabilities(name: string, { runtime_id, ready }: Announced): void {
  const offered = capabilitiesOf(ready);
  const missing = offered === undefined ? undefined : missingOf(name, siteMapOf(ready), offered);
  if (missing === undefined) return;
  throw new BridgeError(
    'capability_unavailable',
    `Runtime ${runtime_id} cannot run ${name}: its host does not offer ${missing}. Use another runtime, or another way.`,
    { evidence: { name, capability: missing, runtime_id, url: ready.url } },
  );
}

function missingOf(name: string, map: SiteMap, offered: ReadonlySet<string>): string | undefined {
  const tool = map.tools?.get(name);
  if (tool !== undefined) return tool.requires.find((capability) => !offered.has(capability));
  const primitive = map.primitives?.get(name);
  if (primitive === undefined || offered.has(name)) return undefined;
  return primitive.supported ? primitive.capabilities.find((capability) => !offered.has(capability)) : name;
}

export type ToolVerdict = 'yes' | 'no' | 'unknown tool';

/** Whether a tool of that name may be sent to a runtime (BRG-65). */
export type ToolPolicy = (name: string, runtime: Announced) => ToolVerdict;

type Announced = Pick<RuntimeView, 'runtime_id' | 'ready'>;

/** Prefixes of primitive names, which no map has to list. */
const PRIMITIVE_FAMILIES = new Set([
  'a11y',
  'actions',
  'browser',
  'clipboard',
  'cursor',
  'debug',
  'dom',
  'element',
  'keyboard',
  'locator',
  'marker',
  'overlay',
  'page',
  'pointer',
  'runtime',
  'state',
  'storage',
  'task',
  'text',
  'transfer',
  'viewport',
]);

const familyOf = (name: string): string => name.slice(0, name.indexOf('.'));

export interface ToolPolicyOptions {
  readonly isPrimitive?: (name: string) => boolean;
  /** By a map's trust value: private, local, shared, website, public, unknown. */
  readonly allowTrust?: (trust: string) => boolean;
}

/**
 * Sends a namespaced tool only if the map lists it from a trusted source. Cases unknown to the bridge (a
 * plain name, a runtime without a list of tools) are left to the runtime.
 */
export function createToolPolicy({
  isPrimitive = (name) => PRIMITIVE_FAMILIES.has(familyOf(name)),
  allowTrust = (trust) => trust !== 'unknown',
}: ToolPolicyOptions = {}): ToolPolicy {
  return (name, { ready }) => {
    const { tools, imports, primitives } = siteMapOf(ready);
    if (tools === undefined || !name.includes('.')) return 'yes';
    const tool = tools.get(name);
    const source = imports.find(({ namespace }) => name.startsWith(`${namespace}.`));
    const allowed = isAllowed(source, tool?.trust, allowTrust);
    if (tool !== undefined) return allowed ? 'yes' : 'no';
    if (primitives?.has(name) || ready.capabilities?.includes(name) || isPrimitive(name)) return 'yes';
    return allowed ? 'unknown tool' : 'no';
  };
}

function isAllowed(
  source: ImportFacts | undefined,
  trust: string | undefined,
  allowTrust: (trust: string) => boolean,
): boolean {
  if (source?.enabled === false) return false;
  const stated = trust ?? source?.trust;
  return stated === undefined || allowTrust(stated);
}

export function checkTool(policy: ToolPolicy, name: string, runtime: Announced): void {
  const verdict = policy(name, runtime);
  if (verdict === 'yes') return;
  const { runtime_id } = runtime;
  const evidence = { name, runtime_id, url: runtime.ready.url };
  if (verdict === 'no') {
    throw new BridgeError(
      'permission_denied',
      `${name} comes to runtime ${runtime_id} from a source that is not allowed. Ask the person to allow that source, or use another tool.`,
      { evidence },
    );
  }
  throw new BridgeError(
    'unknown_action',
    `The map of runtime ${runtime_id} has no tool ${name}. Name a runtime whose map has it, or a tool that this one has.`,
    { evidence },
  );
}
