import type { Ledger } from '@drawbridge/ledger';
import type { NoticePreferences, NoticeSettings } from '@drawbridge/protocol/http';
import { isObject } from '@drawbridge/protocol/manifest';
import { trustJson } from '../core/frames.ts';
import { deviceOf } from '../devices/device.ts';
import { isPerson, maySeeSession } from '../server/guard/permission.ts';
import { type Channel, createChannel } from './channel.ts';
import type { Notification } from './compose.ts';
import type { Notice, NoticeLanguage, NoticeRow, SuppressionReason } from './notice.ts';
import { type NoticeRecord, openNoticeRecord } from './notice-record.ts';
import { type PushPostOptions, pushPost } from './push-post.ts';
import { type PushSubscription, parseSubscription } from './push-subscription.ts';
import { isQuiet, parsePreferences, USUAL_PREFERENCES } from './quiet-hours.ts';
import type { RetryOptions } from './retry-delivery.ts';
import type { Screens } from './screens.ts';
import { noticeLanguage } from './words.ts';

export interface PushDevicesOptions extends RetryOptions, PushPostOptions {
  readonly ledger: Ledger;
  readonly screens: Screens;
  readonly onError: (error: unknown) => void;
}

/** Devices with Web Push: one subscription each. */
export interface PushDevices {
  readonly view: (device_id: string) => Promise<NoticeSettings>;
  readonly prefer: (device_id: string, preferences: NoticePreferences) => Promise<void>;
  /** Takes over the subscription when the same browser belonged to another device. */
  readonly subscribe: (
    device_id: string,
    subscription: PushSubscription,
    language: NoticeLanguage,
  ) => Promise<void>;
  readonly unsubscribe: (device_id: string) => Promise<void>;
  readonly rows: (device_id: string) => Promise<readonly NoticeRow[]>;
  /** Resolves when every device was checked; the sends continue in the background. */
  readonly notify: (notification: Notification) => Promise<void>;
  readonly revoke: (tag: string) => void;
  /** Ignores quiet hours and visible screens; undefined without a subscription. */
  readonly test: (device_id: string, notice: Notice) => Promise<NoticeRow | undefined>;
  readonly resume: (isOver: (row: NoticeRow) => boolean) => void;
  /** Called when the device was revoked. */
  readonly dismiss: (device_id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface PushDevice {
  readonly record: NoticeRecord;
  readonly channel: Channel;
  subscription: PushSubscription | undefined;
  preferences: NoticePreferences;
  language: NoticeLanguage;
}

const settingOf = (device_id: string): string => `push:${device_id}`;

export async function createPushDevices(options: PushDevicesOptions): Promise<PushDevices> {
  const { ledger, clock, keys, screens, onError } = options;
  const known = new Map<string, Promise<PushDevice>>();
  const post = pushPost(options);

  const open = async (device_id: string): Promise<PushDevice> => {
    const record = await openNoticeRecord({ ledger, key: `notices:${device_id}`, onError });
    const stored = parseStored(await ledger.setting(settingOf(device_id)), keys.public_key);
    const device: PushDevice = {
      record,
      ...stored,
      channel: createChannel({
        ...options,
        record,
        post: (message) => {
          if (device.subscription === undefined) return Promise.resolve({ status: 410 });
          return post(device.subscription, message);
        },
        onGone: () => {
          unsubscribe(device_id).catch(onError);
        },
      }),
    };
    return device;
  };

  const deviceAt = (device_id: string): Promise<PushDevice> => {
    const found = known.get(device_id) ?? open(device_id);
    known.set(device_id, found);
    return found;
  };

  const save = async (device_id: string, device: PushDevice): Promise<void> => {
    const { subscription = null, preferences, language } = device;
    const value = { subscription, preferences, language, public_key: keys.public_key };
    await ledger.commit([{ do: 'put_setting', key: settingOf(device_id), value: trustJson(value) }]);
  };

  const unsubscribe = async (device_id: string): Promise<void> => {
    const device = await deviceAt(device_id);
    if (device.subscription === undefined) return;
    device.subscription = undefined;
    await save(device_id, device);
  };

  /** Undefined when the notification should be sent. */
  const reasonAgainst = (
    device_id: string,
    { preferences: { quiet_hours } }: PushDevice,
    { kind, session_id }: Notice,
  ): SuppressionReason | undefined => {
    if (session_id !== null && screens.shows(device_id, session_id)) return 'visible';
    return kind !== 'test' && isQuiet(quiet_hours, kind, clock.now()) ? 'quiet_hours' : undefined;
  };

  const maySee = async (device_id: string, { session, to }: Notification): Promise<boolean> => {
    if (to !== undefined && to !== device_id) return false;
    const found = await ledger.device(device_id);
    if (found === undefined || found.revoked_at !== null) return false;
    const identity = deviceOf(found, null);
    return isPerson(identity) && maySeeSession(identity, session.session_id, session.proxy_device_id);
  };

  for (const { device_id, revoked_at } of await ledger.devices()) {
    if (revoked_at === null && (await ledger.setting(settingOf(device_id))) !== undefined) {
      await deviceAt(device_id);
    }
  }
  const all = async (): Promise<readonly (readonly [string, PushDevice])[]> =>
    Promise.all([...known].map(async ([device_id, device]) => [device_id, await device] as const));

  return {
    unsubscribe,
    async view(device_id) {
      const { subscription, preferences, language } = await deviceAt(device_id);
      return { subscribed: subscription !== undefined, language, ...preferences };
    },
    async prefer(device_id, preferences) {
      const device = await deviceAt(device_id);
      device.preferences = preferences;
      await save(device_id, device);
    },
    async subscribe(device_id, subscription, language) {
      for (const [other, device] of await all()) {
        const isSame = device.subscription?.endpoint === subscription.endpoint;
        if (isSame && other !== device_id) await unsubscribe(other);
      }
      const device = await deviceAt(device_id);
      device.subscription = subscription;
      device.language = language;
      await save(device_id, device);
    },
    rows: async (device_id) => (await deviceAt(device_id)).record.rows(),
    async notify(notification) {
      for (const [device_id, device] of await all()) {
        const notice = notification.notices[device.language];
        const wants = device.preferences.kinds.some((kind) => kind === notice.kind);
        if (device.subscription === undefined || !wants || !(await maySee(device_id, notification))) continue;
        device.channel.notify(notice, reasonAgainst(device_id, device, notice)).catch(onError);
      }
    },
    revoke(tag) {
      for (const device of known.values()) device.then(({ channel }) => channel.revoke(tag)).catch(onError);
    },
    async test(device_id, notice) {
      const { subscription, channel } = await deviceAt(device_id);
      return subscription === undefined ? undefined : channel.notify(notice);
    },
    resume(isOver) {
      for (const device of known.values())
        device.then(({ channel }) => channel.resume(isOver)).catch(onError);
    },
    async dismiss(device_id) {
      screens.forget(device_id);
      const device = await known.get(device_id);
      if (device === undefined) return;
      known.delete(device_id);
      device.channel.close();
      device.subscription = undefined;
      await device.record.drop();
      await ledger.commit([{ do: 'put_setting', key: settingOf(device_id), value: null }]);
    },
    async close() {
      for (const [, { channel, record }] of await all()) {
        channel.close();
        await record.close();
      }
    },
  };
}

/** A subscription is bound to its key: push services refuse it with another. */
function parseStored(
  value: unknown,
  public_key: string,
): Pick<PushDevice, 'subscription' | 'preferences' | 'language'> {
  const stored = isObject(value) ? value : {};
  const preferences = isObject(stored['preferences']) ? parsePreferences(stored['preferences']) : '';
  const subscription = parseSubscription(stored['subscription']);
  return {
    language: noticeLanguage(stored['language']),
    preferences: typeof preferences === 'string' ? USUAL_PREFERENCES : preferences,
    subscription:
      typeof subscription === 'string' || stored['public_key'] !== public_key ? undefined : subscription,
  };
}
