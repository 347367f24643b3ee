import { setTimeout as passed } from 'node:timers/promises';
import type { Picture, PictureOptions, ViewportPart } from '../../host.ts';
import type { Session } from './connection.ts';
import type { FramePosition } from './frame-owner.ts';
import { type PageFrame, soon } from './page-frame.ts';

/** A screenshot of the viewport in the requested size, with every secret and every `closed` frame covered. */
export async function takePicture(
  session: Session,
  frames: readonly PageFrame[],
  closed: readonly PageFrame[],
  { format, quality = 80, maxWidth = Infinity, maxHeight = Infinity }: PictureOptions,
): Promise<Picture> {
  try {
    // One frame that cannot be masked prevents the screenshot.
    await Promise.all(
      frames.map(async (frame) => {
        const inside = closed.filter(({ holder }) => holder === frame);
        const boxes = await Promise.all(inside.map(async (each) => boxOf(await each.position())));
        await soon(frame, frame.call('installMasks', [boxes]));
      }),
    );
    const [{ cssVisualViewport }, { result }] = await Promise.all([
      session.send('Page.getLayoutMetrics'),
      session.send('Runtime.evaluate', { expression: 'devicePixelRatio', returnByValue: true }),
    ]);
    const { clientWidth, clientHeight, pageX, pageY } = cssVisualViewport;
    const density = Number(result.value);
    const scale = Math.min(1, maxWidth / (clientWidth * density), maxHeight / (clientHeight * density));
    const clip = { x: pageX, y: pageY, width: clientWidth, height: clientHeight, scale };
    const { data } = await session.send('Page.captureScreenshot', {
      format,
      ...(format === 'jpeg' && { quality }),
      clip,
      optimizeForSpeed: true,
    });
    if (scale < 1) await unscaled(session);
    return { image: data, mime_type: `image/${format}`, ...sizeOf(Buffer.from(data, 'base64')) };
  } finally {
    await Promise.allSettled(frames.map((frame) => soon(frame, frame.call('removeMasks', []))));
  }
}

/** After a scaled capture, input for a frame of another site may miss: after two frames, in two of 100 presses. */
const SCALED_FRAMES = 4;
const FRAMES_AGAIN = `new Promise((resolve) => {
  let left = ${SCALED_FRAMES};
  const draw = () => (left-- > 0 ? requestAnimationFrame(draw) : resolve());
  draw();
})`;
/** A hidden page draws none. */
const FRAMES_LIMIT_MS = 200;

async function unscaled(session: Session): Promise<void> {
  const drawn = session.send('Runtime.evaluate', { expression: FRAMES_AGAIN, awaitPromise: true });
  await Promise.race([drawn.catch(() => undefined), passed(FRAMES_LIMIT_MS, undefined, { ref: false })]);
}

/** Any picture of this part of the viewport: two of the same pixels are equal. */
export async function drawnIn(session: Pick<Session, 'send'>, part: ViewportPart): Promise<string> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  const { pageX, pageY } = cssVisualViewport;
  const clip = { ...part, x: pageX + part.x, y: pageY + part.y, scale: 1 };
  return (await session.send('Page.captureScreenshot', { format: 'png', clip, optimizeForSpeed: true })).data;
}

const boxOf = ({ left, top, width, height }: FramePosition) => ({ x: left, y: top, width, height });

/**
 * Reads the size from the file header: https://www.w3.org/TR/png-3/#11IHDR,
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.2.2.
 */
function sizeOf(image: Buffer): { width: number; height: number } {
  if (image.readUInt8(0) === 0x89) return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
  for (let at = 2; at + 9 < image.length; at += 2 + image.readUInt16BE(at + 2)) {
    const marker = image.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: image.readUInt16BE(at + 7), height: image.readUInt16BE(at + 5) };
  }
  return { width: 0, height: 0 };
}
