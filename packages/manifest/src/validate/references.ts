import type { Path } from '../source/path.ts';
import type { CheckContext } from './check-context.ts';
import type { ErrorCode } from './codes.ts';
import type { Finding, Findings } from './finding.ts';
import { suggest } from './nearest.ts';
import { type Part, partOf, partsOf, type Section, textOf, textsOf } from './part.ts';

/** Checks names that another part of the map must declare. */
export function* checkReferences(context: CheckContext): Findings {
  const { map } = context;
  for (const transition of partsOf(map, 'transitions')) {
    yield* required(context, transition, 'from', 'states');
    yield* required(context, transition, 'to', 'states');
    yield* hinted(context, transition, 'tool', 'tools');
    yield* hinted(context, transition, 'signal', 'signals');
    for (const precondition of partsOf(transition, 'preconditions'))
      yield* hinted(context, precondition, 'state', 'states');
  }
  for (const check of partsOf(map, 'checks'))
    for (const assertion of partsOf(check, 'assertions')) yield* checkAssertion(context, assertion);
  for (const block of partsOf(map, 'context')) yield* checkContextBlock(context, block);
  for (const attachment of partsOf(map, 'attachments')) yield* checkAttachment(context, attachment);
  for (const holder of targetHolders(map)) {
    const target = partOf(holder, 'target');
    if (target !== undefined) yield* hinted(context, target, 'state', 'states');
  }
}

function* checkAssertion(context: CheckContext, assertion: Part): Findings {
  yield* required(context, assertion, 'tool', 'tools');
  yield* required(context, assertion, 'state', 'states');
  yield* required(context, assertion, 'attachment', 'attachments');
  const target = partOf(assertion, 'target');
  if (target !== undefined) yield* required(context, target, 'state', 'states');
  const name = textOf(assertion, 'target');
  if (name === undefined || TARGET_SECTIONS.some((section) => context.names.has(section, name))) return;
  const known = TARGET_SECTIONS.flatMap((section) => context.names.declared(section));
  const message = `names the target of \`${name}\`, and no tool, signal or attachment is called that`;
  yield { code: 'unknown_target', path: [...assertion.path, 'target'], message, ...suggest(name, known) };
}

const TARGET_SECTIONS = ['tools', 'signals', 'attachments'] as const;

function* checkContextBlock(context: CheckContext, block: Part): Findings {
  yield* hinted(context, block, 'available_tools', 'tools');
  yield* hinted(context, block, 'next_states', 'states');
  const condition = partOf(block, 'load_when');
  if (condition !== undefined) yield* hinted(context, condition, 'states', 'states');
}

function* checkAttachment(context: CheckContext, attachment: Part): Findings {
  yield* hinted(context, attachment, 'signals', 'signals');
  const byChange = partOf(attachment, 'signals');
  for (const change of Object.keys(byChange?.value ?? {}))
    if (byChange !== undefined) yield* hinted(context, byChange, change, 'signals');
  const affordance = partOf(attachment, 'affordance');
  const opens = affordance && partOf(affordance, 'opens');
  const tool = opens && textOf(opens, 'tool');
  // A launcher may open a host's primitive, such as overlay.open.
  if (opens !== undefined && tool !== undefined && context.primitives?.has(tool) !== true)
    yield* hinted(context, opens, 'tool', 'tools');
}

/** Assertions have a stricter rule. */
const targetHolders = (map: Part): Part[] => [
  ...partsOf(map, 'tools'),
  ...partsOf(map, 'signals'),
  ...partsOf(map, 'attachments'),
  ...partsOf(map, 'states').flatMap((state) => partsOf(state, 'diagnostics')),
];

/** The noun for a part of each kind, and the code for an unknown reference to it. */
const KINDS: Partial<Record<Section, { readonly noun: string; readonly code: ErrorCode }>> = {
  states: { noun: 'state', code: 'unknown_state' },
  tools: { noun: 'tool', code: 'unknown_tool' },
  attachments: { noun: 'attachment', code: 'unknown_attachment' },
  state_projections: { noun: 'projection', code: 'unknown_projection' },
};

/** An unknown reference is an error. */
export function* required(context: CheckContext, part: Part, key: string, section: Section): Findings {
  for (const { text, path } of textsOf(part, key)) {
    if (!context.names.has(section, text))
      yield unknown(context, KINDS[section]?.code ?? 'wrong_value', text, path, section);
  }
}

/** An unknown reference is a warning. */
function* hinted(context: CheckContext, part: Part, key: string, section: Section): Findings {
  for (const { text, path } of textsOf(part, key)) {
    if (!context.names.has(section, text))
      yield unknown(context, 'undeclared_reference', text, path, section);
    else if (section === 'tools' && context.names.isSilent(text))
      yield {
        code: 'not_callable',
        path,
        message: `names the tool \`${text}\`, whose direction is html_to_agent: nobody can call it`,
        expected: 'a tool that can be called',
      };
  }
}

function unknown(
  context: CheckContext,
  code: Finding['code'],
  name: string,
  path: Path,
  section: Section,
): Finding {
  const noun = KINDS[section]?.noun ?? section.slice(0, -1);
  const known = context.names.declared(section);
  const expected =
    known.length === 0 ? `a declared ${noun}, of which the map has none` : `one of ${known.join(', ')}`;
  return {
    code,
    path,
    message: `names the ${noun} \`${name}\`, which the map does not declare`,
    expected,
    ...suggest(name, known),
  };
}
