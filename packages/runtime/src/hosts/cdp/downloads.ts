import type { HostEvent } from '../../host.ts';
import type { Session } from './connection.ts';

type Download = Extract<HostEvent, { kind: 'download' }>;

/** `state` is `started`, `completed` or `canceled`; `file` is where it was put, once it is there. */
export function listenForDownloads(
  browser: Session,
  onDownload: (frameId: string, event: Download) => void,
): void {
  const running = new Map<string, { frameId: string; url: string }>();
  browser.on('Browser.downloadWillBegin', ({ guid, frameId, url, suggestedFilename }) => {
    running.set(guid, { frameId, url });
    onDownload(frameId, { kind: 'download', url, file: suggestedFilename, state: 'started' });
  });
  browser.on('Browser.downloadProgress', ({ guid, state, filePath }) => {
    const download = running.get(guid);
    if (download === undefined || state === 'inProgress') return;
    running.delete(guid);
    const { frameId, url } = download;
    onDownload(frameId, { kind: 'download', url, ...(filePath !== undefined && { file: filePath }), state });
  });
}
