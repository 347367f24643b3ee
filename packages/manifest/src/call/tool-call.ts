import { delay } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import type { Manifest, Tool } from '@drawbridge/protocol/manifest';
import { adviceForOther } from '@drawbridge/protocol/primitives';
import { blockOf, type SpeaksFor } from '../check/call-block.ts';
import type { CheckResult } from '../check/check-result.ts';
import type { PageProbe } from '../host.ts';
import { gateCall } from '../state/call-gate.ts';
import type { TransitionLedger } from '../state/transition-ledger.ts';
import { checkSchema } from '../validate/json-schema.ts';
import { continueRun, type RunResult } from '../workflow/driver.ts';
import { callHandler } from '../workflow/handler-call.ts';
import type { WorkflowRun } from '../workflow/run.ts';
import { type StartOptions, startRun } from '../workflow/start.ts';
import { executionOf, type HandlerRegistry } from '../workflow/tool-execution.ts';
import type { WorkflowHost } from '../workflow/workflow-host.ts';
import { type MapOffer, offeredTools, readyMap } from './map-offer.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

/** The surface at the time of the call. */
export interface CallSurface {
  readonly active: boolean;
  readonly probe: PageProbe;
  /** Names of the host's primitives and capabilities. */
  readonly capabilities: ReadonlySet<string>;
  readonly handlers: HandlerRegistry;
  /** Latest results of the map's checks. */
  readonly checkResults: readonly CheckResult[];
  readonly ledger: TransitionLedger;
  /** Conditions in `complete_when` that are not states and that hold according to the host. */
  readonly conditions?: ReadonlySet<string>;
  /** The tools that a check covers, for a composed map. */
  readonly speaksFor?: SpeaksFor;
  /** Called for a well-formed call before the page is read. Throws to refuse the call. */
  readonly permit?: (tool: Tool) => Promise<void>;
}

export type CallOutcome =
  | { readonly status: 'done'; readonly output: unknown }
  /** The page navigated: store the run and call `finishCall` when the page is back. */
  | { readonly status: 'waiting_for_page'; readonly run: WorkflowRun };

export type CallResult = CallOutcome & { readonly ledger: TransitionLedger };

/**
 * Runs one call of a declared tool: known → arguments → capabilities → permission → checks → state → run →
 * result. Throws a BridgeError.
 */
export async function callTool(
  offer: MapOffer,
  call: ToolCall,
  surface: CallSurface,
  host: WorkflowHost,
): Promise<CallResult> {
  const startedAt = host.clock.now();
  const map = readyMap(offer);
  const tool = knownTool(offer, call.name, surface);
  checkArguments(tool, call.arguments);
  checkCapabilities(tool, surface.capabilities);
  await surface.permit?.(tool);
  const { tools, states = [], signals = [], attachments = [], transitions = [], checks = [] } = map;
  const parts = { tools, states, signals, attachments };
  const block = blockOf(tool.name, checks, surface.checkResults, parts, surface.speaksFor);
  if (block !== undefined) throw block;
  const execution = executionOf(tool, surface.handlers);
  const { ledger, conditions } = surface;
  const gate = await gateCall(
    { states, transitions },
    { tool, ledger, now: host.clock.now(), timeoutMs: call.timeoutMs, ...(conditions && { conditions }) },
    surface.probe,
  );
  if (gate.kind === 'refused') throw gate.error;
  if (gate.waitMs > 0) await delay(host.clock, gate.waitMs, host.signal);
  const timeoutMs = call.timeoutMs - (host.clock.now() - startedAt);
  if (execution.kind === 'handler') {
    const { clock, signal } = host;
    const input = call.arguments;
    const output = await callHandler({
      ...execution,
      input,
      clock,
      timeoutMs,
      ...(signal && { signal }),
    });
    return { status: 'done', output: checkedOutput(tool, output), ledger: gate.ledger };
  }
  const run = startRun(execution.plan, call.arguments, {
    now: host.clock.now(),
    timeoutMs,
    ...keyOf(host),
  });
  return { ...outcomeOf(tool, await continueRun(run, host)), ledger: gate.ledger };
}

/** Resumes a call after a navigation, on the page with the same `runtime_key`. */
export async function finishCall(
  map: Manifest,
  name: string,
  run: WorkflowRun,
  host: WorkflowHost,
): Promise<CallOutcome> {
  const tool = map.tools.find((each) => each.name === name);
  if (tool === undefined) throw unknownAction(name, []);
  return outcomeOf(tool, await continueRun(run, host));
}

const keyOf = ({ runtimeKey }: WorkflowHost): Pick<StartOptions, 'runtimeKey'> =>
  runtimeKey === undefined ? {} : { runtimeKey };

function knownTool(offer: MapOffer, name: string, surface: { readonly active: boolean }): Tool {
  const offered = offeredTools(offer, surface);
  const tool = offered.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  throw unknownAction(
    name,
    offered.map((each) => each.name),
  );
}

function unknownAction(name: string, actions: readonly string[]): BridgeError {
  const advice = adviceForOther(name) ?? '"list" of actions.site says which there are';
  const message = `There is no action "${name}" here; ${advice}.`;
  return new BridgeError('unknown_action', message, { evidence: { name, actions } });
}

function checkArguments(tool: Tool, args: ToolCall['arguments']): void {
  const fits = checkSchema(tool.input_schema, args);
  if (fits.ok) return;
  const where = fits.path === '' ? '' : `${fits.path} `;
  const message = `The arguments of ${tool.name} do not fit: ${where}${fits.message}. Correct them and call again.`;
  throw new BridgeError('invalid_input', message, { evidence: { tool: tool.name, path: fits.path } });
}

function checkCapabilities(tool: Tool, capabilities: ReadonlySet<string>): void {
  const missing = (tool.requires ?? []).filter((capability) => !capabilities.has(capability));
  if (missing.length === 0) return;
  throw new BridgeError(
    'capability_unavailable',
    `${tool.name} needs ${missing.join(', ')}, which this host lacks.`,
    {
      evidence: { tool: tool.name, missing },
    },
  );
}

function outcomeOf(tool: Tool, result: RunResult): CallOutcome {
  if (result.status === 'failed') throw result.error;
  if (result.status === 'waiting_for_page') return { status: result.status, run: result.run };
  return { status: result.status, output: checkedOutput(tool, result.output) };
}

function checkedOutput(tool: Tool, output: unknown): unknown {
  const schema = tool.x_actions?.result_schema;
  const fits = schema === undefined ? { ok: true as const } : checkSchema(schema, output);
  if (fits.ok) return output;
  throw new BridgeError(
    'invalid_result',
    `${tool.name} answered with what its result_schema forbids: ${fits.message}. It has run. Look at the page before you call again, and have the map corrected.`,
    {
      evidence: { tool: tool.name, path: fits.path },
    },
  );
}
