import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkSchema,
  continueRun,
  createStateSnapshots,
  diagnose,
  diffState,
  type Evaluator,
  executionOf,
  postconditionCheck,
  readState,
  readSummary,
  runChecks,
  type StateSource,
  startRun,
  stateMismatch,
  statesBehind,
  validate,
} from '@drawbridge/manifest';
import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import type { OpenPage } from '@drawbridge/testbed';
import { expect } from 'vitest';
import { extractorOf, primitivesOf, probeOf, watchLeaving } from './live-page.suite.ts';
import { selectorsOf } from './map-selectors.suite.ts';

type Page = OpenPage['page'];

/** One of the maps beside this file, or the map at a path. */
export function readMap(name: string): Manifest {
  const path = name.endsWith('.json') ? name : join(import.meta.dirname, name, 'actions.json');
  const result = validate(readFileSync(path, 'utf8'));
  if (!result.ok) throw new Error(`${path} is not valid: ${JSON.stringify(result.errors)}`);
  return result.map;
}

/** A walk through a site by its map: each tool really runs, and each selector must be met on the way. */
export async function startWalk(map: Manifest, page: Page, evaluator: Evaluator) {
  await watchLeaving(page);
  const clock = { now: () => Date.now(), sleep: async () => {} };
  const source: StateSource = {
    projections: map.state_projections ?? [],
    extractor: extractorOf(page),
    evaluator,
    clock,
  };
  const snapshots = createStateSnapshots();
  const selectors = selectorsOf(map);
  const unmet = new Map(selectors.map((looked) => [looked.pointer, looked]));
  const called = new Set<string>();

  const { tools, states = [], transitions = [], checks = [], signals = [], attachments = [] } = map;
  const probe = probeOf(page);

  const look = async (): Promise<void> => {
    const here = [...unmet.values()].filter(({ urlContains = '' }) => page.url().includes(urlContains));
    const found = await page.evaluate(
      findPaths,
      here.map(({ path }) => path),
    );
    for (const [index, { pointer }] of here.entries()) if (found[index]) unmet.delete(pointer);
    const results = await runChecks(checks, { tools, states, signals, attachments }, probe, clock.now);
    expect(results.filter(({ status }) => status !== 'pass' && status !== 'skipped')).toEqual([]);
  };
  const requireState = async (tool: Tool): Promise<void> => {
    const diagnoses = await diagnose(states, statesBehind(tool, { states, transitions }), probe);
    const mismatch = stateMismatch(tool, { states, transitions }, diagnoses);
    if (mismatch !== undefined) throw mismatch;
  };
  return {
    /** Goes to a page and waits until its scripts have made what `until` names. */
    async goto(path: string, until = 'h1') {
      await page.goto(path);
      await page.locator(until).first().waitFor();
      await look();
    },
    /** Runs a tool as a runtime would: input checked, state diagnosed, workflow run, postconditions verified. */
    async call(tool: string, input: object = {}) {
      const declared = tools.find((each) => each.name === tool);
      if (declared === undefined) throw new Error(`The map has no ${tool}.`);
      expect(checkSchema(declared.input_schema, input)).toEqual({ ok: true });
      await requireState(declared);
      const execution = executionOf(declared, new Map());
      if (execution.kind !== 'workflow') throw new Error(`${tool} has no workflow.`);
      const result = await continueRun(startRun(execution.plan, input, { now: clock.now() }), {
        runPrimitive: primitivesOf(page),
        evaluator,
        clock,
        checkPostcondition: postconditionCheck(source, tool),
      });
      called.add(tool);
      await look();
      if (result.status !== 'done') throw result.status === 'failed' ? result.error : new Error('It waits.');
      const schema = declared.x_actions?.result_schema;
      if (schema !== undefined) expect(checkSchema(schema, result.output)).toEqual({ ok: true });
      return result.output;
    },
    state: async (projection: string) => (await readState(source, { projection_name: projection })).state,
    summary: async (projection: string, summary?: string) =>
      (await readSummary(source, { projection_name: projection, ...(summary && { summary_name: summary }) }))
        .summary,
    diff: (projection: string) =>
      diffState(source, snapshots, { projection_name: projection, runtime_key: 'walk' }),
    /** What the walk should have met and run, and did not. */
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
