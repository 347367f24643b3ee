import { isObject } from '@drawbridge/protocol/manifest';
import type { QuestionPicture } from '@drawbridge/ui';

/** Undefined for an answer that is no picture. */
export function parseQuestionPicture(answer: unknown): QuestionPicture | undefined {
  if (!isObject(answer)) return undefined;
  const { image, mime_type, width, height, box } = answer;
  if (typeof image !== 'string' || (mime_type !== 'image/jpeg' && mime_type !== 'image/png'))
    return undefined;
  if (typeof width !== 'number' || typeof height !== 'number') return undefined;
  const framed = parseBox(box);
  return { image, mime_type, width, height, ...(framed && { box: framed }) };
}

function parseBox(box: unknown): QuestionPicture['box'] {
  if (!Array.isArray(box) || box.length !== 4) return undefined;
  const [left, top, width, height]: readonly unknown[] = box;
  return typeof left === 'number' &&
    typeof top === 'number' &&
    typeof width === 'number' &&
    typeof height === 'number'
    ? [left, top, width, height]
    : undefined;
}
