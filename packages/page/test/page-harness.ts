import { join } from 'node:path';
import { formatView, type SemanticNode } from '@drawbridge/protocol/semantic';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll } from 'vitest';
import type * as pageCode from '../src/index.ts';
import type {
  Delta,
  ElementRegistry,
  FullDom,
  Perception,
  PerceptionHooks,
  Reading,
  ReadOptions,
  Snapshot,
  SnapshotOptions,
} from '../src/index.ts';

/** Globals for a test's own code in the page. */
export interface PageKit {
  readonly code: typeof pageCode;
  readonly registry: ElementRegistry;
  readonly perception: Perception;
}

declare global {
  var drawbridgeKit: PageKit;
}

export interface TestPage extends AsyncDisposable {
  readonly page: OpenPage['page'];
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  nodes(options?: SnapshotOptions): Promise<SemanticNode[]>;
  /** The snapshot as lines, without places by default: one line of HTML, one of expectation. */
  lines(options?: SnapshotOptions & { places?: boolean }): Promise<string>;
  /** The view as an agent reads it. */
  view(options?: SnapshotOptions): Promise<string>;
  delta(since: string, options?: SnapshotOptions): Promise<Delta>;
  read(options?: ReadOptions): Promise<Reading>;
  skeleton(): Promise<string>;
  fullDom(limit?: number): Promise<FullDom>;
  /** Runs in the page; `drawbridgeKit` is the page code there. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  run<Argument, Result>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
}

export type PageWithOptions = Parameters<typeof openPage>[0] & {
  /** Called in the page before page code starts. */
  readonly hooks?: () => PerceptionHooks;
};

/** Opens the HTML in a new page. */
export async function pageWith(html: string, options: PageWithOptions = {}): Promise<TestPage> {
  const { hooks, ...context } = options;
  const opened = await openPage(context);
  await opened.page.setContent(withDoctype(html));
  return withPageCode(opened, { hooks });
}

/** One page for a file of small cases; each `show` is a new document with new page code. */
export function sharedPage(): { show: (html: string) => Promise<TestPage> } {
  let opened: OpenPage | undefined;
  beforeAll(async () => {
    opened = await openPage();
  });
  afterAll(() => opened?.close());
  return {
    async show(html) {
      if (opened === undefined) throw new Error('The page opens in beforeAll: use it inside a test.');
      await opened.page.goto('about:blank');
      await opened.page.setContent(withDoctype(html));
      return withPageCode(opened);
    },
  };
}

function withDoctype(html: string): string {
  return html.trimStart().startsWith('<!') ? html : `<!doctype html>${html}`;
}

export interface PageCodeOptions {
  readonly hooks?: (() => PerceptionHooks) | undefined;
  /** One of the page's frames, with its id prefix, instead of the page itself. */
  readonly frame?: ReturnType<OpenPage['page']['mainFrame']>;
  readonly prefix?: string;
}

export async function withPageCode(opened: OpenPage, options: PageCodeOptions = {}): Promise<TestPage> {
  const { page } = opened;
  const { hooks, frame = page.mainFrame(), prefix = '' } = options;
  const hooksText = hooks === undefined ? '{}' : `(${hooks.toString()})()`;
  await frame.evaluate(`${await pageCodeBundle()};
  globalThis.drawbridgeKit = (() => {
    const registry = drawbridgePage.createElementRegistry(${JSON.stringify(prefix)});
    const perception = drawbridgePage.createPerception({ document, registry, hooks: ${hooksText} });
    return { code: drawbridgePage, registry, perception };
  })();`);
  const snapshot = (given: SnapshotOptions = {}) =>
    frame.evaluate((wanted) => drawbridgeKit.perception.snapshot(wanted), given);
  return {
    page,
    snapshot,
    nodes: async (options) => (await snapshot(options)).page.interactive_tree,
    async lines({ places = false, ...options } = {}) {
      const { text = '' } = await snapshot({ ...options, form: 'lines' });
      return places ? text : text.replace(/ @-?\d+,-?\d+/g, '');
    },
    async view(options) {
      const { page: seen, context } = await snapshot({ ...options, form: 'view' });
      return formatView(seen.interactive_tree, context);
    },
    delta: (since, options) =>
      frame.evaluate(([id, given]) => drawbridgeKit.perception.delta(id, given), [since, options] as const),
    read: (options) => frame.evaluate((given) => drawbridgeKit.perception.read(given), options),
    skeleton: () => frame.evaluate(() => drawbridgeKit.perception.skeleton()),
    fullDom: (limit) =>
      frame.evaluate(
        (most) => drawbridgeKit.perception.fullDom(most === undefined ? {} : { limit: most }),
        limit,
      ),
    run: (work: (argument: never) => unknown, argument?: unknown): Promise<never> =>
      frame.evaluate(work as never, argument as never),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}

let bundling: Promise<string> | undefined;

/** The package's exports as one script that sets `drawbridgePage`. */
export function pageCodeBundle(): Promise<string> {
  bundling ??= bundle();
  return bundling;
}

async function bundle(): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: join(import.meta.dirname, '../src/index.ts'),
    platform: 'browser',
    tsconfig: false,
  });
  const { output } = await build.generate({ format: 'iife', name: 'drawbridgePage', minify: true });
  await build.close();
  return output[0].code;
}
