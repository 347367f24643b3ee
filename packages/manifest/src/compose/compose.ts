import type { Manifest } from '@drawbridge/protocol/manifest';
import type { ValidateOptions } from '../validate/validate.ts';
import { localAddress, ROOT_ADDRESS } from './address.ts';
import { checkReferences } from './composed-references.ts';
import { growTree, type LoadImport } from './import-tree.ts';
import { type ComposeLimits, DEFAULT_COMPOSE_LIMITS } from './limits.ts';
import { mergeNode, type PlacedParts } from './merge.ts';
import { DEFAULT_TRUST_POLICY, isWithin, type Origin, type Trust, type TrustPolicy } from './origin.ts';
import { bySection, nameOf, type Parts, partsOf, type Section } from './parts.ts';
import type { ComposeProblem, Conflict } from './problem.ts';

export interface ComposeOptions {
  readonly load: LoadImport;
  readonly trustPolicy?: TrustPolicy;
  readonly limits?: Partial<ComposeLimits>;
  readonly validation?: ValidateOptions;
  /** The root map's address; `local:` and its path by default. */
  readonly address?: string;
  /** The root map's trust, which no import exceeds. */
  readonly trust?: Trust;
}

/** A map merged with its imports, and the origin of each part. */
export interface Composed extends Parts {
  /** False when a conflict is an error; nothing is exposed then. */
  readonly ok: boolean;
  readonly surface?: Manifest['surface'];
  readonly origins: Readonly<Record<Section, ReadonlyMap<string, Origin>>>;
  readonly conflicts: readonly Conflict[];
  /** Parts that were left out or are missing. The rest of the map works. */
  readonly problems: readonly ComposeProblem[];
}

/**
 * Merges a valid map with its imports. An import that is unreadable or invalid adds nothing and is reported.
 */
export async function compose(root: Manifest, options: ComposeOptions): Promise<Composed> {
  const limits = { ...DEFAULT_COMPOSE_LIMITS, ...options.limits };
  const tree = await growTree(
    {
      map: root,
      address: options.address ?? localAddress(ROOT_ADDRESS),
      trust: options.trust ?? 'private',
    },
    {
      load: options.load,
      trustPolicy: options.trustPolicy ?? DEFAULT_TRUST_POLICY,
      limits,
      validation: options.validation ?? {},
    },
  );
  const merged = mergeNode(tree.root, limits.maxTools);
  const checked = checkReferences(merged.parts ?? NOTHING);
  return {
    ok: merged.parts !== undefined,
    ...(root.surface === undefined ? {} : { surface: root.surface }),
    ...bare(checked.parts),
    origins: originsOf(checked.parts),
    conflicts: merged.conflicts,
    problems: [...tree.problems, ...merged.problems, ...checked.problems],
  };
}

/** The composed parts as one map without imports. */
export function asManifest(composed: Composed): Manifest {
  const { surface, tools, signals, states, transitions, context, attachments, checks, state_projections } =
    composed;
  return {
    protocol: 'actions.json',
    version: 1,
    ...(surface === undefined ? {} : { surface }),
    tools: [...tools],
    signals: [...signals],
    states: [...states],
    transitions: [...transitions],
    context: [...context],
    attachments: [...attachments],
    checks: [...checks],
    state_projections: [...state_projections],
  };
}

/** A check covers only the tools of its map and of that map's imports. */
export function checkSpeaksFor({ origins }: Composed): (checkId: string, tool: string) => boolean {
  return (checkId, tool) => {
    const check = origins.checks.get(checkId);
    const called = origins.tools.get(tool);
    return check !== undefined && called !== undefined && isWithin(called.chain, check.chain);
  };
}

const NOTHING: PlacedParts = partsOf(
  { protocol: 'actions.json', version: 1, tools: [] },
  { origin: { chain: [], trust: 'unknown', address: '', name: '' } },
);

function bare(parts: PlacedParts): Parts {
  return {
    tools: parts.tools.map(({ part }) => part),
    signals: parts.signals.map(({ part }) => part),
    states: parts.states.map(({ part }) => part),
    transitions: parts.transitions.map(({ part }) => part),
    context: parts.context.map(({ part }) => part),
    attachments: parts.attachments.map(({ part }) => part),
    checks: parts.checks.map(({ part }) => part),
    state_projections: parts.state_projections.map(({ part }) => part),
  };
}

function originsOf(parts: PlacedParts): Composed['origins'] {
  const byName = (section: Section) =>
    new Map<string, Origin>(parts[section].map(({ part, origin }) => [nameOf(section, part), origin]));
  return bySection(byName);
}
