import { isObject } from '@drawbridge/protocol/manifest';
import { checkExpression } from '../expression/source.ts';
import type { Path } from '../source/path.ts';
import { type Fields, replaceField, short, type Upgrade, unusedName } from './change.ts';

/** Wraps bare expressions of projections and summaries in a slot. */
export const upgradeProjections: Upgrade = (map, path, note) => {
  const { state_projections: projections } = map;
  if (!Array.isArray(projections)) return map;

  const wrap: Upgrade = (holder, place) => {
    const { expression } = holder;
    if (
      typeof expression !== 'string' ||
      expression.includes('{%') ||
      checkExpression(expression) !== undefined
    )
      return holder;
    note(
      [...place, 'expression'],
      `${short(expression)} is put into {% … %}`,
      'an expression is one whole {% … %} in version 1',
    );
    return replaceField(holder, 'expression', 'expression', `{% ${expression} %}`);
  };

  const withExpression = (snapshot: unknown, place: Path): unknown => {
    if (!isObject(snapshot) || 'projection' in snapshot || !Array.isArray(snapshot['extract']))
      return snapshot;
    note(
      [...place, 'snapshot', 'projection'],
      'add an expression that gives the records',
      'a projection says what its state is; without an expression it is what was extracted',
    );
    return { ...snapshot, projection: { language: 'jsonata', expression: '{% records %}' } };
  };

  const keepProse: Upgrade = (projection, place) => {
    if (typeof projection['postconditions'] !== 'string') return projection;
    const kept = unusedName(projection, 'postconditions');
    note(
      [...place, 'postconditions'],
      `is kept as ${kept}`,
      'postconditions are expressions by the name of a tool; a text proves nothing',
    );
    return replaceField(projection, 'postconditions', kept, projection['postconditions']);
  };

  /** The property className is not read; the attribute class has the same text. */
  const classes = (part: unknown, place: Path): unknown => {
    if (Array.isArray(part)) return part.map((inner, index) => classes(inner, [...place, index]));
    if (!isObject(part)) return part;
    const inner = Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, classes(value, [...place, key])]),
    );
    if (inner['property'] !== 'className' || 'attribute' in inner) return inner;
    note([...place, 'property'], 'becomes the attribute class', 'className is not among the properties');
    return replaceField(inner, 'property', 'attribute', 'class');
  };

  const readable = (snapshot: unknown, place: Path): unknown =>
    isObject(snapshot) && 'extract' in snapshot
      ? { ...snapshot, extract: classes(snapshot['extract'], [...place, 'snapshot', 'extract']) }
      : snapshot;

  const upgrade = (written: Fields, index: number): Fields => {
    const here = [...path, 'state_projections', index];
    const projection = keepProse(written, here, note);
    const { summaries } = projection;
    const snapshot = withExpression(readable(projection['snapshot'], here), here);
    const inner = isObject(snapshot) ? snapshot['projection'] : undefined;
    return {
      ...projection,
      ...(isObject(snapshot) && isObject(inner)
        ? { snapshot: { ...snapshot, projection: wrap(inner, [...here, 'snapshot', 'projection'], note) } }
        : {}),
      ...(Array.isArray(summaries)
        ? {
            summaries: summaries.map((summary, place) =>
              isObject(summary) ? wrap(summary, [...here, 'summaries', place], note) : summary,
            ),
          }
        : {}),
    };
  };
  return {
    ...map,
    state_projections: projections.map((projection, index) =>
      isObject(projection) ? upgrade(projection, index) : projection,
    ),
  };
};
