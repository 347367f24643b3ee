import {
  type CallOutcome,
  type CallSurface,
  callTool,
  finishCall,
  type Hands,
  type MapOffer,
  postconditionCheck,
  type RunPrimitive,
  readyMap,
} from '@drawbridge/manifest';
import { type ActionCall, BridgeError } from '@drawbridge/protocol';
import type { Tool } from '@drawbridge/protocol/manifest';
import { primitiveByName, primitivesFor } from '@drawbridge/protocol/primitives';
import { believesItsMap, effectOfTool } from '../grants/tool-effect.ts';
import { trustOf } from '../maps/map-source.ts';
import { asRunPrimitive } from '../primitives/run-primitive.ts';
import type { Desk } from './desk.ts';
import type { OriginPin, PinnedTurn } from './origin-pin.ts';
import { createPermission, type Permission, trustingSteps } from './permission.ts';
import type { Turn } from './turn.ts';

/** The caller: an agent, and the page's own agent, needs a grant; a person who pressed a button does not. */
export type Actor = 'agent' | 'person' | 'website';

export async function callDeclared(
  call: ActionCall,
  desk: Desk,
  turn: PinnedTurn,
  actor: Actor = 'agent',
): Promise<unknown> {
  const choice = desk.map();
  const { offer, speaksFor } = choice;
  const trust = trustOf(choice, call.name);
  const { pin } = turn;
  const weighing = createPermission(call, desk, turn);
  const tool = offer.ready ? offer.map.tools.find(({ name }) => name === call.name) : undefined;
  // A map that nobody vouched for cannot declare its own press harmless.
  const vouched = believesItsMap(trust);
  const believed = vouched && (actor === 'person' || tool?.x_actions?.effect !== undefined);
  const permission = believed ? trustingSteps(weighing, pin) : weighing;
  const hands = handsFor(call, desk, turn, pin, permission);
  const surface: CallSurface = {
    active: desk.host.surface().active,
    probe: desk.probe,
    capabilities: new Set(primitivesFor(desk.host.kind).map(({ name }) => name)),
    handlers: desk.handlers,
    checkResults: await desk.check(),
    ledger: desk.memory.ledger,
    ...(speaksFor && { speaksFor }),
    permit: async (known) => {
      if (!(vouched && actor === 'person')) await permission.ask(effectOfTool(known, trust));
      pin.check();
    },
  };
  try {
    return await runToItsEnd(call, offer, surface, hands, desk, turn);
  } catch (error) {
    throw permission.refusal() ?? error;
  }
}

/** A workflow that navigates resumes at the same step on the next page. */
async function runToItsEnd(
  call: ActionCall,
  offer: MapOffer,
  surface: CallSurface,
  hands: Hands,
  desk: Desk,
  turn: Turn,
): Promise<unknown> {
  const { name, arguments: args } = call;
  const started = await callTool(
    offer,
    { name, arguments: args, timeoutMs: turn.remainingMs() },
    surface,
    hands,
  );
  desk.memory.ledger = started.ledger;
  const map = readyMap(offer);
  let result: CallOutcome = started;
  while (result.status === 'waiting_for_page') {
    turn.doing(`${name}, waiting for the page that comes next`);
    await desk.nextDocument();
    if (turn.cancellation.cancelled)
      throw new BridgeError('handler_timeout', 'The next page did not load in time.');
    result = await finishCall(map, name, result.run, hands);
  }
  return result.output;
}

function handsFor(call: ActionCall, desk: Desk, turn: Turn, pin: OriginPin, permission: Permission): Hands {
  const { host, clock, stores, evaluator, extractor } = desk;
  const { offer } = desk.map();
  const projections = offer.ready ? (offer.map.state_projections ?? []) : [];
  const requireAddress = async (url: string) => desk.addresses.require(url, call, turn);
  const { cancellation: withTurn } = turn;
  const context = { host, cancellation: withTurn, clock, origin: pin.origin, stores, requireAddress };
  const runPrimitive: RunPrimitive = async (name, args, cancellation) => {
    turn.doing(`${call.name}: ${name}`);
    desk.tellProgress(call.call_id, name);
    const early = await permission.askForStep(name, args);
    try {
      return await asRunPrimitive({ ...context, ...(early && { early }) })(name, args, cancellation);
    } finally {
      early?.drop();
    }
  };
  return {
    runPrimitive,
    evaluator,
    clock,
    cancellation: turn.cancellation,
    runtimeKey: host.runtimeKey,
    checkPostcondition: postconditionCheck({ projections, extractor, evaluator, clock }, call.name),
    onlyLooks: (name) => primitiveByName(name)?.effect === 'read',
  };
}

/** For `affordance.opens`: a person's press needs no agent grant. */
export function runOpened(
  tool: Tool['name'],
  args: ActionCall['arguments'],
  actor: Actor,
  desk: Desk,
  turn: PinnedTurn,
): Promise<unknown> {
  const call: ActionCall = { type: 'action_call', call_id: `opened-${tool}`, name: tool, arguments: args };
  return callDeclared(call, desk, turn, actor);
}
