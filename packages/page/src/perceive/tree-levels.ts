import type { ViewNode } from '@drawbridge/protocol/semantic';
import { roleOf } from './role.ts';
import type { Sighting } from './viewport.ts';

const FEWEST_BRANCHES = 3;
const NATIVE = 'a[href], button, input, select, textarea, label, option';

/** Gives each branch of a tree its level: a declared one, or by how deep equal elements are nested and indented. */
export function withLevels(sightings: readonly Sighting[], nodes: readonly ViewNode[]): ViewNode[] {
  const levels = new Map<Element, number>();
  const kinds = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const { element, reason } = sighting;
    if (roleOf(element) === 'treeitem') levels.set(element, declaredLevel(element));
    else if (reason !== undefined && element.classList[0] !== undefined && !element.matches(NATIVE)) {
      const kind = `${element.localName}.${element.classList[0]}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), sighting]);
    }
  }
  for (const branches of kinds.values()) {
    const depths = branches.map(({ element }) => depthOf(element));
    const [top, second, ...deeper] = [...new Set(depths)].toSorted((one, other) => one - other);
    if (branches.length < FEWEST_BRANCHES || top === undefined || second === undefined) continue;
    const all = [top, second, ...deeper];
    const lefts = all.map(
      (depth) => new Set(branches.flatMap(({ box }, at) => (depths[at] === depth ? box.left : []))),
    );
    const isIndented = lefts.every(
      (places, at) =>
        places.size === 1 && (at === 0 || Math.max(...places) > Math.max(...(lefts[at - 1] ?? []))),
    );
    if (isIndented)
      for (const [at, { element }] of branches.entries())
        levels.set(element, all.indexOf(depths[at] ?? top) + 1);
  }
  return nodes.map((node, at) => {
    const level = levels.get(sightings[at]?.element ?? document.documentElement);
    return level === undefined || node.m !== undefined ? node : { ...node, m: `level ${level}` };
  });
}

function declaredLevel(item: Element): number {
  const declared = Number(item.getAttribute('aria-level'));
  if (declared > 0) return declared;
  let level = 1;
  for (
    let outer = item.parentElement;
    outer !== null && roleOf(outer) !== 'tree';
    outer = outer.parentElement
  )
    if (roleOf(outer) === 'group' || outer.localName === 'ul') level++;
  return level;
}

function depthOf(element: Element): number {
  let depth = 0;
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) depth++;
  return depth;
}
