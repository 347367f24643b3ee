import type { Words } from '@drawbridge/ui';
import {
  AppWindow,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  MonitorSmartphone,
  ScrollText,
  Settings,
} from '@drawbridge/ui/icons';
import { isAtHome, isOwner } from '../app-context.ts';
import type { Me } from '../client/api.ts';
import type { Route } from '../route.ts';

export interface Destination {
  readonly path: string;
  readonly screen: Route['screen'];
  readonly name: keyof Omit<Words['nav'], 'main' | 'notYours'>;
  readonly Icon: LucideIcon;
  /** Shown in the bottom bar of a phone, which has room for four. */
  readonly isOnPhone: boolean;
  /** Everybody who is paired, unless given: a guest of one session sees nothing else. */
  readonly isFor?: (me: Me) => boolean;
}

/** Every screen. A new one needs a row here, a case of `Route` and a component. */
const DESTINATIONS: readonly Destination[] = [
  { path: '/', screen: 'sessions', name: 'sessions', Icon: MessagesSquare, isOnPhone: true },
  { path: '/tasks', screen: 'tasks', name: 'tasks', Icon: ListChecks, isOnPhone: true, isFor: isAtHome },
  { path: '/tabs', screen: 'tabs', name: 'tabs', Icon: AppWindow, isOnPhone: true, isFor: isAtHome },
  { path: '/devices', screen: 'devices', name: 'devices', Icon: MonitorSmartphone, isOnPhone: false },
  { path: '/audit', screen: 'audit', name: 'audit', Icon: ScrollText, isOnPhone: false, isFor: isOwner },
  { path: '/settings', screen: 'settings', name: 'settings', Icon: Settings, isOnPhone: true },
];

export const destinationsOf = (me: Me): readonly Destination[] =>
  DESTINATIONS.filter(({ isFor }) => isFor?.(me) ?? true);
