import type { Import, Manifest } from '@drawbridge/protocol/manifest';
import { type ValidateOptions, validate } from '../validate/validate.ts';
import { addressOf } from './address.ts';
import type { ComposeLimits } from './limits.ts';
import { type ImportLink, lesserTrust, type Trust, type TrustPolicy } from './origin.ts';
import { type ComposeProblem, LoadRefusal, type ProblemCode } from './problem.ts';

/** Reads the text of an import. `from` is the address of the map that asks for it. */
export type LoadImport = (source: Import, from: string) => Promise<string>;

/** A valid map with the maps that it imports, in the order in which it names them. */
export interface MapNode {
  readonly map: Manifest;
  readonly address: string;
  readonly trust: Trust;
  readonly chain: readonly ImportLink[];
  readonly imports: readonly MapNode[];
}

export interface TreeOptions {
  readonly load: LoadImport;
  readonly trustPolicy: TrustPolicy;
  readonly limits: ComposeLimits;
  readonly validation: ValidateOptions;
}

export interface ImportTree {
  readonly root: MapNode;
  readonly problems: readonly ComposeProblem[];
}

interface GrowingNode extends MapNode {
  readonly imports: GrowingNode[];
}

interface Request {
  readonly parent: GrowingNode;
  readonly source: Import;
  readonly link: ImportLink;
}

type Loaded = { readonly text: string } | { readonly error: unknown };

/**
 * Reads imports level by level: all maps of a level at once, and then in the order the maps name them. Only
 * that order decides who is within a limit, so that it never matters which source answers first.
 */
export async function growTree(
  root: Omit<MapNode, 'imports' | 'chain'>,
  options: TreeOptions,
): Promise<ImportTree> {
  const problems: ComposeProblem[] = [];
  const tree: GrowingNode = { ...root, chain: [], imports: [] };
  let room = { maps: options.limits.maxImports, chars: options.limits.maxTotalChars };
  let level: readonly GrowingNode[] = [tree];
  while (level.length > 0) {
    const wanted = level.flatMap(requestsOf);
    const admitted: Request[] = [];
    for (const request of wanted) {
      const problem = refusalOf(request, options, { maps: room.maps, rootAddress: root.address });
      if (problem !== undefined) problems.push(problem);
      else {
        admitted.push(request);
        room = { ...room, maps: room.maps - 1 };
      }
    }
    const loaded = await Promise.all(admitted.map((request) => read(request, options.load)));
    const next: GrowingNode[] = [];
    for (const [index, request] of admitted.entries()) {
      const outcome = accept(request, loaded[index] ?? { error: undefined }, options, room.chars);
      if ('code' in outcome) problems.push(outcome);
      else {
        room = { ...room, chars: room.chars - outcome.chars };
        request.parent.imports.push(outcome.node);
        next.push(outcome.node);
      }
    }
    level = next;
  }
  return { root: tree, problems };
}

function requestsOf(parent: GrowingNode): Request[] {
  const enabled = (parent.map.imports ?? []).filter((source) => source.enabled !== false);
  return enabled.map((source) => ({ parent, source, link: linkOf(source, parent) }));
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

/** What is wrong with an import before anything is read. */
function refusalOf(
  { parent, link }: Request,
  { trustPolicy, limits }: TreeOptions,
  { maps, rootAddress }: { readonly maps: number; readonly rootAddress: string },
): ComposeProblem | undefined {
  const refuse = (code: ProblemCode, message: string) => problemAt(parent, link, code, message);
  if (parent.map.composition?.namespace_required === true && link.namespace === undefined) {
    return refuse('namespace_required', 'has no namespace, and its map requires one');
  }
  const above = [rootAddress, ...parent.chain.map(({ address }) => address)];
  if (above.includes(link.address)) return refuse('import_cycle', 'imports a map that imports it');
  if (parent.chain.length >= limits.maxDepth) {
    return refuse('import_too_deep', `lies deeper than ${limits.maxDepth} imports`);
  }
  if (!trustPolicy(link))
    return refuse('trust_refused', `is of trust ${link.trust}, which is not allowed here`);
  if (maps <= 0) return refuse('too_many_imports', `is beyond the limit of ${limits.maxImports} imports`);
  return undefined;
}

async function read({ source, parent }: Request, load: LoadImport): Promise<Loaded> {
  try {
    return { text: await load(source, parent.address) };
  } catch (error) {
    return { error };
  }
}

function accept(
  { parent, link }: Request,
  loaded: Loaded,
  { limits, validation }: TreeOptions,
  roomForChars: number,
): ComposeProblem | { readonly node: GrowingNode; readonly chars: number } {
  const refuse = (code: ProblemCode, message: string, details?: ComposeProblem['details']) =>
    problemAt(parent, link, code, message, details);
  if (!('text' in loaded)) {
    if (!(loaded.error instanceof LoadRefusal)) return refuse('import_unreadable', 'could not be read');
    const { code, message } = loaded.error;
    return refuse('import_refused', 'was not read', [{ code, message }]);
  }
  const chars = loaded.text.length;
  if (chars > limits.maxMapChars) {
    return refuse('import_too_large', `is ${chars} characters long; the limit is ${limits.maxMapChars}`);
  }
  if (chars > roomForChars) {
    return refuse(
      'import_too_large',
      `is more than ${limits.maxTotalChars} characters together with the others`,
    );
  }
  const validated = validate(loaded.text, validation);
  if (!validated.ok) return refuse('import_invalid', 'is not a valid map', validated.errors);
  const { address, trust } = link;
  return { node: { map: validated.map, address, trust, chain: [...parent.chain, link], imports: [] }, chars };
}

function problemAt(
  parent: MapNode,
  link: ImportLink,
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
