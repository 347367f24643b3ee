import { api, type Me } from './api.ts';
import { deviceLabel } from './device-label.ts';

/** Default names given by the relay and `drawbridge pair`. */
const UNNAMED: readonly string[] = ['New device', 'Person', 'Owner'];

/** Pairs by a link's secret, under the inviter's name or our own default. */
export async function pairDevice(secret: string): Promise<Me> {
  const me = await api.pair(secret);
  if (!UNNAMED.includes(me.label)) return me;
  const label = deviceLabel();
  return api.rename(me.device_id, label).then(
    () => ({ ...me, label }),
    () => me,
  );
}
