import { Assertion, Lifecycle, LoadWhen } from '@drawbridge/protocol/manifest';
import { LIFECYCLE_POLICIES } from '../attachment/lifecycle-policy.ts';
import type { CheckContext } from './check-context.ts';
import type { Findings } from './finding.ts';
import { compilePattern } from './linear-pattern.ts';
import { suggest } from './nearest.ts';
import { type Part, partOf, partsOf, textOf } from './part.ts';
import { checkShape } from './shape.ts';

/** Rules of imports, context, signals, attachments and checks. */
export function* checkSections({ map }: CheckContext): Findings {
  yield* checkNamespaces(map);
  for (const block of partsOf(map, 'context')) {
    const condition = partOf(block, 'load_when');
    if (condition !== undefined) yield* checkShape(LoadWhen, condition.value, condition.path);
    if (condition !== undefined) yield* checkUrlPattern(condition);
  }
  for (const check of partsOf(map, 'checks'))
    for (const assertion of partsOf(check, 'assertions'))
      yield* checkShape(Assertion, assertion.value, assertion.path);
  for (const signal of partsOf(map, 'signals')) yield* checkEvent(signal);
  for (const attachment of partsOf(map, 'attachments')) yield* checkLifecycle(attachment);
  for (const target of targetsOf(map)) yield* checkUrlPattern(target);
}

function* checkNamespaces(map: Part): Findings {
  if (partOf(map, 'composition')?.value['namespace_required'] !== true) return;
  for (const source of partsOf(map, 'imports')) {
    if ('namespace' in source.value) continue;
    const message = 'is missing: composition.namespace_required asks every import for one';
    yield {
      code: 'missing_namespace',
      path: [...source.path, 'namespace'],
      message,
      expected: 'a safe identifier',
    };
  }
}

function* checkEvent(signal: Part): Findings {
  if (signal.value['ingestion'] !== 'enabled' || 'event' in signal.value) return;
  const message = 'is missing: an enabled signal names the DOM event it listens for';
  yield {
    code: 'missing_event',
    path: [...signal.path, 'event'],
    message,
    expected: 'the name of a DOM event',
  };
}

function* checkLifecycle(attachment: Part): Findings {
  const lifecycle = partOf(attachment, 'lifecycle');
  if (lifecycle === undefined) return;
  yield* checkShape(Lifecycle, lifecycle.value, lifecycle.path);
  for (const [moment, known] of Object.entries(LIFECYCLE_POLICIES)) {
    const policy = textOf(lifecycle, moment);
    if (policy === undefined || known.some((one) => one === policy)) continue;
    yield {
      code: 'unknown_policy',
      path: [...lifecycle.path, moment],
      message: `is \`${policy}\`, a policy that Drawbridge does not know: the attachment will not be installed`,
      expected: `one of ${known.join(', ')}`,
      ...suggest(policy, known),
    };
  }
}

function targetsOf(map: Part): Part[] {
  const steps = partsOf(map, 'tools').flatMap((tool) => {
    const execution = [partOf(tool, 'x_actions')].flatMap(
      (actions) => (actions && partOf(actions, 'execution')) ?? [],
    );
    return execution.flatMap((part) => partsOf(part, 'steps'));
  });
  const holders = [
    ...['tools', 'signals', 'attachments'].flatMap((section) => partsOf(map, section)),
    ...partsOf(map, 'states').flatMap((state) => partsOf(state, 'diagnostics')),
    ...partsOf(map, 'checks').flatMap((check) => partsOf(check, 'assertions')),
    ...steps,
  ];
  return holders.flatMap((holder) => partOf(holder, 'target') ?? []);
}

function* checkUrlPattern(part: Part): Findings {
  const pattern = textOf(part, 'url_matches');
  const result = pattern === undefined ? undefined : compilePattern(pattern);
  if (result?.ok === false)
    yield {
      code: 'unsafe_pattern',
      path: [...part.path, 'url_matches'],
      message: result.message,
      expected: 'a regular expression for RE2',
    };
}
