import { LedgerError } from '@drawbridge/ledger';
import { createRelayCore } from '../core/relay-core.ts';
import { createChatPort } from '../server/chat/chat-port.ts';
import { openLeaderServices } from '../server/leader-services.ts';
import { measured } from '../server/metrics.ts';
import { createRequestRouter } from '../server/request-router.ts';
import { ledgerSecrets } from './cluster-secrets.ts';
import type { NodeContext, NodeRole } from './node-context.ts';

/** Leader role, for one term. */
export async function openLeaderRole(
  context: NodeContext,
  term: number,
  onFenced: () => void,
): Promise<NodeRole> {
  const { options, clock, onError, metrics, id, bus, guard, nodes } = context;
  const ledger = measured(context.ledger.fenced(term), metrics, {
    onFailed: (error) => {
      if (error instanceof LedgerError && error.code === 'ledger_fenced') onFenced();
    },
  });
  const services = await openLeaderServices(context, {
    ledger,
    openCore: () =>
      createRelayCore(
        { ledger, clock, id, bus, onError, onDelivered: metrics.histogram('delivery_seconds') },
        options.times,
      ),
    contents: context.contents,
    secrets: ledgerSecrets(ledger),
    health: context.health,
    relayHosts: context.relayHosts,
  });
  const { core, devices, app, credentials } = services;
  const chat = createChatPort({ ...context, core });
  const router = createRequestRouter({ ...context, app, guard, credentials, chat, services, nodes });
  devices.onRevoked((device_id) => {
    router.dismiss(device_id);
    core.revoke(device_id);
  });

  const end = async (ms: number, empty = async (): Promise<void> => {}): Promise<void> => {
    router.shut();
    // A ledger that does not answer may delay the close, and clients must reach the next leader by then.
    const late = setTimeout(router.terminate, ms);
    await services.close(empty, ms);
    clearTimeout(late);
    router.terminate();
    chat.close();
  };
  let closing: Promise<void> | undefined;
  return {
    router,
    changed: devices.forget,
    resync: core.resync,
    close(ms, empty) {
      closing ??= end(ms, empty);
      return closing;
    },
  };
}
