const MAX_NAME = 255;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** The last part of a path, without characters that a terminal or a file system acts on. */
export function plainName(name = ''): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/\p{C}/gu, '').slice(0, MAX_NAME).trim();
  return plain === '' || /^\.+$/.test(plain) ? 'file' : plain;
}

export function mediaType(header = ''): string {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
}
