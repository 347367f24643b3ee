import type { Attachment, Upload, Words } from '@drawbridge/ui';
import { useRef, useState } from 'react';
import type { Api } from '../client/api.ts';
import { problemText } from '../client/request.ts';

interface OwnUpload extends Upload {
  readonly file: File;
  readonly attachment?: Attachment;
}

export interface Uploads {
  readonly list: readonly Upload[];
  readonly attachments: readonly Attachment[];
  readonly add: (files: readonly File[]) => void;
  readonly remove: (id: string) => void;
  readonly retry: (id: string) => void;
  readonly clear: () => void;
}

/** Uploads files before their message is sent. */
export function useUploads(session_id: string, api: Pick<Api, 'upload'>, words: Words): Uploads {
  const [uploads, setUploads] = useState<readonly OwnUpload[]>([]);
  const count = useRef(0);

  const change = (id: string, changes: Partial<OwnUpload>): void =>
    setUploads((known) => known.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const start = (id: string, file: File): void => {
    api.upload(session_id, file).then(
      ({ file_id, name, media_type }) => {
        const kind = media_type.startsWith('image/') ? 'image' : 'file';
        change(id, { state: 'there', attachment: { attachment_id: file_id, name, kind } });
      },
      (error: unknown) => change(id, { state: 'failed', problem: problemText(error, words) }),
    );
  };

  return {
    list: uploads,
    attachments: uploads.flatMap(({ attachment }) => attachment ?? []),
    add(files) {
      const fresh = files.map((file): OwnUpload => {
        count.current += 1;
        return { id: String(count.current), name: file.name, state: 'uploading', file };
      });
      setUploads((known) => [...known, ...fresh]);
      for (const { id, file } of fresh) start(id, file);
    },
    remove: (id) => setUploads((known) => known.filter((upload) => upload.id !== id)),
    retry(id) {
      const upload = uploads.find((one) => one.id === id);
      if (upload === undefined) return;
      change(id, { state: 'uploading' });
      start(id, upload.file);
    },
    clear: () => setUploads([]),
  };
}
