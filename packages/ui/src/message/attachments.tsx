import { Paperclip } from 'lucide-react';
import { useWords } from '../words/use-words.ts';
import type { Attachment } from './entry.ts';

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

export const isPicture = ({ name = '', kind = '' }: Attachment): boolean =>
  kind === 'image' || kind.startsWith('image/') || PICTURE.test(name);

export interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly fileUrl: (file_id: string) => string;
}

export function AttachmentList({ attachments, fileUrl }: AttachmentListProps) {
  const words = useWords();
  if (attachments.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment) => {
        const { attachment_id, name = words.talk.attachment } = attachment;
        const url = fileUrl(attachment_id);
        return (
          <li key={attachment_id} className="min-w-0 max-w-full">
            <a href={url} download={name} className="block">
              {isPicture(attachment) ? (
                <img
                  src={url}
                  alt={name}
                  loading="lazy"
                  className="max-h-56 max-w-full rounded-md border border-line"
                />
              ) : (
                <span className="flex items-center gap-1 rounded-md border border-line bg-surface px-2 py-1 text-meta">
                  <Paperclip size={14} aria-hidden className="shrink-0" />
                  <span className="truncate">{name}</span>
                </span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
