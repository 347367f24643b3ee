import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Gate } from '../gate.ts';
import type { FaultPlan } from './fault-plan.ts';

export interface DirectionSettings {
  readonly plan: FaultPlan;
  /** Shut while the direction is paused. */
  readonly gate: Gate;
  readonly schedule: (run: () => void, ms: number) => unknown;
  readonly counts: { forwarded: number; swallowed: number };
}

/** Carries bytes until the stream ends or the plan cuts it. Throws when either socket breaks. */
export async function carry(
  from: Socket,
  to: Socket,
  direction: DirectionSettings,
): Promise<'ended' | 'cut'> {
  for await (const chunk of from) {
    for (const piece of direction.plan.take(chunk)) {
      if (piece.kind === 'cut') return 'cut';
      if (piece.kind === 'swallow') direction.counts.swallowed += piece.bytes.length;
      else await forward(piece.bytes, piece.delayMs, to, direction);
    }
  }
  to.end();
  return 'ended';
}

async function forward(
  bytes: Uint8Array,
  delayMs: number,
  to: Socket,
  direction: DirectionSettings,
): Promise<void> {
  if (delayMs > 0) await new Promise<void>((resolve) => direction.schedule(resolve, delayMs));
  await direction.gate.passed();
  await write(to, bytes);
  direction.counts.forwarded += bytes.length;
  // Segments written within one turn of the event loop would reach a reader in this process merged.
  await turn();
}

function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
