import type { Attachment, Check, Signal, State, Tool } from '@drawbridge/protocol/manifest';
import { Target } from '@drawbridge/protocol/manifest';
import { Check as fits } from 'typebox/schema';

export interface CheckedMap {
  readonly tools: readonly Tool[];
  readonly signals: readonly Signal[];
  readonly states: readonly State[];
  readonly attachments: readonly Attachment[];
}

/** One statement of an assertion. */
export type Claim =
  | { readonly kind: 'target'; readonly subject: string; readonly target: Target; readonly visible?: boolean }
  | { readonly kind: 'state'; readonly subject: string; readonly state: string }
  /** A tool without a target has nothing on the page to look for. */
  | { readonly kind: 'unseen'; readonly subject: string }
  | { readonly kind: 'unknown'; readonly subject: string };

type Assertion = NonNullable<Check['assertions']>[number];

/** The claims of an assertion, all of which must hold. */
export function claimsOf(assertion: Assertion, map: CheckedMap): Claim[] {
  const { target, tool, state, attachment, visible } = assertion;
  const seen = typeof visible === 'boolean' ? { visible } : {};
  const claims: Claim[] = [];
  if (target !== undefined) claims.push(targetClaim(target, map, seen));
  if (tool !== undefined) claims.push(partClaim(`tool ${tool}`, named(map.tools, tool), seen));
  if (attachment !== undefined) {
    const part = map.attachments.find(({ id }) => id === attachment);
    claims.push(partClaim(`attachment ${attachment}`, part, seen));
  }
  if (state !== undefined) claims.push(stateClaim(state, map));
  return claims;
}

/** Tools that a failed major check blocks. */
export function toolsNamedBy(check: Check, map: CheckedMap): readonly string[] {
  const names = (check.assertions ?? []).flatMap(({ tool, target }) => [tool, target]);
  return map.tools.map(({ name }) => name).filter((name) => names.includes(name));
}

function targetClaim(target: unknown, map: CheckedMap, seen: { visible?: boolean }): Claim {
  if (typeof target !== 'string') {
    return fits(Target, target)
      ? { kind: 'target', subject: 'target', target, ...seen }
      : { kind: 'unknown', subject: 'target' };
  }
  const part =
    named(map.tools, target) ?? named(map.signals, target) ?? map.attachments.find(({ id }) => id === target);
  return partClaim(`target of ${target}`, part, seen);
}

function partClaim(
  subject: string,
  part: { readonly target?: Target } | undefined,
  seen: { visible?: boolean },
): Claim {
  if (part === undefined) return { kind: 'unknown', subject };
  return part.target === undefined
    ? { kind: 'unseen', subject }
    : { kind: 'target', subject, target: part.target, ...seen };
}

function stateClaim(state: unknown, map: CheckedMap): Claim {
  const declared = named(map.states, state);
  const subject = `state ${state}`;
  return declared === undefined
    ? { kind: 'unknown', subject }
    : { kind: 'state', subject, state: declared.name };
}

function named<Part extends { readonly name: string }>(
  parts: readonly Part[],
  name: unknown,
): Part | undefined {
  return parts.find((part) => part.name === name);
}
