import { type NoticeSettings, noticeApi } from './notice-api.ts';

/** Not in private windows of some browsers, not without TLS, and on an iPhone only from the home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

export class PushDenied extends Error {}

/** Asked from a click: browsers ask the person only then. */
export async function startPush(): Promise<NoticeSettings> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDenied();
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = await noticeApi.key();
  const wanted = { userVisibleOnly: true, applicationServerKey };
  // One that was made with another relay's key is in the way.
  const subscription = await pushManager.subscribe(wanted).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  });
  return noticeApi.subscribe(subscription.toJSON());
}

export async function stopPush(): Promise<void> {
  await noticeApi.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}
