import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { Target } from './intent.ts';
import { likeness } from './likeness.ts';
import { isDisabled, type RuleContext } from './rule-context.ts';

export type Choice =
  | { readonly kind: 'one'; readonly node: SemanticNode }
  | { readonly kind: 'tie'; readonly nodes: readonly SemanticNode[] }
  | { readonly kind: 'none'; readonly disabled?: SemanticNode };

export interface Fit {
  /** Preferred roles, best first; others score slightly lower. */
  readonly prefer: readonly string[];
  /** Only these roles. */
  readonly only?: readonly string[];
  /** More than half of the name must be given: a press cannot be undone. */
  readonly isStrict?: boolean;
  /** Elements of the same name are equivalent: take the first. */
  readonly isAnyOfSameName?: boolean;
}

/** Minimum score of a match. */
const BAR = 0.6;
/** At least half of the name was given: "the cart" is not "Add Storm lantern to cart". */
const HALF_SAID = 0.78;
/** Scores closer than this are a tie, which the person decides. */
const TIE = 0.05;
const ROLE_BONUS = 0.1;

interface Scored {
  readonly node: SemanticNode;
  readonly score: number;
}

/** The best element by name and role, or the tied candidates. */
export function choose(ruleContext: RuleContext, target: Target, fit: Fit): Choice {
  const { pick, failed } = ruleContext.state.step;
  const named = scored(ruleContext.page.nodes, target, fit);
  const usable = named.filter(({ node }) => !failed.includes(node.i) && !isDisabled(node));
  const picked =
    usable.find(({ node }) => node.i === pick?.i) ?? usable.find(({ node }) => isAlike(node, pick));
  if (picked !== undefined) return { kind: 'one', node: picked.node };
  if (target.ordinal !== undefined) return nth(usable, target.ordinal);
  // Over all elements, so that a disabled or failed one is replaced only by its equal: "Save" not by "Save a
  // copy".
  const best = Math.max(...named.map(({ score }) => score));
  const top = usable.filter(({ score }) => score > best - TIE).map(({ node }) => node);
  if (top.length > 0) return decided(top, fit);
  const disabled = named.find(({ node }) => isDisabled(node))?.node;
  return { kind: 'none', ...(disabled !== undefined && { disabled }) };
}

function scored(nodes: readonly SemanticNode[], target: Target, { prefer, only, isStrict }: Fit): Scored[] {
  const bar = isStrict === true && target.ordinal === undefined ? HALF_SAID : BAR;
  const roles = target.roles ?? only;
  return nodes
    .filter((node) => roles === undefined || roles.includes(node.r))
    .map((node) => ({ node, like: likeness(target.name, node.n) }))
    .filter(({ like }) => like >= bar)
    .map(({ node, like }) => {
      const index = prefer.indexOf(node.r);
      return { node, score: like + (index < 0 ? 0 : ROLE_BONUS / (index + 1)) };
    });
}

function nth(found: readonly Scored[], ordinal: number): Choice {
  const node = found.at(ordinal > 0 ? ordinal - 1 : ordinal)?.node;
  return node === undefined ? { kind: 'none' } : { kind: 'one', node };
}

function decided(top: readonly SemanticNode[], { isAnyOfSameName }: Fit): Choice {
  const [first] = top;
  if (first === undefined) return { kind: 'none' };
  const isSame = isAnyOfSameName === true && top.every((node) => isAlike(node, first));
  return top.length === 1 || isSame ? { kind: 'one', node: first } : { kind: 'tie', nodes: top };
}

/** Ids change with a navigation; name and role do not. */
export const isAlike = (node: SemanticNode, other: Pick<SemanticNode, 'r' | 'n'> | undefined): boolean =>
  other !== undefined && node.r === other.r && node.n === other.n;
