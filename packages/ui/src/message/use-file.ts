import { useEffect, useState } from 'react';

/** Fetches a file with credentials, which a link or `<img>` cannot send. */
export type LoadFile = (file_id: string) => Promise<Blob>;

/** Types that browsers show as a picture, never as a document. */
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;

/** Blob URL of the picture; undefined while loading and for other files. */
export function usePicture(loadFile: LoadFile, file_id: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file_id === undefined) return;
    let made: string | undefined;
    let isOver = false;
    loadFile(file_id).then(
      (file) => {
        if (isOver || !PICTURE.test(file.type)) return;
        made = URL.createObjectURL(file);
        setUrl(made);
      },
      () => {},
    );
    return () => {
      isOver = true;
      setUrl(undefined);
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [loadFile, file_id]);
  return url;
}

const SAVED_MS = 60_000;

/** Downloads with a neutral type, so no browser opens it as a page of this origin. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}
