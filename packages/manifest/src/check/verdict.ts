import type { PageProbe } from '../host.ts';
import { isThere, lookFor, type PageLocation, type Sighting } from '../state/sighting.ts';
import type { Claim } from './assertion.ts';

/** Outcome of one claim. The evidence contains counts and selectors, never the page's text. */
export interface Verdict {
  readonly status: 'pass' | 'fail' | 'skipped' | 'error';
  readonly reason: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}

export async function judge(claim: Claim, place: PageLocation, probe: PageProbe): Promise<Verdict> {
  switch (claim.kind) {
    case 'unknown':
      return verdict('error', claim.subject, 'is not in the map');
    case 'unseen':
      return verdict('skipped', claim.subject, 'has no target to look for');
    case 'state': {
      const current = place.states.has(claim.state);
      return verdict(current ? 'pass' : 'fail', claim.subject, current ? 'is current' : 'is not current');
    }
    case 'target': {
      const { state } = claim.target;
      if (state !== undefined && !place.states.has(state)) {
        return verdict('skipped', claim.subject, `belongs to the state ${state}, which is not current`);
      }
      return judgeSighting(claim.subject, claim.visible, await lookFor(claim.target, place.url, probe));
    }
  }
}

function judgeSighting(subject: string, visible: boolean | undefined, sighting: Sighting): Verdict {
  if (sighting.kind === 'elsewhere') return verdict('skipped', subject, 'belongs to another url');
  if (sighting.kind === 'blank') return verdict('error', subject, 'describes nothing to look for');
  if (sighting.kind === 'failed') return verdict('error', subject, 'could not be looked for');
  const there = isThere(sighting);
  const seen = sighting.kind === 'page' || (there && sighting.found.visible);
  const holds = visible === undefined ? there : seen === visible;
  const is = seen ? 'is visible' : there ? 'is there but not visible' : 'is not on the page';
  return verdict(holds ? 'pass' : 'fail', subject, is, seenOf(sighting));
}

function seenOf(sighting: Sighting): Record<string, unknown> {
  if (sighting.kind !== 'found' && sighting.kind !== 'absent') return {};
  const { count, visible, selector, usedFallback } = sighting.found;
  return {
    count,
    visible,
    ...(selector === undefined ? {} : { selector }),
    ...(usedFallback === undefined ? {} : { used_fallback: usedFallback }),
  };
}

function verdict(
  status: Verdict['status'],
  subject: string,
  predicate: string,
  seen: Record<string, unknown> = {},
): Verdict {
  return {
    status,
    reason: `${subject} ${predicate}`,
    evidence: { subject, status, reason: predicate, ...seen },
  };
}
