import { createMutex } from '@drawbridge/base';
import type { Ledger } from '@drawbridge/ledger';
import type { Hono } from 'hono';
import type { CoreClock, RelayCore } from '../core/ports.ts';
import type { AuthMiddleware } from '../devices/auth-middleware.ts';
import type { PrivateFiles } from '../devices/private-file.ts';
import type { Random } from '../devices/secret.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { composeNotification, type ObservedEvent } from './compose.ts';
import type { NoticeRow } from './notice.ts';
import { openNoticeFile, writeNoticeFile } from './notice-file.ts';
import { createNotificationEvents, NOTIFYING, promptKey, promptTag } from './notification-events.ts';
import { createOutbound } from './outbound.ts';
import { createPushDevices } from './push-devices.ts';
import { pushRoutes } from './push-routes.ts';
import { RETRY_MS } from './retry-delivery.ts';
import { createScreens } from './screens.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { createWebhooks } from './webhooks.ts';

/** Options of whoever starts a relay. */
export interface NoticeOptions {
  /** Contact for push services: `mailto:` or `https:`. */
  readonly contact?: string;
  /** Whether webhooks and push services on this machine may be called. False by default. */
  readonly loopback?: boolean;
  readonly retryMs?: readonly number[];
}

export interface NotificationsOptions extends NoticeOptions {
  readonly ledger: Ledger;
  readonly core: Pick<RelayCore, 'onEvents'>;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly random: Random;
  readonly secrets: PrivateFiles;
  readonly credentials: Credentials;
  readonly onError: (error: unknown) => void;
}

/** Notifies people who look elsewhere, by Web Push and webhooks. Never awaited by the core. */
export type Notifications = Awaited<ReturnType<typeof createNotifications>>;

/** A name that does not resolve: push services only check its form. */
const CONTACT = 'mailto:relay@drawbridge.example';

export async function createNotifications(options: NotificationsOptions) {
  const { ledger, core, clock, secrets, onError, contact = CONTACT, retryMs = RETRY_MS } = options;
  const outbound = createOutbound({ loopback: options.loopback === true });
  const { push: keys, webhooks: stored } = await openNoticeFile(secrets);
  const screens = createScreens(clock.now);
  const devices = await createPushDevices({
    ledger,
    clock,
    retryMs,
    outbound,
    keys,
    contact,
    screens,
    onError,
  });
  const keepAlone = createMutex();
  const webhooks = await createWebhooks({
    ...{ ledger, clock, retryMs, outbound, stored, onError },
    // Serialized: both would write the same file.
    keep: (list) => keepAlone(() => writeNoticeFile(secrets, { push: keys, webhooks: list })),
  });

  const notify = async (heard: ObservedEvent): Promise<void> => {
    const notification = await composeNotification(ledger, heard);
    if (notification === undefined) return;
    webhooks.notify(notification);
    await devices.notify(notification);
  };

  const revoke = (tag: string): void => {
    webhooks.revoke(tag);
    devices.revoke(tag);
  };

  /** Processes events between the last one of the previous process and the first one of this. */
  const catchUp = async (): Promise<void> => {
    const prompts = await ledger.openPrompts();
    const unsettled = [...prompts, ...(await ledger.answeringPrompts())];
    const open = new Set(unsettled.map(({ session_id, prompt_id }) => promptTag(session_id, prompt_id)));
    const isOver = ({ kind, tag }: NoticeRow): boolean => kind === 'prompt' && !open.has(tag);
    devices.resume(isOver);
    webhooks.resume(isOver);
    for (const { session_id, prompt_id, body, opened_at } of prompts) {
      const key = promptKey(session_id, prompt_id, body['detected_at']);
      const notificationEvent = {
        kind: 'prompt',
        key,
        prompt_id,
        text: String(body['prompt_text']),
      } as const;
      await notify({ notificationEvent, session_id, event_id: key, at: opened_at });
    }
  };

  const eventsIn = createNotificationEvents();
  /** Serialized, so a notification is sent before its answer closes it. */
  const inOrder = createMutex();
  inOrder(catchUp).catch(onError);
  const stop = core.onEvents(NOTIFYING, (event) => {
    const { session_id, event_id, at } = event;
    for (const notificationEvent of eventsIn(event)) {
      const work =
        notificationEvent.kind === 'over'
          ? async () => revoke(notificationEvent.tag)
          : () => notify({ notificationEvent, session_id, event_id, at });
      inOrder(work).catch(onError);
    }
  });

  const routed = { ...options, webhooks, devices, screens, outbound, public_key: keys.public_key };
  return {
    /** Mounted at `/api/push` and `/api/webhooks`. */
    routes(app: Hono<RelayEnv>, auth: Pick<AuthMiddleware, 'confirm'>): void {
      app.route('/', pushRoutes(routed));
      app.route('/', webhookRoutes({ ...routed, auth }));
    },
    /** Called when the device was revoked. */
    dismiss(device_id: string): void {
      devices.dismiss(device_id).catch(onError);
    },
    /** Unsent notifications go out after the next start. Idempotent. */
    async close(): Promise<void> {
      stop();
      await inOrder(async () => {});
      await Promise.all([devices.close(), webhooks.close(), keepAlone(async () => {})]);
    },
  };
}
