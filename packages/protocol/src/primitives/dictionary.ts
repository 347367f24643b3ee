import type { Static } from 'typebox';
import type { PrimitiveDictionary } from '../manifest/primitive.ts';
import { A11Y } from './a11y.ts';
import { BROWSER } from './browser.ts';
import { DOM } from './dom.ts';
import { ELEMENT } from './element.ts';
import type { HostKind } from './host-kind.ts';
import { INSPECT } from './inspect.ts';
import { LOCATOR, VIEWPORT } from './locator.ts';
import { PAGE } from './page.ts';
import { POINTER } from './pointer.ts';
import type { PrimitiveSpec } from './primitive-spec.ts';
import { OVERLAY, STORE } from './store.ts';
import { CLIPBOARD, TEXT } from './text.ts';

/** Exactly the primitives that a runtime has a handler for. */
export const PRIMITIVES = [
  ...PAGE,
  ...ELEMENT,
  ...LOCATOR,
  ...A11Y,
  ...DOM,
  ...POINTER,
  ...TEXT,
  ...VIEWPORT,
  ...CLIPBOARD,
  ...OVERLAY,
  ...BROWSER,
  ...STORE,
  ...INSPECT,
] as const;

type Listed = (typeof PRIMITIVES)[number];
type Named<Name extends PrimitiveName> = Extract<Listed, { readonly name: Name }>;

export type PrimitiveName = Listed['name'];
export type InputOf<Name extends PrimitiveName> = Static<Named<Name>['input_schema']>;
export type OutputOf<Name extends PrimitiveName> = Static<Named<Name>['output_schema']>;
/** A primitive of the table, with its name as a type. */
export type KnownPrimitive = PrimitiveSpec<PrimitiveName>;

// A Map, because `constructor` is no primitive.
const BY_NAME: ReadonlyMap<string, KnownPrimitive> = new Map(PRIMITIVES.map((each) => [each.name, each]));

export const primitiveByName = (name: string): KnownPrimitive | undefined => BY_NAME.get(name);

/** The primitives of a surface on this host. Primitives that need a debugger are never offered (BRG-122). */
export const primitivesFor = (host: HostKind): readonly KnownPrimitive[] =>
  PRIMITIVES.filter(({ hosts, capability_class }) => hosts.includes(host) && capability_class !== 'debug');

/** The table in the form that a map uses. */
export const asDictionary = (host?: HostKind): PrimitiveDictionary => ({
  version: 1,
  stage: 'stable',
  primitives: (host === undefined ? PRIMITIVES : primitivesFor(host)).map((each) => ({
    name: each.name,
    version: 1,
    stage: 'stable',
    summary: each.summary,
    capability_class: each.capability_class,
    portable: each.capability_class === 'portable',
    capabilities: [each.name],
    input_schema: { ...each.input_schema },
    output_schema: { ...each.output_schema },
    adapters: Object.fromEntries(each.hosts.map((kind) => [kind, { support: 'full' }])),
    errors: [...each.errors, ...each.reasons],
    conformance: { effect: each.effect },
  })),
});
