import type { TObject } from 'typebox';
import type { ErrorCode } from '../wire/error-codes.ts';
import { HOST_KINDS, type HostKind } from './host-kind.ts';

/**
 * Required rights: page script; rights over the browser; a debugger; page script or more; the bridge itself.
 */
export const CAPABILITY_CLASSES = ['portable', 'privileged', 'debug', 'mixed', 'bridge'] as const;
export type CapabilityClass = (typeof CAPABILITY_CLASSES)[number];

/** One small browser operation. The runtime has its handler. */
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
  /** May change the page or the site, so a workflow that uses it needs a postcondition. */
  readonly mutates: boolean;
  readonly hosts: readonly HostKind[];
  readonly errors: readonly ErrorCode[];
  /** Possible values of `evidence.reason` in those errors. */
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

/** Errors of every primitive. */
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

/** Page script is enough. */
export const portable = specOn('portable', HOST_KINDS);
/** Page script is enough; a host with trusted input does it better. */
export const mixed = specOn('mixed', HOST_KINDS);
/** Needs rights over the browser: tabs, screenshots, dialogs. */
export const privileged = specOn('privileged', ['cdp', 'extension']);
/** Needs the files of the browser's machine. */
export const onMachine = specOn('privileged', ['cdp']);
/** State that a runtime outside the page keeps. */
export const kept = specOn('privileged', ['cdp', 'extension', 'direct']);
