import { join } from 'node:path';
import { BridgeError, type ErrorCode } from '@drawbridge/protocol';
import {
  type InputOf,
  misfitOf,
  type OutputOf,
  type PrimitiveName,
  primitiveByName,
} from '@drawbridge/protocol/primitives';
import { type OpenPage, openPage } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect } from 'vitest';
import { ELEMENTS_PAGE, NEXT } from './elements-page.ts';

export type Tab = OpenPage['page'];

/** A page on which primitives run. */
export interface PrimitiveHarness {
  readonly tab: Tab;
  /** Runs a primitive and validates its output against its schema. A refusal is a BridgeError. */
  run<Name extends PrimitiveName>(name: Name, args: InputOf<Name>, origin?: string): Promise<OutputOf<Name>>;
  /** The same for arguments that the schema forbids. */
  runAny(name: string, args: unknown, origin?: string): Promise<unknown>;
}

export const HOME = 'https://page.test/';

/** A browser that must be built first takes long. */
const OPENING_MS = 300_000;
const CONTEXT = {
  permissions: ['clipboard-read', 'clipboard-write'],
  viewport: { width: 900, height: 700 },
};

/** One tab for a whole file, of the shared browser or another; each `show` opens a new document. */
export function openTabs(open: () => Promise<OpenPage> = () => openPage(CONTEXT)): {
  show: (html?: string) => Promise<Tab>;
} {
  let opened: OpenPage | undefined;
  let shown = '';
  beforeAll(async () => {
    opened = await open();
    await opened.context.route('https://page.test/**', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/data.json') return route.fulfill({ json: { beds: 2 } });
      if (pathname === '/plan.pdf')
        return route.fulfill({ body: 'plan', headers: { 'content-disposition': 'attachment' } });
      const body = pathname === '/next' ? NEXT : shown;
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><meta charset="utf-8">${body}`,
      });
    });
  }, OPENING_MS);
  afterAll(() => opened?.close());
  return {
    async show(html = ELEMENTS_PAGE) {
      if (opened === undefined) throw new Error('The page opens in beforeAll: use it inside a test.');
      shown = html;
      await opened.page.goto('about:blank');
      await opened.page.goto(HOME);
      await opened.page.bringToFront();
      return opened.page;
    },
  };
}

let bundling: Promise<string> | undefined;

/** Runs everything in the page itself, like the direct and embed hosts. */
export async function harnessInPage(tab: Tab, kind: 'direct' | 'embed'): Promise<PrimitiveHarness> {
  bundling ??= bundleHarness();
  await tab.evaluate(
    `${await bundling}; globalThis.world = drawbridgeWorld.startDirectHarness(${JSON.stringify(kind)});`,
  );
  return heldToSchema(tab, async (name, args, origin) => {
    const answer: {
      ok: boolean;
      value?: unknown;
      error?: { code: ErrorCode; message: string; evidence: Record<string, unknown> };
      text?: string;
    } = await tab.evaluate(([one, given, at]) => Reflect.get(globalThis, 'world').run(one, given, at), [
      name,
      args,
      origin,
    ] as const);
    if (answer.ok) return answer.value;
    if (answer.error?.code === undefined) throw new Error(answer.text);
    const { code, message, evidence } = answer.error;
    throw new BridgeError(code, message, { evidence });
  });
}

async function bundleHarness(): Promise<string> {
  const { rolldown } = await import('rolldown');
  const input = join(import.meta.dirname, 'direct-harness.ts');
  const build = await rolldown({ input, platform: 'browser', tsconfig: false });
  const { output } = await build.generate({ format: 'iife', name: 'drawbridgeWorld', minify: true });
  await build.close();
  return output[0].code;
}

export function heldToSchema(
  tab: Tab,
  runAny: (name: string, args: unknown, origin?: string) => Promise<unknown>,
): PrimitiveHarness {
  return {
    tab,
    runAny,
    async run<Name extends PrimitiveName>(name: Name, args: InputOf<Name>, origin?: string) {
      const output = await runAny(name, args, origin);
      const schema = primitiveByName(name)?.output_schema;
      expect(schema && misfitOf(schema, output), `${name} gives what its schema says`).toBeUndefined();
      return output as OutputOf<Name>;
    },
  };
}

export const pointOn = async (harness: PrimitiveHarness, selector: string) => {
  const { clickable_center } = await harness.run('locator.element_info', { locator: { selector } });
  if (clickable_center === undefined) throw new Error(`${selector} cannot be pressed.`);
  return clickable_center;
};

/** The id that a snapshot gives to the element of this name. */
export async function idOf(harness: PrimitiveHarness, name: string): Promise<string> {
  const { page } = await harness.run('page.snapshot', { scope: 'page' });
  const found = page?.interactive_tree.find(({ n }) => n === name);
  if (found === undefined)
    throw new Error(`Nothing is called ${name}: ${JSON.stringify(page?.interactive_tree)}`);
  return found.i;
}
