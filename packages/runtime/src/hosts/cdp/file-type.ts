/** As a browser does it for a chosen file: by the end of its name. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ txt: 'text/plain', csv: 'text/csv', html: 'text/html', md: 'text/markdown', css: 'text/css' },
  ...{ json: 'application/json', xml: 'text/xml', pdf: 'application/pdf', zip: 'application/zip' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', heic: 'image/heic', mp4: 'video/mp4', webm: 'video/webm', mp3: 'audio/mpeg' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const fileType = (name: string): string => {
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(TYPES, end) ? (TYPES[end] ?? '') : '';
};
