import { perceptualHash } from '@drawbridge/page';

/** INT-269, for a base64 JPEG. */
export async function hashPicture(image: string): Promise<string> {
  const bytes = Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('No canvas can be had.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return perceptualHash(context.getImageData(0, 0, width, height));
}
