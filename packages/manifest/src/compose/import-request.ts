import type { Import, Manifest } from '@drawbridge/protocol/manifest';
import { addressOf } from './address.ts';
import type { ComposeLimits } from './limits.ts';
import { type ImportLink, lesserTrust, type Trust, type TrustPolicy } from './origin.ts';
import type { ComposeProblem, ProblemCode } from './problem.ts';

/** A valid map with its imports, in declaration order. */
export interface MapNode {
  readonly map: Manifest;
  readonly address: string;
  readonly trust: Trust;
  /** The imports from the root map to this one. */
  readonly chain: readonly ImportLink[];
  readonly imports: readonly MapNode[];
}

/** A node whose imports are still being read. */
export interface GrowingNode extends MapNode {
  readonly imports: GrowingNode[];
}

export interface ImportRequest {
  readonly parent: GrowingNode;
  readonly source: Import;
  readonly link: ImportLink;
}

export interface AdmissionRules {
  readonly rootAddress: string;
  readonly trustPolicy: TrustPolicy;
  readonly limits: ComposeLimits;
}

export function requestsOf(parent: GrowingNode): ImportRequest[] {
  const enabled = (parent.map.imports ?? []).filter((source) => source.enabled !== false);
  return enabled.map((source) => ({ parent, source, link: linkOf(source, parent) }));
}

/** The reason to refuse an import before it is read. */
export function refusalOf(
  request: ImportRequest,
  { rootAddress, trustPolicy, limits }: AdmissionRules,
  roomForMaps: number,
): ComposeProblem | undefined {
  const { parent, link } = request;
  if (parent.map.composition?.namespace_required === true && link.namespace === undefined) {
    return problemOf(request, 'namespace_required', 'has no namespace, and its map requires one');
  }
  const above = [rootAddress, ...parent.chain.map(({ address }) => address)];
  if (above.includes(link.address)) {
    return problemOf(request, 'import_cycle', 'leads back to a map that imports it');
  }
  if (parent.chain.length >= limits.maxDepth) {
    return problemOf(request, 'import_too_deep', `lies deeper than ${limits.maxDepth} imports`);
  }
  if (!trustPolicy(link)) {
    return problemOf(request, 'trust_refused', `is of trust ${link.trust}, which is not allowed here`);
  }
  return roomForMaps > 0
    ? undefined
    : problemOf(request, 'too_many_imports', `is beyond the limit of ${limits.maxImports} imports`);
}

export function problemOf(
  { parent, link }: ImportRequest,
  code: ProblemCode,
  what: string,
  details?: ComposeProblem['details'],
): ComposeProblem {
  return {
    code,
    imports: [...parent.chain.map(({ id }) => id), link.id],
    message: `The import ${link.id} ${what}. It adds nothing.`,
    ...(details === undefined ? {} : { details }),
  };
}

function linkOf(source: Import, parent: MapNode): ImportLink {
  const { id, kind, uri, namespace, provenance } = source;
  return {
    id,
    kind,
    uri,
    address: addressOf(source, parent.address),
    ...(namespace === undefined ? {} : { namespace }),
    trust: lesserTrust(source.trust ?? 'unknown', parent.trust),
    ...(provenance === undefined ? {} : { provenance }),
  };
}
