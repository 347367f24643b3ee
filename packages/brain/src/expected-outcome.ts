import { isObject } from '@drawbridge/protocol/manifest';
import {
  OUTCOME_KINDS,
  type OutcomeKind,
  type SemanticNode,
  type TreeDiff,
} from '@drawbridge/protocol/semantic';

/** In the form that page code reads (INT-247), so that a client can check it too. */
export interface ExpectedOutcome {
  readonly type: OutcomeKind;
  readonly element?: { readonly id?: string; readonly name?: string };
  readonly to?: string;
}

/** Observed difference of a page before and after an action. */
export interface Change {
  readonly url: { readonly from: string | undefined; readonly to: string };
  readonly before: readonly SemanticNode[];
  readonly after: readonly SemanticNode[];
  readonly diff: TreeDiff;
  readonly seen: boolean;
  readonly actedId: string | undefined;
}

/** Undefined when the tree does not tell. */
export function isMet(expected: ExpectedOutcome, change: Change): boolean | undefined {
  const { element, to } = expected;
  const named = (node: SemanticNode) =>
    element?.id === undefined ? fits(node.n, element?.name) : node.i === element.id;
  switch (expected.type) {
    case 'navigation':
      return change.url.from !== change.url.to && (to === undefined || change.url.to.includes(to));
    case 'element_appears':
      return change.diff.added.some(({ node }) => named(node)) || renamed(change, named);
    case 'element_disappears':
      return change.before.some(named) && !change.after.some(named);
    case 'value_changes':
      return fieldChanged('v', change, expected, named);
    case 'state_changes':
      return fieldChanged('s', change, expected, named);
    case 'any_change':
      return change.seen;
    case 'no_change':
      return !change.seen;
    case 'download_starts':
      return undefined;
  }
}

/** A toast or counter may keep its element and change its text. */
function renamed(change: Change, named: (node: SemanticNode) => boolean): boolean {
  const renamedIds = new Set(change.diff.changed.filter(({ set }) => set.n !== undefined).map(({ i }) => i));
  return change.after.some((node) => renamedIds.has(node.i) && named(node));
}

function fieldChanged(
  field: 'v' | 's',
  { diff, after, actedId }: Change,
  { element, to }: ExpectedOutcome,
  named: (node: SemanticNode) => boolean,
): boolean {
  const about = (node: SemanticNode) => (element === undefined ? node.i === actedId : named(node));
  return diff.changed.some(({ i, set, unset }) => {
    const node = after.find((one) => one.i === i);
    if (node === undefined || !about(node)) return false;
    if (to !== undefined && to !== '') return set[field] === to;
    return set[field] !== undefined || unset?.includes(field) === true;
  });
}

const fits = (name: string, wanted: string | undefined): boolean =>
  wanted === undefined || wanted === '' || name.toLowerCase().includes(wanted.toLowerCase());

/**
 * The client's form, whose page code matches names exactly: an existing element by id, an expected one by
 * contained words. Undefined where it would be ambiguous.
 */
export function outcomeForClient(
  expected: ExpectedOutcome,
  nodes: readonly SemanticNode[],
): Record<string, unknown> | undefined {
  const name = expected.element?.name;
  if (name === undefined) return { ...expected };
  const [only, ...others] = nodes.filter((node) => fits(node.n, name));
  if (expected.type === 'element_appears') return { ...expected, element: { text: name } };
  return only === undefined || others.length > 0 ? undefined : { ...expected, element: { id: only.i } };
}

/** Undefined for anything malformed: a model or an older memory may contain anything. */
export function parseOutcome(value: unknown): ExpectedOutcome | undefined {
  if (!isObject(value)) return undefined;
  const type = OUTCOME_KINDS.find((kind) => kind === value['type']);
  if (type === undefined) return undefined;
  const { name, id, to } = { ...value, ...(isObject(value['element']) ? value['element'] : {}) };
  const element = {
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof name === 'string' && name !== '' && { name }),
  };
  return {
    type,
    ...(Object.keys(element).length > 0 && { element }),
    ...(typeof to === 'string' && to !== '' && { to }),
  };
}
