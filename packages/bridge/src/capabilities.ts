import { BridgeError, type RuntimeReady } from '@drawbridge/protocol';
import { type SiteMap, siteMapOf } from './site-map.ts';

type Capabilities = ReadonlySet<string> | undefined;

const known = new WeakMap<RuntimeReady, Capabilities>();

/**
 * Declared capabilities (BRG-93); undefined when unknown, and the runtime itself refuses. Read once per
 * announcement, as every call needs them.
 */
export function capabilitiesOf(ready: RuntimeReady): Capabilities {
  if (!known.has(ready)) known.set(ready, readCapabilities(ready));
  return known.get(ready);
}

function readCapabilities(ready: RuntimeReady): Capabilities {
  if (ready.capabilities !== undefined) return new Set(ready.capabilities);
  const { primitives } = siteMapOf(ready);
  if (primitives === undefined) return undefined;
  const supported = [...primitives].filter(([, facts]) => facts.supported);
  return new Set(supported.flatMap(([name, facts]) => [name, ...facts.capabilities]));
}

interface Runtime {
  readonly runtime_id: string;
  readonly ready: RuntimeReady;
}

export function checkCapabilities(name: string, { runtime_id, ready }: Runtime): void {
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
