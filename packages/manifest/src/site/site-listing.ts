import { isObject, type Manifest, type StateProjection, type Tool } from '@drawbridge/protocol/manifest';

/** The answer to `list`: everything in a map that an agent can name. */
export interface SiteListing {
  readonly actions: readonly SiteAction[];
  readonly state_projections: readonly ListedProjection[];
  readonly files: readonly unknown[];
  readonly skills: readonly unknown[];
}

interface SiteAction {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Pages where it works; any page of the site when absent. */
  readonly target_url_contains?: string;
  /** A person is asked before `irreversible`. */
  readonly effect?: 'read' | 'act' | 'irreversible';
}

interface ListedProjection {
  readonly name: string;
  readonly description?: string;
  readonly summaries: readonly string[];
}

export function listSite(map: Manifest): SiteListing {
  const declared: unknown = Reflect.get(map, 'x_actions');
  const extras = isObject(declared) ? declared : {};
  return {
    actions: map.tools.filter(isCallable).map(actionOf),
    state_projections: (map.state_projections ?? []).map(projectionOf),
    files: listIn(extras, 'files'),
    skills: listIn(extras, 'skills'),
  };
}

/** MAN-137: an entry that only reports from the page cannot be called. */
export const isCallable = (tool: Tool): boolean => tool.x_actions?.direction !== 'html_to_agent';

function actionOf({ name, description, input_schema, target, x_actions }: Tool): SiteAction {
  return {
    name,
    description,
    input_schema,
    ...(target?.url_contains !== undefined && { target_url_contains: target.url_contains }),
    ...(x_actions?.effect !== undefined && { effect: x_actions.effect }),
  };
}

function projectionOf({ name, description, summaries = [] }: StateProjection): ListedProjection {
  return {
    name,
    ...(description !== undefined && { description }),
    summaries: summaries.map((summary) => summary.name),
  };
}

const listIn = (fields: Readonly<Record<string, unknown>>, key: string): readonly unknown[] =>
  Array.isArray(fields[key]) ? fields[key] : [];
