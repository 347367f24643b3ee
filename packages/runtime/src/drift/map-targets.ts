import { checkSchema, type Path, toPointer } from '@drawbridge/manifest';
import { isObject, type Manifest, Target, type Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName } from '@drawbridge/protocol/primitives';

/** A target of a map, and how sure its absence is a problem. */
export interface MapTarget {
  readonly pointer: string;
  readonly part: string;
  readonly target: Target;
  /** The target means one element, not a list. */
  readonly single: boolean;
  /** Present on every page that its url matches. */
  readonly sure: boolean;
  /** Description of the target besides its own properties. */
  readonly words: string;
}

/** Every literal target of a map. Targets from expressions are known only when their tool runs. */
export function targetsOf(map: Manifest): MapTarget[] {
  return [
    ...(map.states ?? []).flatMap(({ name, diagnostics = [] }, index) =>
      diagnostics.flatMap(({ target, name: diagnostic = '' }, inner) =>
        toMapTarget(['states', index, 'diagnostics', inner, 'target'], `state ${name}`, target, {
          sure: false,
          words: `${name} ${diagnostic}`,
        }),
      ),
    ),
    ...map.tools.flatMap((tool, index) => [
      ...toMapTarget(['tools', index, 'target'], `tool ${tool.name}`, tool.target, {
        single: true,
        words: tool.name,
      }),
      ...stepTargets(tool, index),
    ]),
    ...(map.attachments ?? []).flatMap(({ id, target, affordance }, index) =>
      toMapTarget(['attachments', index, 'target'], `attachment ${id}`, target, {
        single: affordance?.max_instances === 1,
        // An attachment may lack its target on this page without a problem.
        sure: false,
        words: id,
      }),
    ),
    ...(map.signals ?? []).flatMap(({ name, target }, index) =>
      toMapTarget(['signals', index, 'target'], `signal ${name}`, target, { words: name }),
    ),
  ];
}

const LOCATOR_KEYS = ['locator', 'target'];

/** Steps up to the first that changes the page; later ones look at its outcome. */
function stepTargets(tool: Tool, index: number): MapTarget[] {
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
      return toMapTarget(
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

function toMapTarget(
  path: Path,
  part: string,
  target: Target | undefined,
  { single = false, sure = true, words }: Partial<MapTarget> & { readonly words: string },
): MapTarget[] {
  return target === undefined ? [] : [{ pointer: toPointer(path), part, target, single, sure, words }];
}

const isTarget = (value: unknown): value is Target => isObject(value) && checkSchema(Target, value).ok;

function hasExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{%');
  if (Array.isArray(value)) return value.some(hasExpression);
  return isObject(value) && Object.values(value).some(hasExpression);
}
