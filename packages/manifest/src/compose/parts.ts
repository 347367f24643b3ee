import type {
  Attachment,
  Check,
  ContextBlock,
  Manifest,
  Signal,
  State,
  StateProjection,
  Tool,
  Transition,
} from '@drawbridge/protocol/manifest';
import type { Static } from 'typebox';

/** The composable sections of a map, each a list of named parts. */
export interface Parts {
  readonly tools: readonly Tool[];
  readonly signals: readonly Signal[];
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
  readonly context: readonly Static<typeof ContextBlock>[];
  readonly attachments: readonly Attachment[];
  readonly checks: readonly Check[];
  readonly state_projections: readonly StateProjection[];
}

export type Section = keyof Parts;
export type Part<Name extends Section> = Parts[Name][number];

export function bySection<Value>(make: (section: Section) => Value): Record<Section, Value> {
  return {
    tools: make('tools'),
    signals: make('signals'),
    states: make('states'),
    transitions: make('transitions'),
    context: make('context'),
    attachments: make('attachments'),
    checks: make('checks'),
    state_projections: make('state_projections'),
  };
}

/** Parts paired with additional data, such as their origin. */
export type PartsWith<Extra> = {
  readonly [Name in Section]: readonly (Extra & { readonly part: Part<Name> })[];
};

/** An operation on every section, typed by the section's parts. */
export type SectionWork<From, To> = <Name extends Section>(
  section: Name,
  parts: readonly (From & { readonly part: Part<Name> })[],
) => readonly (To & { readonly part: Part<Name> })[];

export function eachSection<From, To>(parts: PartsWith<From>, work: SectionWork<From, To>): PartsWith<To> {
  return {
    tools: work('tools', parts.tools),
    signals: work('signals', parts.signals),
    states: work('states', parts.states),
    transitions: work('transitions', parts.transitions),
    context: work('context', parts.context),
    attachments: work('attachments', parts.attachments),
    checks: work('checks', parts.checks),
    state_projections: work('state_projections', parts.state_projections),
  };
}

/** Pairs each part of a map with the same data. */
export function partsOf<Extra>(map: Manifest, extra: Extra): PartsWith<Extra> {
  const beside = <Item>(parts: readonly Item[] = []) => parts.map((part) => ({ ...extra, part }));
  return {
    tools: beside(map.tools),
    signals: beside(map.signals),
    states: beside(map.states),
    transitions: beside(map.transitions),
    context: beside(map.context),
    attachments: beside(map.attachments),
    checks: beside(map.checks),
    state_projections: beside(map.state_projections),
  };
}

/** Context blocks, attachments and checks are named by `id`, all others by `name`. */
export function nameOf(section: Section, part: Part<Section>): string {
  if (section === 'context' || section === 'attachments' || section === 'checks') {
    return 'id' in part ? part.id : '';
  }
  return 'name' in part ? part.name : '';
}
