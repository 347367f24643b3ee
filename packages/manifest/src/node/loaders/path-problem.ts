const MAX_PATH_CHARS = 1_024;

/** Device names on Windows, in any folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/**
 * Why a path is not a plain path below a folder, as the end of a sentence. The same on every system: a path
 * that Windows refuses is refused everywhere.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH_CHARS) return `is longer than ${MAX_PATH_CHARS} characters`;
  if (hasControl(path)) return 'has a control character';
  if (path.includes('\\')) return 'has a backslash';
  if (path.includes(':')) return 'has a colon, as a drive, a stream or a url does';
  if (path.startsWith('/')) return 'is absolute';
  if (path.startsWith('~')) return 'begins with a home folder';
  return path
    .split('/')
    .map(segmentProblem)
    .find((fault) => fault !== undefined);
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'has an empty part';
  if (segment === '.' || segment === '..') return 'has a part that is only dots';
  if (/[. ]$/.test(segment)) return 'has a part that ends with a dot or a space';
  if (DEVICE.test(segment)) return 'names a device';
  return undefined;
}

function hasControl(text: string): boolean {
  return [...text].some((char) => char < ' ' || (char >= '\u007f' && char <= '\u009f'));
}
