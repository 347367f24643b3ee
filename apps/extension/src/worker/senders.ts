/** Who is listened to. Nothing here is `externally_connectable`, but a page's own world may try all the same. */
type Sender = chrome.runtime.MessageSender;

const isOurs = ({ id }: Sender): boolean => id === chrome.runtime.id;
const ownOrigin = (): string => new URL(chrome.runtime.getURL('/')).origin;

/** The side panel, the options, the first page: documents of ours, whether in a panel or in a tab. */
export const isFromOwnPage = (sender: Sender): boolean =>
  isOurs(sender) && sender.origin === ownOrigin() && sender.url?.startsWith(`${ownOrigin()}/`) === true;

/** The service worker: ours, and in no tab and no frame. */
export const isFromWorker = (sender: Sender): boolean =>
  isOurs(sender) && sender.tab === undefined && sender.documentId === undefined;

/** Page code in a document of a tab: it says which, and Chrome vouches for it. */
export function pageOf(
  sender: Sender | undefined,
): { readonly tabId: number; readonly frameId: number; readonly documentId: string } | undefined {
  if (sender === undefined || !isOurs(sender) || sender.origin === ownOrigin()) return undefined;
  const { tab, frameId, documentId } = sender;
  if (tab?.id === undefined || frameId === undefined || documentId === undefined) return undefined;
  return { tabId: tab.id, frameId, documentId };
}
