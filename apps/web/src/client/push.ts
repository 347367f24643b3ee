import { type NoticeSettings, noticeApi } from './notice-api.ts';

/** Missing in private windows of some browsers, without TLS, and on an iPhone outside the home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

export class PushDenied extends Error {}

/** Must be called from a click: browsers ask the person only then. */
export async function startPush(language: string): Promise<NoticeSettings> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDenied();
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = await noticeApi.key();
  const wanted = { userVisibleOnly: true, applicationServerKey };
  // A subscription made with another relay's key must be removed first.
  const subscription = await pushManager.subscribe(wanted).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  });
  return noticeApi.subscribe(subscription.toJSON(), language);
}

/** Has the relay write in another language; undefined where this browser is not subscribed. */
export async function translatePush(language: string): Promise<NoticeSettings | undefined> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  return subscription === null ? undefined : noticeApi.subscribe(subscription.toJSON(), language);
}

export async function stopPush(): Promise<void> {
  await noticeApi.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}
