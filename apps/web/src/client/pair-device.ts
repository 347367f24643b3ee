import { api, type Me } from './api.ts';
import { deviceLabel } from './device-label.ts';

/** What the relay and `drawbridge pair` call a device that nobody has named. */
const UNNAMED: readonly string[] = ['New device', 'Person', 'Owner'];

/** By the secret of a link, under the name that whoever made it gave, or else under our own. */
export async function pairDevice(secret: string): Promise<Me> {
  const me = await api.pair(secret);
  if (!UNNAMED.includes(me.label)) return me;
  const label = deviceLabel();
  return api.rename(me.device_id, label).then(
    () => ({ ...me, label }),
    () => me,
  );
}
