import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import type {
  ActionDone,
  ActionRefused,
  ActionResult,
  ElementRegistry,
  Host,
  PageActions,
  Perception,
  RecentEvents,
  Watch,
} from '../../src/index.ts';
import { pageCodeBundle } from '../page-harness.ts';

/** Globals for a test's own code in the page. */
export interface ActionsKit {
  readonly registry: ElementRegistry;
  readonly perception: Perception;
  readonly watch: Watch;
  readonly actions: PageActions;
  /** Advances page code's clock. */
  readonly advance: (ms: number) => void;
}

declare global {
  var actionsKit: ActionsKit;
}

type ById =
  | 'click'
  | 'doubleClick'
  | 'hover'
  | 'focus'
  | 'fill'
  | 'type'
  | 'select'
  | 'check'
  | 'uncheck'
  | 'drag'
  | 'scroll'
  | 'upload';

/** A real page with page actions. Elements are named as in a snapshot. */
export interface ActionsPage extends AsyncDisposable {
  readonly page: OpenPage['page'];
  /** Takes a snapshot, as an agent would. */
  see(): Promise<SemanticNode[]>;
  /** The id of the only element with this name in the last snapshot. */
  idOf(name: string): string;
  act<Action extends ById>(
    action: Action,
    name: string,
    ...rest: Rest<PageActions[Action]>
  ): Promise<ActionResult>;
  done<Action extends ById>(
    action: Action,
    name: string,
    ...rest: Rest<PageActions[Action]>
  ): Promise<ActionDone>;
  refused<Action extends ById>(
    action: Action,
    name: string,
    ...rest: Rest<PageActions[Action]>
  ): Promise<ActionRefused['error']>;
  keys(...given: Parameters<PageActions['keys']>): Promise<ActionResult>;
  report(): Promise<RecentEvents>;
  /** The current text of an element. */
  text(selector: string): Promise<string | null>;
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  run<Argument, Result>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
}

type Rest<Method> = Method extends (id: string, ...rest: infer Others) => unknown
  ? Others
  : Method extends (id?: string, ...rest: infer Others) => unknown
    ? Others
    : never;

let shared: OpenPage | undefined;

/** Loads the HTML into a new document of the file's shared page and takes a snapshot. */
export async function actionsOn(html: string, host?: () => Host): Promise<ActionsPage> {
  if (shared === undefined || shared.page.isClosed()) shared = await openPage();
  // Uses a page with an origin: about:blank has no history and reports no navigation.
  await shared.page.unrouteAll();
  await shared.page.route('http://page.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><meta charset=utf-8><body>${html}` }),
  );
  await shared.page.goto('http://page.test/');
  const page = await withActions(shared, host);
  return { ...page, [Symbol.asyncDispose]: () => Promise.resolve() };
}

export async function withActions(opened: OpenPage, host?: () => Host): Promise<ActionsPage> {
  const { page } = opened;
  await page.evaluate(`${await pageCodeBundle()};
  globalThis.actionsKit = (() => {
    let ahead = 0;
    const clock = {
      now: () => performance.now() + ahead,
      setTimeout: drawbridgePage.pageClock.setTimeout,
      clearTimeout: (handle) => clearTimeout(handle),
    };
    const watch = drawbridgePage.createWatch({ document, clock });
    const registry = drawbridgePage.createElementRegistry();
    const perception = drawbridgePage.createPerception({ document, registry });
    const host = ${host === undefined ? '{}' : `(${host.toString()})()`};
    const actions = drawbridgePage.createPageActions({ document, registry, watch, clock, host });
    return { registry, perception, watch, actions, advance: (ms) => { ahead += ms; } };
  })();`);
  let seen: SemanticNode[] = [];

  const see = async () => {
    seen = await page.evaluate(() => actionsKit.perception.snapshot({}).page.interactive_tree);
    return seen;
  };
  const idOf = (name: string): string => {
    const [node, ...others] = seen.filter(({ n }) => n === name);
    if (node === undefined || others.length > 0) {
      throw new Error(
        `${others.length > 0 ? 'Several are' : 'Nothing is'} named ${name}: ${JSON.stringify(seen)}`,
      );
    }
    return node.i;
  };
  const act: ActionsPage['act'] = (action, name, ...rest) =>
    page.evaluate(
      ([method, id, given]): Promise<ActionResult> =>
        Reflect.apply(actionsKit.actions[method], undefined, [id, ...given]),
      [action, idOf(name), action === 'drag' ? [idOf(String(rest[0])), ...rest.slice(1)] : rest] as const,
    );
  await see();
  return {
    page,
    see,
    idOf,
    act,
    async done(action, name, ...rest) {
      const result = await act(action, name, ...rest);
      if (!result.ok) throw new Error(`${action} was refused: ${JSON.stringify(result.error)}`);
      return result;
    },
    async refused(action, name, ...rest) {
      const result = await act(action, name, ...rest);
      if (result.ok) throw new Error(`${action} was done: ${JSON.stringify(result)}`);
      return result.error;
    },
    keys: (...given) => page.evaluate((all) => actionsKit.actions.keys(...all), given),
    report: () => page.evaluate(() => actionsKit.watch.report()),
    text: (selector) => page.locator(selector).first().textContent(),
    run: (work: (argument: never) => unknown, argument?: unknown): Promise<never> =>
      page.evaluate(work as never, argument as never),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}
