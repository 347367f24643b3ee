import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { Hono } from 'hono';
import { createRelayCore } from '../core/relay-core.ts';
import { createRegister } from '../devices/register.ts';
import { createChatPort } from '../server/chat/chat-port.ts';
import { credentialsOf } from '../server/leader-services.ts';
import { measured } from '../server/metrics.ts';
import { pageRoutes } from '../server/pages/page-routes.ts';
import { nothingHere, type RelayEnv, refuse } from '../server/relay-env.ts';
import { createRequestRouter } from '../server/request-router.ts';
import type { NodeContext, NodeRole } from './node-context.ts';

/** Follower role: serves people's chat, and proxies every other request to the leader. */
export async function openFollowerRole(context: NodeContext): Promise<NodeRole> {
  const { options, clock, onError, metrics, id, trustedProxy, bus, guard, nodes } = context;
  const ledger = measured(context.ledger, metrics);
  const core = await createRelayCore({ ledger, clock, id, bus, onError }, options.times, 'follower');
  const register = createRegister({ ledger, clock, random: randomBytes, onError });
  const credentials = credentialsOf(context, register);
  const chat = createChatPort({ ...context, core });
  const app = new Hono<RelayEnv>();
  app.route(
    '/',
    pageRoutes({ credentials, metrics, trustedProxy, health: context.health, web: options.web }),
  );
  app.notFound(nothingHere);
  app.onError((error, context) => {
    onError(error);
    return refuse(context, 'internal', 'The relay failed. See its log.');
  });
  const router = createRequestRouter({
    ...context,
    ...{ app, guard, credentials, chat, nodes },
    services: undefined,
  });
  register.onRevoked((device_id) => {
    core.dismiss(device_id);
    router.dismiss(device_id);
  });
  const stopListening = bus.onMessage((message) => {
    if (message.kind === 'heartbeat' && message.revoked.length > 0) register.forget(message.revoked);
  });

  const stopGracefully = async (empty = async (): Promise<void> => {}): Promise<void> => {
    await core.stop();
    await empty();
  };
  const end = async (ms: number, empty?: () => Promise<void>): Promise<void> => {
    router.shut();
    await Promise.race([stopGracefully(empty).catch(onError), passed(ms, undefined, { ref: false })]);
    stopListening();
    router.terminate();
    chat.close();
  };
  let closing: Promise<void> | undefined;
  return {
    router,
    changed: register.forget,
    resync: core.resync,
    close(ms, empty) {
      closing ??= end(ms, empty);
      return closing;
    },
  };
}
