import { join } from 'node:path';
import { type Context, createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { describe, expect, test } from 'vitest';
import { put } from '../test/wire/parse.ts';
import { WIRES } from '../test/wire/samples.ts';

/** An extension's content security policy forbids making code out of text, and loading code at run time. */
const FORBIDDEN = [
  { form: 'eval("1")', pattern: /\beval\b/ },
  { form: 'new Function("1")', pattern: /\bnew\s+Function\b/ },
  { form: 'Function("1")', pattern: /\bFunction\s*[(`]/ },
  { form: 'f.constructor("1")', pattern: /\bconstructor\s*\(\s*["'`]/ },
  { form: 'import("a")', pattern: /\bimport\s*\(/ },
  { form: 'require("a")', pattern: /\brequire\s*\(/ },
];

/** The package's entry points, which an extension may import. */
const bundles = await Promise.all(
  ['index.ts', 'manifest/index.ts', 'semantic/index.ts'].map(async (face) => {
    const build = await rolldown({ input: join(import.meta.dirname, face) });
    const { output } = await build.generate({ format: 'iife', name: 'face', comments: false });
    return { face, output };
  }),
);

describe.each(bundles)('the bundle of $face', ({ output: [chunk, ...others] }) => {
  test('is one self-contained file', () => {
    expect(others).toEqual([]);
    expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
  });

  test.each(FORBIDDEN)('does not contain $form', ({ form, pattern }) => {
    expect(form).toMatch(pattern);
    expect(chunk.code).not.toMatch(pattern);
  });
});

describe('without code generation from text', () => {
  const contexts = bundles.map(({ output }): Context => {
    const context = createContext({ TextEncoder }, { codeGeneration: { strings: false, wasm: false } });
    runInContext(output[0].code, context);
    return context;
  });

  function parse(name: string, message: unknown): string {
    const found = contexts.map((context): unknown => runInContext(`face.${name}?.parse`, context));
    const parse = found.find((value) => typeof value === 'function');
    if (typeof parse !== 'function') throw new Error(`No bundle exports ${name}.`);
    return JSON.stringify(Reflect.apply(parse, undefined, [JSON.stringify(message)]));
  }

  test('eval and Function fail', () => {
    for (const context of contexts) {
      expect(() => runInContext('eval("1")', context)).toThrow(/Code generation/);
      expect(() => runInContext('new Function("return 1")', context)).toThrow(/Code generation/);
    }
  });

  test.each(WIRES)('$name parses every kind of message', ({ name, samples }) => {
    for (const sample of Object.values(samples)) expect(parse(name, sample)).toBe(JSON.stringify(sample));
  });

  test.each(WIRES)('$name refuses a mistyped field with its own error', ({ name, samples }) => {
    const refused = Object.values(samples).flatMap((sample) =>
      Object.keys(Object(sample)).filter((field) => isRefused(() => parse(name, put(sample, field, [[[]]])))),
    );
    expect(refused).not.toEqual([]);
  });
});

/** Compares by name, because the bundle has its own error class. */
function isRefused(parse: () => void): boolean {
  try {
    parse();
  } catch (error) {
    expect(error).toHaveProperty('name', 'BridgeError');
    return true;
  }
  return false;
}
