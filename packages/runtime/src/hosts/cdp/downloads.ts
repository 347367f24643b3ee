import { rm } from 'node:fs/promises';
import type { HostEvent } from '../../host.ts';
import type { BrowserFiles } from './browser-files.ts';
import type { Session } from './connection.ts';
import type { DownloadQuota, DownloadRefusal } from './download-quota.ts';

type Download = Extract<HostEvent, { kind: 'download' }>;

interface Running {
  readonly frameId: string;
  readonly url: string;
  readonly name: string;
  received: number;
}

/**
 * `state` is `started`, `completed`, `canceled` or `refused`; `file` is the path of a completed file.
 * `onDownload` returns whether a lent tab started it; others have no quota.
 */
export function listenForDownloads(
  browser: Session,
  quota: DownloadQuota,
  files: Pick<BrowserFiles, 'add'>,
  onDownload: (frameId: string, event: Download) => boolean,
): void {
  const running = new Map<string, Running>();
  const refused = new Set<string>();

  const refuse = (guid: string, { frameId, url }: Running, refusal: DownloadRefusal): void => {
    running.delete(guid);
    refused.add(guid);
    browser.send('Browser.cancelDownload', { guid }).catch(() => undefined);
    onDownload(frameId, { kind: 'download', url, state: 'refused', refusal });
  };

  browser.on('Browser.downloadWillBegin', ({ guid, frameId, url, suggestedFilename }) => {
    const download = { frameId, url, name: suggestedFilename, received: 0 };
    if (!onDownload(frameId, { kind: 'download', url, file: suggestedFilename, state: 'started' })) return;
    const refusal = quota.begin();
    if (refusal !== undefined) refuse(guid, download, refusal);
    else running.set(guid, download);
  });
  browser.on('Browser.downloadProgress', ({ guid, state, filePath, receivedBytes, totalBytes }) => {
    const isOver = state !== 'inProgress';
    // A small file may be complete before it can be cancelled.
    if (isOver && refused.delete(guid) && filePath !== undefined) {
      rm(filePath, { force: true }).catch(() => undefined);
    }
    const download = running.get(guid);
    if (download === undefined) return;
    const more = receivedBytes - download.received;
    download.received = receivedBytes;
    const refusal = quota.grow(more, isOver ? 0 : Math.max(0, totalBytes - receivedBytes));
    if (!isOver) {
      if (refusal !== undefined) refuse(guid, download, refusal);
      return;
    }
    running.delete(guid);
    const { frameId, url, name } = download;
    const over = { kind: 'download', url, ...(filePath !== undefined && { file: filePath }), state } as const;
    if (state !== 'completed' || filePath === undefined) {
      onDownload(frameId, over);
      return;
    }
    void files
      .add(filePath, name, url)
      .then((saved) => onDownload(frameId, { ...over, ...(saved && { saved }) }));
  });
}
