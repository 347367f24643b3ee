import type { Import } from '@drawbridge/protocol/manifest';
import { type ValidateOptions, validate } from '../validate/validate.ts';
import {
  type AdmissionRules,
  type GrowingNode,
  type ImportRequest,
  type MapNode,
  problemOf,
  refusalOf,
  requestsOf,
} from './import-request.ts';
import { type ComposeProblem, LoadRefusal } from './problem.ts';

/** Reads the text of an import. `from` is the address of the importing map. */
export type LoadImport = (source: Import, from: string) => Promise<string>;

export interface TreeOptions extends Omit<AdmissionRules, 'rootAddress'> {
  readonly load: LoadImport;
  readonly validation: ValidateOptions;
}

export interface ImportTree {
  readonly root: MapNode;
  readonly problems: readonly ComposeProblem[];
}

type Loaded = { readonly text: string } | { readonly error: unknown };

/** The remaining limits, and the problems so far. */
interface Growth {
  maps: number;
  chars: number;
  readonly problems: ComposeProblem[];
}

/**
 * Reads imports level by level, all maps of a level at once. Limits apply in declaration order, so the result
 * does not depend on which source answers first.
 */
export async function growTree(
  root: Omit<MapNode, 'imports' | 'chain'>,
  options: TreeOptions,
): Promise<ImportTree> {
  const { maxImports, maxTotalChars } = options.limits;
  const growth: Growth = { maps: maxImports, chars: maxTotalChars, problems: [] };
  const tree: GrowingNode = { ...root, chain: [], imports: [] };
  let level: readonly GrowingNode[] = [tree];
  while (level.length > 0) {
    const wanted = level.flatMap(requestsOf);
    const requests = admitInOrder(wanted, { ...options, rootAddress: root.address }, growth);
    const loaded = await Promise.all(requests.map((request) => read(request, options.load)));
    level = acceptInOrder(requests, loaded, options, growth);
  }
  return { root: tree, problems: growth.problems };
}

function admitInOrder(
  requests: readonly ImportRequest[],
  rules: AdmissionRules,
  growth: Growth,
): ImportRequest[] {
  const admitted: ImportRequest[] = [];
  for (const request of requests) {
    const problem = refusalOf(request, rules, growth.maps);
    if (problem !== undefined) growth.problems.push(problem);
    else {
      growth.maps -= 1;
      admitted.push(request);
    }
  }
  return admitted;
}

async function read({ source, parent }: ImportRequest, load: LoadImport): Promise<Loaded> {
  try {
    return { text: await load(source, parent.address) };
  } catch (error) {
    return { error };
  }
}

function acceptInOrder(
  requests: readonly ImportRequest[],
  loaded: readonly Loaded[],
  options: TreeOptions,
  growth: Growth,
): GrowingNode[] {
  const nodes: GrowingNode[] = [];
  for (const [index, request] of requests.entries()) {
    const outcome = accept(request, loaded[index] ?? { error: undefined }, options, growth.chars);
    if ('code' in outcome) growth.problems.push(outcome);
    else {
      growth.chars -= outcome.chars;
      request.parent.imports.push(outcome.node);
      nodes.push(outcome.node);
    }
  }
  return nodes;
}

function accept(
  request: ImportRequest,
  loaded: Loaded,
  { limits: { maxMapChars, maxTotalChars }, validation }: TreeOptions,
  roomForChars: number,
): ComposeProblem | { readonly node: GrowingNode; readonly chars: number } {
  if (!('text' in loaded)) return unread(request, loaded.error);
  const chars = loaded.text.length;
  if (chars > maxMapChars) {
    const what = `is ${chars} characters long; the limit is ${maxMapChars}`;
    return problemOf(request, 'import_too_large', what);
  }
  if (chars > roomForChars) {
    const what = `brings the imports to more than ${maxTotalChars} characters`;
    return problemOf(request, 'import_too_large', what);
  }
  const validated = validate(loaded.text, validation);
  if (!validated.ok) return problemOf(request, 'import_invalid', 'is not a valid map', validated.errors);
  const { parent, link } = request;
  const chain = [...parent.chain, link];
  return {
    node: { map: validated.map, address: link.address, trust: link.trust, chain, imports: [] },
    chars,
  };
}

/** Only the message of a LoadRefusal is safe to show: another error may contain a path or a password. */
function unread(request: ImportRequest, error: unknown): ComposeProblem {
  if (!(error instanceof LoadRefusal)) return problemOf(request, 'import_unreadable', 'could not be read');
  const { code, message } = error;
  return problemOf(request, 'import_refused', 'was not read', [{ code, message }]);
}
