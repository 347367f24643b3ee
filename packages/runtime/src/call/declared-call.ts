import {
  type CallOutcome,
  type CallSurface,
  callTool,
  finishCall,
  type Handler,
  type HandlerRegistry,
  type MapOffer,
  PageLeft,
  postconditionCheck,
  type RunPrimitive,
  readyMap,
  type WorkflowHost,
} from '@drawbridge/manifest';
import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName, primitivesFor } from '@drawbridge/protocol/primitives';
import { effectOfTool, isTrustedMap } from '../grants/tool-effect.ts';
import { trustOf } from '../maps/map-source.ts';
import { type GuardedPress, releaseUntaken } from '../primitives/guarded-press.ts';
import { withLocatedId } from '../primitives/located-press.ts';
import { asRunPrimitive, checkPrimitive } from '../primitives/run-primitive.ts';
import type { CallContext, OriginPin, PinnedDeadline } from './call-context.ts';
import type { Deadline } from './deadline.ts';
import { fillByHand, handsOf } from './fill-by-hand.ts';
import { isHeardByPage, isWait } from './held-forms.ts';
import { createPermission, type Permission, withoutStepQuestions } from './permission.ts';

/** The caller: an agent, and the page's own agent, needs a grant; a person who pressed a button does not. */
export type Actor = 'agent' | 'person' | 'website';

export async function callDeclared(
  call: ActionCall,
  callContext: CallContext,
  deadline: PinnedDeadline,
  actor: Actor = 'agent',
): Promise<unknown> {
  const choice = callContext.map();
  const { offer, speaksFor } = choice;
  choice.requireShown?.(call.name);
  const trust = trustOf(choice, call.name);
  const { pin } = deadline;
  const asking = createPermission(call, callContext, deadline);
  const tool = offer.ready ? offer.map.tools.find(({ name }) => name === call.name) : undefined;
  // A map that nobody vouched for cannot declare its own press harmless.
  const isTrusted = isTrustedMap(trust);
  const stepsNeedNoQuestion = isTrusted && (actor === 'person' || tool?.x_actions?.effect !== undefined);
  const permission = stepsNeedNoQuestion ? withoutStepQuestions(asking, pin) : asking;
  const primitives = hostPrimitivesFor(call, callContext, deadline, pin, permission);
  /** A tool of the page may send a form: held as during a press, unless a person allowed the tool itself. */
  const heldHandlers = (): HandlerRegistry => {
    const handler = callContext.handlers.get(call.name);
    if (handler === undefined) return callContext.handlers;
    const run: Handler = async (input, signal) => {
      const isPermitted = tool !== undefined && effectOfTool(tool, trust) === 'irreversible';
      const asking = permission.askingFor(call.name, {});
      const act = { callId: call.call_id, name: call.name, isPermitted, signal, asking };
      try {
        return (await callContext.heldForms.during(act, () => handler(input, signal))).output;
      } finally {
        callContext.heldForms.abandon(call.call_id);
      }
    };
    return new Map([...callContext.handlers, [call.name, run]]);
  };
  const surface: CallSurface = {
    active: callContext.host.surface().active,
    probe: callContext.probe,
    capabilities: new Set(primitivesFor(callContext.host.kind).map(({ name }) => name)),
    handlers: choice.webTools?.has(call.name) === true ? heldHandlers() : callContext.handlers,
    checkResults: await callContext.check(),
    ledger: callContext.memory.transitions,
    ...(speaksFor && { speaksFor }),
    permit: async (known) => {
      if (!(isTrusted && actor === 'person')) await permission.ask(effectOfTool(known, trust));
      pin.check();
    },
  };
  try {
    return await runToItsEnd(call, offer, surface, primitives, callContext, deadline);
  } catch (error) {
    throw permission.refusal() ?? error;
  }
}

/** A workflow that navigates resumes at the same step on the next page. */
async function runToItsEnd(
  call: ActionCall,
  offer: MapOffer,
  surface: CallSurface,
  primitives: WorkflowHost,
  callContext: CallContext,
  deadline: Deadline,
): Promise<unknown> {
  const { name, arguments: args } = call;
  const started = await callTool(
    offer,
    { name, arguments: args, timeoutMs: deadline.remainingMs() },
    surface,
    primitives,
  );
  callContext.memory.transitions = started.ledger;
  const map = readyMap(offer);
  let result: CallOutcome = started;
  while (result.status === 'waiting_for_page') {
    deadline.doing(`${name}, waiting for the page that comes next`);
    await callContext.nextDocument();
    if (deadline.signal.aborted)
      throw new BridgeError('handler_timeout', 'The next page did not load in time.');
    result = await finishCall(map, name, result.run, primitives);
  }
  return result.output;
}

function hostPrimitivesFor(
  call: ActionCall,
  callContext: CallContext,
  deadline: Deadline,
  pin: OriginPin,
  permission: Permission,
): WorkflowHost {
  const { host, clock, stores, evaluator, extractor, heldForms } = callContext;
  const { offer } = callContext.map();
  const projections = offer.ready ? (offer.map.state_projections ?? []) : [];
  const requireAddress = async (url: string) => callContext.addresses.require(url, call, deadline);
  const { signal: withTurn } = deadline;
  const context = { host, signal: withTurn, clock, origin: pin.origin, stores, requireAddress };
  const runOne: RunPrimitive = async (name, given, signal) => {
    deadline.doing(`${call.name}: ${name}`);
    callContext.reportProgress(call.call_id, name);
    const primitive = primitiveByName(name);
    const isHeard = primitive !== undefined && isHeardByPage(primitive);
    const isWaiting = primitive !== undefined && isWait(primitive);
    let prepared: GuardedPress | undefined;
    try {
      if (primitive !== undefined) checkPrimitive(primitive, given, host.kind);
      const args = await withLocatedId(name, given, context);
      prepared = await permission.askForStep(name, args);
      const run = asRunPrimitive({ ...context, ...(prepared && { prepared }) });
      if (!isHeard && !isWaiting) return await run(name, args, signal);
      const asking = permission.askingFor(name, args);
      const [isPermitted, shown] = [permission.maySend(), permission.shown()];
      const act = { callId: call.call_id, name, isPermitted, shown, signal, asking };
      const runStep = () => run(name, args, signal);
      const outcome = isHeard ? heldForms.during(act, runStep) : heldForms.afterWait(act, runStep);
      const { output, arrived } = await outcome;
      return arrived === undefined || output instanceof PageLeft ? output : new PageLeft(output);
    } finally {
      await releaseUntaken(prepared, host);
      heldForms.abandon(call.call_id);
    }
  };
  const runPrimitive: RunPrimitive = (name, args, signal) =>
    name === 'element.fill'
      ? fillByHand(
          args,
          handsOf(host, pin.origin, (part, given) => runOne(part, given, signal)),
        )
      : runOne(name, args, signal);
  return {
    runPrimitive,
    evaluator,
    clock,
    signal: deadline.signal,
    runtimeKey: host.runtimeKey,
    checkPostcondition: postconditionCheck({ projections, extractor, evaluator, clock }, call.name),
    isReadOnly: (name) => primitiveByName(name)?.effect === 'read',
  };
}

/** For `affordance.opens`: a person's press needs no agent grant. */
export function runOpened(
  tool: Tool['name'],
  args: ActionCall['arguments'],
  actor: Actor,
  callContext: CallContext,
  deadline: PinnedDeadline,
): Promise<unknown> {
  const call: ActionCall = { type: 'action_call', call_id: `opened-${tool}`, name: tool, arguments: args };
  return callDeclared(call, callContext, deadline, actor);
}
