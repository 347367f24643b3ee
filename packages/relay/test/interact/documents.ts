import { strToU8, zipSync } from 'fflate';

/** A PDF with a line on each page, written by hand: no generator is needed to read it. */
export function pdfOf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const pages = lines.map((_, index) => 4 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, index) => {
      const stream = line === '' ? '' : `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return strToU8(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}${trailer}`);
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A document as Word saves it, with the given XML as its body. */
export const docxOf = (body: string): Uint8Array<ArrayBuffer> =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    ),
  });

export const runOf = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
