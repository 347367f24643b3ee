import {
  type CheckResult,
  currentStates,
  diagnose,
  lookFor,
  type PageProbe,
  runChecks,
  type Sighting,
} from '@drawbridge/manifest';
import type { Manifest, Target } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';
import { probeOf } from '../surface/page-probe.ts';
import { DRIFT_STATUSES, type DriftPart, type DriftReport, type DriftStatus, type Repair } from './drift.ts';
import { selectorsOf } from './likeness.ts';
import { type MapTarget, targetsOf } from './map-targets.ts';
import { projectionParts } from './projection-drift.ts';
import { repairContext, repairsFor } from './repairs.ts';

type Unrepaired = Omit<DriftPart, 'repairs'> & {
  /** The missing target, with words that describe it. */
  readonly target?: Target;
  readonly words?: string;
  /** The target of one element that was found. */
  readonly held?: Target;
};

/**
 * Looks on the live page for every part of a map: checks, states, targets, attachments and projections.
 * Suggests similar elements for missing ones; a person applies them.
 */
export async function driftReport(
  map: Manifest,
  host: SurfaceHost,
  now: () => number = Date.now,
): Promise<DriftReport> {
  const probe = probeOf(host);
  const { url } = host.surface();
  const { tools, states = [], signals = [], attachments = [], checks = [] } = map;
  const current = currentStates(
    await diagnose(
      states,
      states.map(({ name }) => name),
      probe,
    ),
  );
  const mapTargets = await Promise.all(
    targetsOf(map).map((mapTarget) => pathPart(mapTarget, url, current, probe)),
  );
  const results = await runChecks(checks, { tools, states, signals, attachments }, probe, now);
  const unrepaired: Unrepaired[] = [
    ...results.map(checkPart),
    ...mapTargets,
    ...(await projectionParts(map, host)).map(({ repairs: _, ...part }) => ({ ...part, words: part.part })),
  ];
  const parts = await withRepairs(unrepaired, host);
  const counts = countsOf(parts);
  return { url, ok: counts.missing + counts.failed === 0, counts, parts };
}

async function pathPart(
  mapTarget: MapTarget,
  url: string,
  current: ReadonlySet<string>,
  probe: PageProbe,
): Promise<Unrepaired> {
  const { pointer, part, target, words } = mapTarget;
  const sighting = await lookFor(target, url, probe);
  const { status, why } = statusOf(sighting, mapTarget, current);
  const found = sighting.kind === 'found' || sighting.kind === 'absent' ? sighting.found : undefined;
  const isGone = status === 'missing' || (status === 'unsure' && sighting.kind === 'absent');
  const selector = found?.selector ?? selectorsOf(target)[0];
  return {
    pointer,
    part,
    status,
    why,
    ...(selector !== undefined && { selector }),
    ...(found !== undefined && { count: found.count }),
    ...(isGone && { target, words }),
    ...(status === 'ok' && found !== undefined && { held: target }),
  };
}

function statusOf(
  sighting: Sighting,
  { target, single, sure }: MapTarget,
  current: ReadonlySet<string>,
): { readonly status: DriftStatus; readonly why: string } {
  switch (sighting.kind) {
    case 'elsewhere':
      return { status: 'elsewhere', why: 'Belongs to another address.' };
    case 'page':
      return { status: 'ok', why: 'The address matches.' };
    case 'blank':
      return { status: 'failed', why: 'Describes no element to look for.' };
    case 'failed': {
      const { error } = sighting;
      return {
        status: 'failed',
        why: error instanceof Error ? error.message : 'The search failed.',
      };
    }
    case 'found': {
      const { count, usedFallback } = sighting.found;
      if (usedFallback === true) return { status: 'fallback', why: 'Only a fallback selector matches.' };
      return single && count > 1
        ? { status: 'ambiguous', why: `${count} elements match; the first visible one is used.` }
        : { status: 'ok', why: 'Found.' };
    }
    case 'absent': {
      const asked = target.state;
      if (asked !== undefined && !current.has(asked))
        return { status: 'unsure', why: `Belongs to the state ${asked}, which is not current.` };
      return sure
        ? { status: 'missing', why: 'Nothing on the page matches.' }
        : { status: 'unsure', why: 'Nothing matches; the page may be in another state.' };
    }
  }
}

const CHECK_STATUS = { pass: 'ok', fail: 'missing', skipped: 'elsewhere', error: 'failed' } as const;

function checkPart({ check_id, status, error, evidence: _ }: CheckResult, index: number): Unrepaired {
  return {
    pointer: `/checks/${index}`,
    part: `check ${check_id}`,
    status: CHECK_STATUS[status],
    why: error?.message ?? (status === 'pass' ? 'Passed.' : 'Applies to another page or state.'),
  };
}

/** From this confidence on, an element counts as the one that the map lost. */
const SAME_ELEMENT = 0.7;

/** Scans the page only when something is missing. */
async function withRepairs(parts: readonly Unrepaired[], host: SurfaceHost): Promise<DriftPart[]> {
  const isAnyGone = parts.some(({ target }) => target !== undefined);
  const held = parts.flatMap((part) => part.held ?? []);
  const scene = isAnyGone ? await repairContext(host, held) : undefined;
  const suggested = await Promise.all(
    parts.map(async ({ target, words = '' }) =>
      target && scene ? await repairsFor(target, words, scene) : [],
    ),
  );
  return parts.map(({ target, words: _, held: __, ...part }) => {
    const repairs = target === undefined ? [] : bestFor(part.selector, parts, suggested);
    // A very similar element shows that the part was renamed, so it is reported as missing.
    const isThere = (repairs[0]?.confidence ?? 0) >= SAME_ELEMENT;
    return part.status === 'unsure' && isThere
      ? {
          ...part,
          repairs,
          status: 'missing',
          why: 'Nothing matches, but something very similar is on the page.',
        }
      : { ...part, repairs };
  });
}

/** Among parts that lost the same selector, takes the suggestions with the highest confidence. */
function bestFor(
  selector: string | undefined,
  parts: readonly Unrepaired[],
  suggested: readonly (readonly Repair[])[],
): readonly Repair[] {
  const alike = suggested.filter((_, mapTarget) => parts[mapTarget]?.selector === selector);
  const [best = []] = alike.toSorted(([one], [other]) => (other?.confidence ?? 0) - (one?.confidence ?? 0));
  return best;
}

function countsOf(parts: readonly DriftPart[]): Record<DriftStatus, number> {
  const counts = { missing: 0, failed: 0, ambiguous: 0, fallback: 0, unsure: 0, elsewhere: 0, ok: 0 };
  for (const status of DRIFT_STATUSES) counts[status] = parts.filter((part) => part.status === status).length;
  return counts;
}
