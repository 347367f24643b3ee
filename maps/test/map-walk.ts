import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import {
  type CheckResult,
  callTool,
  createStateSnapshots,
  diffState,
  type Evaluator,
  postconditionCheck,
  readState,
  readSummary,
  runChecks,
  type StateSource,
  type TransitionLedger,
  validate,
} from '@drawbridge/manifest';
import type { Manifest } from '@drawbridge/protocol/manifest';
import type { OpenPage } from '@drawbridge/testbed';
import { expect } from 'vitest';
import { extractorOf, primitivesOf, probeOf, watchLeaving } from './live-page.ts';
import { selectorsOf } from './map-selectors.ts';

type Page = OpenPage['page'];

const CALL_TIMEOUT_MS = 30_000;

/** One of the maps beside this file, or the map at a path. */
export function readMap(name: string): Manifest {
  const path = name.endsWith('.json') ? name : join(import.meta.dirname, '..', name, 'actions.json');
  const result = validate(readFileSync(path, 'utf8'));
  if (!result.ok) throw new Error(`${path} is not valid: ${JSON.stringify(result.errors)}`);
  return result.map;
}

/** A walk through a site by its map: each tool really runs, and each selector must be met on the way. */
export async function startWalk(map: Manifest, page: Page, evaluator: Evaluator) {
  await watchLeaving(page);
  const source: StateSource = {
    projections: map.state_projections ?? [],
    extractor: extractorOf(page),
    evaluator,
    clock: systemClock,
  };
  const snapshots = createStateSnapshots();
  const selectors = selectorsOf(map);
  const unmet = new Map(selectors.map((looked) => [looked.pointer, looked]));
  const called = new Set<string>();
  let checkResults: readonly CheckResult[] = [];
  let ledger: TransitionLedger = new Map();

  const { tools, states = [], checks = [], signals = [], attachments = [] } = map;
  const capabilities = new Set(tools.flatMap(({ requires = [] }) => requires));
  const probe = probeOf(page);

  const look = async (): Promise<void> => {
    const here = [...unmet.values()].filter(({ urlContains = '' }) => page.url().includes(urlContains));
    const found = await page.evaluate(
      findPaths,
      here.map(({ path }) => path),
    );
    for (const [index, { pointer }] of here.entries()) if (found[index]) unmet.delete(pointer);
    checkResults = await runChecks(checks, { tools, states, signals, attachments }, probe, systemClock.now);
    expect(checkResults.filter(({ status }) => status !== 'pass' && status !== 'skipped')).toEqual([]);
  };
  return {
    /** Goes to a page and waits until its scripts have made what `until` names. */
    async goto(path: string, until = 'h1') {
      await page.goto(path);
      await page.locator(until).first().waitFor();
      await look();
    },
    /** Runs a tool as a runtime would: input, state, checks, workflow, postconditions, result. */
    async call(tool: string, input: Readonly<Record<string, unknown>> = {}) {
      const calling = callTool(
        { ready: true, map, warnings: [] },
        { name: tool, arguments: input, timeoutMs: CALL_TIMEOUT_MS },
        { active: true, probe, capabilities, handlers: new Map(), checkResults, ledger },
        {
          runPrimitive: primitivesOf(page),
          evaluator,
          clock: systemClock,
          checkPostcondition: postconditionCheck(source, tool),
        },
      );
      called.add(tool);
      const result = await calling.finally(look);
      ledger = result.ledger;
      if (result.status !== 'done') throw new Error(`${tool} waits for its page.`);
      return result.output;
    },
    /** Reads, then looks: a call may end before its page is fully drawn. */
    async state(projection: string) {
      const { state } = await readState(source, { projection_name: projection });
      await look();
      return state;
    },
    summary: async (projection: string, summary?: string) =>
      (await readSummary(source, { projection_name: projection, ...(summary && { summary_name: summary }) }))
        .summary,
    diff: (projection: string) =>
      diffState(source, snapshots, { projection_name: projection, runtime_key: 'walk' }),
    /** Selectors that matched nothing, and tools that were not called. */
    missed: () => ({
      selectors: [...unmet.values()].map(({ pointer, path }) => `${pointer} ${path.join(' » ')}`),
      tools: tools.map((each) => each.name).filter((each) => !called.has(each)),
    }),
  };
}

/** Runs inside the page. Each part is looked for inside what the part before it matched. */
function findPaths(paths: readonly (readonly string[])[]): boolean[] {
  const inside = (from: Element | Document, part: string): Element[] => {
    if (!part.startsWith('xpath=')) return [...from.querySelectorAll(part)];
    const found = document.evaluate(part.slice(6), from, null, XPathResult.FIRST_ORDERED_NODE_TYPE);
    return found.singleNodeValue instanceof Element ? [found.singleNodeValue] : [];
  };
  return paths.map((path) => {
    const [first = '', ...rest] = path;
    return (
      rest.reduce((found, part) => found.flatMap((each) => inside(each, part)), inside(document, first))
        .length > 0
    );
  });
}
