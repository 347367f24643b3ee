/** TSK-22, TSK-23 */
export const DEFAULT_TASK_SERVER = { url: 'ws://localhost:8080', connectSeconds: 10 } as const;

const SECONDS = { least: 1, most: 30 };

/** Why these settings are invalid, for a person; undefined if valid. */
export function taskServerProblem(url: string, connectSeconds: number): string | undefined {
  const { protocol = '' } = URL.canParse(url) ? new URL(url) : {};
  if (protocol !== 'ws:' && protocol !== 'wss:')
    return 'The address of a task server begins with ws:// or wss://.';
  if (new URL(url).hash !== '') return 'The address of a task server has no #.';
  return connectSeconds >= SECONDS.least && connectSeconds <= SECONDS.most
    ? undefined
    : `Connecting may take ${SECONDS.least} to ${SECONDS.most} seconds.`;
}

/** TSK-27: without a token. */
export const shownUrl = (url: string): string => url.replace(/[?#].*$/s, '');
