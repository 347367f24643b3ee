import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { type Part, partOf, partsOf, SECTION_NAMES, SECTIONS, textOf } from './part.ts';

/** In a plain object, such a key would find an inherited property. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

export function* checkNames({ map }: CheckContext): Findings {
  for (const section of SECTION_NAMES) {
    const key = SECTIONS[section];
    yield* checkUnique(partsOf(map, section), key);
    for (const part of partsOf(map, section)) yield* checkInherited(part, key);
  }
  for (const part of partsOf(map, 'imports')) yield* checkInherited(part, 'namespace');
  for (const tool of partsOf(map, 'tools')) {
    const actions = partOf(tool, 'x_actions');
    if (actions !== undefined) yield* checkInherited(actions, 'handler');
  }
}

export function* checkInherited(part: Part, key: string): Findings {
  const name = textOf(part, key);
  const segment = name?.split('.').find((word) => INHERITED.has(word));
  if (segment === undefined) return;
  yield {
    code: 'reserved_name',
    path: [...part.path, key],
    message: `may not contain \`${segment}\`, which every object inherits; use another word`,
  };
}

/** Reports duplicate names among parts of one kind. Names of different kinds do not collide. */
export function* checkUnique(
  parts: readonly Part[],
  key: string,
  code: 'duplicate_name' | 'duplicate_step' = 'duplicate_name',
): Findings {
  const seen = new Set<string>();
  for (const part of parts) {
    const name = textOf(part, key);
    if (name === undefined) continue;
    if (seen.has(name))
      yield { code, path: [...part.path, key], message: `is taken: \`${name}\` stands above already` };
    seen.add(name);
  }
}
