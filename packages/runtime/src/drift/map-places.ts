import { checkSchema, type Path, toPointer } from '@drawbridge/manifest';
import { isObject, type Manifest, Target, type Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** A target of a map, and how much it says when nothing fits it. */
export interface MapPlace {
  readonly pointer: string;
  readonly part: string;
  readonly target: Target;
  /** One element is meant, not each of several. */
  readonly single: boolean;
  /** It belongs on every page that its url fits. */
  readonly sure: boolean;
  /** Words about it, beyond the target's own. */
  readonly words: string;
}

/** Every target of a map that is written out. Those made by an expression show when their tool runs. */
export function placesOf(map: Manifest): MapPlace[] {
  return [
    ...(map.states ?? []).flatMap(({ name, diagnostics = [] }, index) =>
      diagnostics.flatMap(({ target, name: diagnostic = '' }, inner) =>
        place(['states', index, 'diagnostics', inner, 'target'], `state ${name}`, target, {
          sure: false,
          words: `${name} ${diagnostic}`,
        }),
      ),
    ),
    ...map.tools.flatMap((tool, index) => [
      ...place(['tools', index, 'target'], `tool ${tool.name}`, tool.target, {
        single: true,
        words: tool.name,
      }),
      ...stepPlaces(tool, index),
    ]),
    ...(map.attachments ?? []).flatMap(({ id, target, affordance }, index) =>
      place(['attachments', index, 'target'], `attachment ${id}`, target, {
        single: affordance?.max_instances === 1,
        // It is put where its target is: that there is none now is no fault.
        sure: false,
        words: id,
      }),
    ),
    ...(map.signals ?? []).flatMap(({ name, target }, index) =>
      place(['signals', index, 'target'], `signal ${name}`, target, { words: name }),
    ),
  ];
}

const LOCATOR_KEYS = ['locator', 'target'];

/** Steps up to the first that changes the page: the later ones look at what comes of it. */
function stepPlaces(tool: Tool, index: number): MapPlace[] {
  const steps = tool.workflow?.steps ?? [];
  const firstChange = steps.findIndex(({ primitive }) => primitiveByName(primitive)?.effect !== 'read');
  const early = steps.slice(0, firstChange === -1 ? undefined : firstChange + 1);
  const { url_contains, url_matches, state } = tool.target ?? {};
  const where = {
    ...(url_contains !== undefined && { url_contains }),
    ...(url_matches !== undefined && { url_matches }),
    ...(state !== undefined && { state }),
  };
  return early.flatMap(({ id, args = {}, when }, step) =>
    LOCATOR_KEYS.flatMap((key) => {
      const locator = args[key];
      if (!isTarget(locator) || hasExpression(locator)) return [];
      const path = ['tools', index, 'workflow', 'steps', step, 'args', key];
      return place(
        path,
        `tool ${tool.name}, step ${id}`,
        { ...where, ...locator },
        {
          single: true,
          sure: when === undefined,
          words: `${tool.name} ${id}`,
        },
      );
    }),
  );
}

function place(
  path: Path,
  part: string,
  target: Target | undefined,
  { single = false, sure = true, words }: Partial<MapPlace> & { readonly words: string },
): MapPlace[] {
  return target === undefined ? [] : [{ pointer: toPointer(path), part, target, single, sure, words }];
}

const isTarget = (value: unknown): value is Target => isObject(value) && checkSchema(Target, value).ok;

function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{%');
  if (Array.isArray(value)) return value.some(hasExpression);
  return isObject(value) && Object.values(value).some(hasExpression);
}
