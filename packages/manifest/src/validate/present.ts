import { type JsonTree, offsetOf, readTree } from '../source/json-tree.ts';
import { indexLines } from '../source/line-index.ts';
import type { TextProblem } from '../source/map-text.ts';
import { toPointer } from '../source/path.ts';
import { EXPECTED } from './codes.ts';
import type { Finding, MapProblem } from './finding.ts';
import { subjectOf } from './subject.ts';

/** Adds line and column to findings, in text order. */
export function present<Code extends string>(
  findings: readonly Finding<Code>[],
  text: string,
  map: unknown,
  known?: JsonTree,
): MapProblem<Code>[] {
  if (findings.length === 0) return [];
  const { root } = known ?? readTree(text);
  const positionOf = indexLines(text);
  const placed = findings.map((finding) => {
    const { code, path, part = 'value', expected = EXPECTED[code], suggestion } = finding;
    const offset = offsetOf(root, path, part);
    const problem: MapProblem<Code> = {
      code,
      pointer: toPointer(path),
      ...positionOf(offset),
      message: sentence(finding, map),
      ...(expected === undefined ? {} : { expected }),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
    return { offset, problem };
  });
  return placed.toSorted((one, other) => one.offset - other.offset).map(({ problem }) => problem);
}

function sentence({ code, path, message, suggestion }: Finding<string>, map: unknown): string {
  const subject = subjectOf(code === 'unknown_field' ? path.slice(0, -1) : path, map);
  const hint = suggestion === undefined ? '.' : `; ${suggestion}`;
  return `${subject} ${message}${hint}`;
}

/** The same for syntax problems. */
export function presentFaults(faults: readonly TextProblem[], text: string): MapProblem[] {
  const positionOf = indexLines(text);
  return faults.map(({ code, path, offset, message }) => ({
    code,
    pointer: toPointer(path),
    ...positionOf(offset),
    message: code === 'invalid_json' ? `${message}.` : `${subjectOf(path, undefined)} ${message}.`,
    expected: EXPECTED[code] ?? 'JSON',
  }));
}
