import { BridgeError, type RuntimeReady } from '@drawbridge/protocol';
import { type SiteMap, siteMapOf } from './site-map.ts';

/** What a runtime says it can do (BRG-93); undefined when it says nothing, and the runtime itself refuses. */
export function capabilitiesOf(ready: RuntimeReady): ReadonlySet<string> | undefined {
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
  const known = capabilitiesOf(ready);
  const missing = known === undefined ? undefined : missingOf(name, siteMapOf(ready), known);
  if (missing === undefined) return;
  throw new BridgeError(
    'capability_unavailable',
    `Runtime ${runtime_id} cannot run ${name}: its host does not offer ${missing}. Use another runtime, or another way.`,
    { evidence: { name, capability: missing, runtime_id, url: ready.url } },
  );
}

function missingOf(name: string, map: SiteMap, known: ReadonlySet<string>): string | undefined {
  const tool = map.tools?.get(name);
  if (tool !== undefined) return tool.requires.find((capability) => !known.has(capability));
  const primitive = map.primitives?.get(name);
  if (primitive === undefined || known.has(name)) return undefined;
  return primitive.supported ? primitive.capabilities.find((capability) => !known.has(capability)) : name;
}
