import type { RuntimeReady } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';

/** The parts of a runtime's map that the bridge reads, without validation (BRG-14). */
export interface SiteMap {
  /** Absent when the map lists none: only the runtime knows its tools. */
  readonly tools: ReadonlyMap<string, ToolFacts> | undefined;
  readonly imports: readonly ImportFacts[];
  readonly primitives: ReadonlyMap<string, PrimitiveFacts> | undefined;
}

export interface ToolFacts {
  readonly requires: readonly string[];
  /** Trust of the tool's source, if the map names it. */
  readonly trust: string | undefined;
}

export interface ImportFacts {
  readonly namespace: string;
  readonly trust: string;
  readonly enabled: boolean;
}

export interface PrimitiveFacts {
  readonly supported: boolean;
  readonly capabilities: readonly string[];
}

const known = new WeakMap<RuntimeReady, SiteMap>();

/** Read once per announcement: a map may have hundreds of tools, and every call needs them. */
export function siteMapOf(ready: RuntimeReady): SiteMap {
  const map = known.get(ready) ?? readSiteMap(ready.manifest);
  known.set(ready, map);
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
