import { RecentMap } from '@drawbridge/base';
/** The session that each visible screen of a device shows, as the web app repeats it while it is visible. */
export type Screens = ReturnType<typeof createScreens>;

const SHOWN_MS = 30_000;
const SCREENS_KEPT = 32;

export function createScreens(now: () => number) {
  const devices = new Map<string, Map<string, { readonly session_id: string; readonly until: number }>>();
  return {
    /** `session_id` is null when the screen is hidden or shows no session. */
    show(device_id: string, screen_id: string, session_id: string | null): void {
      const screens = devices.get(device_id) ?? new RecentMap(SCREENS_KEPT);
      devices.set(device_id, screens);
      screens.delete(screen_id);
      if (session_id !== null) screens.set(screen_id, { session_id, until: now() + SHOWN_MS });
    },
    shows: (device_id: string, session_id: string): boolean =>
      [...(devices.get(device_id)?.values() ?? [])].some(
        (screen) => screen.session_id === session_id && screen.until > now(),
      ),
    forget(device_id: string): void {
      devices.delete(device_id);
    },
  };
}
