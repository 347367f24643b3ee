import { BridgeError } from '@drawbridge/protocol';
import type { RuntimeView } from './bridge.ts';
import { type ImportFacts, siteMapOf } from './site-map.ts';

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
