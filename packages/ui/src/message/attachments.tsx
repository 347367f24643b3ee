import { Paperclip } from 'lucide-react';
import { useWords } from '../words/use-words.ts';
import type { Attachment } from './entry.ts';
import { type LoadFile, saveFile, usePicture } from './use-file.ts';

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

export const isPicture = ({ name = '', kind = '' }: Attachment): boolean =>
  kind === 'image' || kind.startsWith('image/') || PICTURE.test(name);

export interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly loadFile: LoadFile;
}

export function AttachmentList({ attachments, loadFile }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.attachment_id} className="min-w-0 max-w-full">
          <AttachmentButton attachment={attachment} loadFile={loadFile} />
        </li>
      ))}
    </ul>
  );
}

interface AttachmentButtonProps {
  readonly attachment: Attachment;
  readonly loadFile: LoadFile;
}

function AttachmentButton({ attachment, loadFile }: AttachmentButtonProps) {
  const words = useWords();
  const { attachment_id, name = words.talk.attachment } = attachment;
  const picture = usePicture(loadFile, isPicture(attachment) ? attachment_id : undefined);
  const save = (): void =>
    void loadFile(attachment_id).then(
      (file) => saveFile(file, name),
      () => {},
    );
  return (
    <button type="button" onClick={save} className="block max-w-full cursor-pointer">
      {picture ? (
        <img src={picture} alt={name} className="max-h-56 max-w-full rounded-md border border-line" />
      ) : (
        <span className="flex items-center gap-1 rounded-md border border-line bg-surface px-2 py-1 text-meta">
          <Paperclip size={14} aria-hidden className="shrink-0" />
          <span className="truncate">{name}</span>
        </span>
      )}
    </button>
  );
}
