import type { Activity, Session } from '@drawbridge/protocol';

const AT_REST: readonly Activity['kind'][] = ['idle', 'waiting_for_user'];

export const isWorking = (activity: Activity | undefined): boolean =>
  activity !== undefined && !AT_REST.includes(activity.kind);

export const isAway = ({ status }: Pick<Session, 'status'>): boolean => status === 'disconnected';
