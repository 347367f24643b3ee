import type { TObject } from 'typebox';
import type { ErrorCode } from '../wire/error-codes.ts';
import { HOST_KINDS, type HostKind } from './host-kind.ts';

/** Who can do it: any page script; a host with rights over the browser; only a debugger; both; the bridge itself. */
export const CAPABILITY_CLASSES = ['portable', 'privileged', 'debug', 'mixed', 'bridge'] as const;
export type CapabilityClass = (typeof CAPABILITY_CLASSES)[number];

/** One small browser operation, as data. Its handler is the runtime's. */
export interface PrimitiveSpec<
  Name extends string = string,
  Input extends TObject = TObject,
  Output extends TObject = TObject,
> {
  readonly name: Name;
  readonly summary: string;
  readonly input_schema: Input;
  readonly output_schema: Output;
  readonly capability_class: CapabilityClass;
  readonly effect: 'read' | 'act';
  /** May change what the page or the site holds: a workflow that uses it owes a postcondition. */
  readonly mutates: boolean;
  readonly hosts: readonly HostKind[];
  readonly errors: readonly ErrorCode[];
  /** What `evidence.reason` of those errors may say. */
  readonly reasons: readonly string[];
}

type Wording<Input extends TObject, Output extends TObject> = Pick<
  PrimitiveSpec<string, Input, Output>,
  'summary' | 'effect'
> & {
  readonly input: Input;
  readonly output: Output;
  readonly mutates?: boolean;
  readonly errors?: readonly ErrorCode[];
  readonly reasons?: readonly string[];
};

/** What can go wrong with every primitive goes without saying. */
const ALWAYS = ['invalid_input', 'state_mismatch', 'handler_timeout'] as const satisfies ErrorCode[];

const specOn =
  (capability_class: CapabilityClass, hosts: readonly HostKind[]) =>
  <Name extends string, Input extends TObject, Output extends TObject>(
    name: Name,
    { summary, effect, input, output, mutates = false, errors = [], reasons = [] }: Wording<Input, Output>,
  ): PrimitiveSpec<Name, Input, Output> => ({
    name,
    summary,
    input_schema: input,
    output_schema: output,
    capability_class,
    effect,
    mutates,
    hosts,
    errors: [...new Set([...ALWAYS, ...(hosts === HOST_KINDS ? [] : [LACKING]), ...errors])],
    reasons,
  });

const LACKING: ErrorCode = 'capability_unavailable';

/** Page script alone can do it. */
export const portable = specOn('portable', HOST_KINDS);
/** Page script can do it in its way, a host with trusted input better. */
export const mixed = specOn('mixed', HOST_KINDS);
/** Takes rights over the browser: tabs, pictures, dialogs. */
export const privileged = specOn('privileged', ['cdp', 'extension']);
/** Kept by a runtime that lives outside the page. */
export const kept = specOn('privileged', ['cdp', 'extension', 'direct']);
