import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { Hono } from 'hono';
import { createBranchCore } from '../core/branch-core.ts';
import { createRegister } from '../devices/register.ts';
import { createChatPort } from '../server/chat/chat-port.ts';
import { createFrontDoor } from '../server/front-door.ts';
import { credentialsOf } from '../server/house.ts';
import { measured } from '../server/metrics.ts';
import { pageRoutes } from '../server/pages/page-routes.ts';
import { type RelayEnv, refuse } from '../server/relay-env.ts';
import type { NodeGround, Stage } from './node-ground.ts';

/** Follower role: serves people's chat, and proxies every other request to the leader. */
export async function openBranch(ground: NodeGround): Promise<Stage> {
  const { options, clock, onFault, metrics, id, trustedProxy, bus, guard, nodes } = ground;
  const ledger = measured(ground.ledger, metrics);
  const core = await createBranchCore({ ledger, clock, id, bus, onFault }, options.times);
  const register = createRegister({ ledger, clock, random: randomBytes, onFault });
  const credentials = credentialsOf(ground, register);
  const chat = createChatPort({ ...ground, core });
  const app = new Hono<RelayEnv>();
  app.route(
    '/',
    pageRoutes({ credentials, metrics, trustedProxy, isReady: ground.isReady, web: options.web }),
  );
  app.notFound((context) => refuse(context, 'not_found', 'There is nothing here.'));
  app.onError((error, context) => {
    onFault(error);
    return refuse(context, 'internal', 'The relay failed at this. Its log says where.');
  });
  const door = createFrontDoor({
    ...ground,
    ...{ app, guard, credentials, chat, nodes },
    house: undefined,
  });
  register.onRevoked((device_id) => {
    core.dismiss(device_id);
    door.dismiss(device_id);
  });
  const stopHearing = bus.onNote((note) => {
    if (note.kind === 'beat' && note.revoked.length > 0) register.forget(note.revoked);
  });

  const sayGoodbye = async (empty = async (): Promise<void> => {}): Promise<void> => {
    await core.stop();
    await empty();
  };
  const end = async (ms: number, empty?: () => Promise<void>): Promise<void> => {
    door.shut();
    await Promise.race([sayGoodbye(empty).catch(onFault), passed(ms, undefined, { ref: false })]);
    stopHearing();
    door.terminate();
    chat.close();
  };
  let closing: Promise<void> | undefined;
  return {
    door,
    changed: register.forget,
    resync: core.resync,
    close(ms, empty) {
      closing ??= end(ms, empty);
      return closing;
    },
  };
}
