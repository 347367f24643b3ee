import { type Activity, type Session, TASK_SIGNATURE } from '@drawbridge/protocol';

const AT_REST: readonly Activity['kind'][] = ['idle', 'waiting_for_user'];

export const isWorking = (activity: Activity | undefined): boolean =>
  activity !== undefined && !AT_REST.includes(activity.kind);

export const isAway = ({ status }: Pick<Session, 'status'>): boolean => status === 'disconnected';

/** TSK-65 */
export const isTask = ({ target_signature }: Pick<Session, 'target_signature'>): boolean =>
  target_signature === TASK_SIGNATURE;

/** A task's session is connected until the task is over and the relay restarts. */
export const isOver = (session: Pick<Session, 'status' | 'target_signature'>): boolean =>
  isTask(session) && isAway(session);
