import { useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';

/** The page of a question. `box` is the element that would be used, in the picture's own pixels. */
export interface QuestionPicture {
  readonly image: string;
  readonly mime_type: string;
  readonly width: number;
  readonly height: number;
  readonly box?: readonly [left: number, top: number, width: number, height: number];
}

/** Undefined where the browser gives no picture. */
export type LoadPicture = (prompt_id: string) => Promise<QuestionPicture | undefined>;

/** The frame stays visible around a small element. */
const MARGIN_PX = 4;
/** Height shown, as a share of the width: headline and buttons are in sight together, on a low wide screen too. */
const shownShare = (): number => (matchMedia('(min-width: 640px)').matches ? 0.25 : 0.45);

/** Shows the page with the element framed; nothing while it loads, or without a picture. */
export function PromptPicture({
  prompt_id,
  load,
}: {
  readonly prompt_id: string;
  readonly load: LoadPicture;
}) {
  const words = useWords();
  const [picture, setPicture] = useState<QuestionPicture>();
  useEffect(() => {
    let isOver = false;
    load(prompt_id).then(
      (loaded) => {
        if (!isOver) setPicture(loaded);
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [prompt_id, load]);
  if (picture === undefined) return null;
  const { image, mime_type, width, height, box } = picture;
  const share = (part: number, of: number): string => `${(100 * part) / of}%`;
  const shown = Math.min(height, shownShare() * width);
  const middle = box === undefined ? 0 : box[1] + box[3] / 2;
  const top = Math.max(0, Math.min(middle - shown / 2, height - shown));
  return (
    <div
      className="relative w-full max-w-lg self-start overflow-hidden rounded-md border border-line"
      style={{ aspectRatio: `${width} / ${shown}` }}
    >
      <img
        style={{ marginTop: share(-top, width) }}
        src={`data:${mime_type};base64,${image}`}
        alt={words.prompt.picture}
        width={width}
        height={height}
        className="block h-auto w-full"
      />
      {box ? (
        <span
          aria-hidden
          data-testid="framed"
          className="absolute rounded-md outline-3 outline-wait"
          style={{
            left: share(box[0] - MARGIN_PX, width),
            top: share(box[1] - top - MARGIN_PX, shown),
            width: share(box[2] + 2 * MARGIN_PX, width),
            height: share(box[3] + 2 * MARGIN_PX, shown),
          }}
        />
      ) : null}
    </div>
  );
}
