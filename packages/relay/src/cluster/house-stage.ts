import { createRelayCore } from '../core/relay-core.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { createChatPort } from '../server/chat/chat-port.ts';
import { createFrontDoor } from '../server/front-door.ts';
import { openHouse } from '../server/house.ts';
import { measured } from '../server/metrics.ts';
import { ledgerSecrets } from './cluster-secrets.ts';
import type { NodeGround, Stage } from './node-ground.ts';
import { orderNotes } from './ordered-notes.ts';

/** Leader role, for one term. */
export async function openKeptHouse(ground: NodeGround, term: number, onFenced: () => void): Promise<Stage> {
  const { options, clock, onFault, metrics, id, bus, guard, nodes } = ground;
  const ledger = measured(watched(ground.ledger.fenced(term), onFenced), metrics);
  const notes = await orderNotes({ bus, ledger, clock, onFault });
  const house = await openHouse(ground, {
    ledger,
    bus: notes.bus,
    openCore: () => createRelayCore({ ledger, clock, id, bus, onFault }, options.times),
    contents: ground.contents,
    secrets: ledgerSecrets(ledger),
    isReady: ground.isReady,
    relayHosts: ground.relayHosts,
  }).catch((error: unknown) => {
    notes.close();
    throw error;
  });
  const { core, devices, app, credentials } = house;
  const chat = createChatPort({ ...ground, core });
  const door = createFrontDoor({ ...ground, app, guard, credentials, chat, house, nodes });
  devices.onRevoked((device_id) => {
    door.dismiss(device_id);
    core.revoke(device_id);
  });

  const end = async (ms: number, empty = async (): Promise<void> => {}): Promise<void> => {
    door.shut();
    // A ledger that does not answer may delay the close, and clients must reach the next leader by then.
    const late = setTimeout(door.terminate, ms);
    await house.close(empty, ms);
    clearTimeout(late);
    notes.close();
    door.terminate();
    chat.close();
  };
  let closing: Promise<void> | undefined;
  return {
    door,
    changed: devices.forget,
    async resync() {
      await Promise.all([core.resync(), notes.resync()]);
    },
    close(ms, empty) {
      closing ??= end(ms, empty);
      return closing;
    },
  };
}

/** Reports the end of the term at the first fenced commit. */
function watched(ledger: Ledger, onFenced: () => void): Ledger {
  return {
    ...ledger,
    async commit(writes) {
      try {
        return await ledger.commit(writes);
      } catch (error) {
        if (error instanceof LedgerError && error.code === 'ledger_fenced') onFenced();
        throw error;
      }
    },
  };
}
