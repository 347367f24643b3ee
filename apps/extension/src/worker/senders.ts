/** Accepted senders. Nothing is `externally_connectable`, but a page may still try. */
type Sender = chrome.runtime.MessageSender;

const isOurs = ({ id }: Sender): boolean => id === chrome.runtime.id;
const ownOrigin = (): string => new URL(chrome.runtime.getURL('/')).origin;

/** Side panel, options and welcome page, in a panel or a tab. */
export const isFromOwnPage = (sender: Sender): boolean =>
  isOurs(sender) && sender.origin === ownOrigin() && sender.url?.startsWith(`${ownOrigin()}/`) === true;

/** The service worker: ours, without a tab or frame. */
export const isFromWorker = (sender: Sender): boolean =>
  isOurs(sender) && sender.tab === undefined && sender.documentId === undefined;

/** Page code in a document of a tab, identified by Chrome. */
export function pageOf(
  sender: Sender | undefined,
): { readonly tabId: number; readonly frameId: number; readonly documentId: string } | undefined {
  if (sender === undefined || !isOurs(sender) || sender.origin === ownOrigin()) return undefined;
  const { tab, frameId, documentId } = sender;
  if (tab?.id === undefined || frameId === undefined || documentId === undefined) return undefined;
  return { tabId: tab.id, frameId, documentId };
}
