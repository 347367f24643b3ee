import { parentPort, workerData } from 'node:worker_threads';
import { strFromU8, unzipSync } from 'fflate';
import { parseHTML } from 'linkedom';
import { extractText, getDocumentProxy } from 'unpdf';

/** The archive states the size of each file; bytes beyond that size are not unpacked. */
const MOST_XML_BYTES = 32_000_000;

/** INT-333: reads the text of a document on a separate thread, because its run time depends on the document. */
const { type, bytes } = parseWork(workerData);

parentPort?.postMessage(type === 'application/pdf' ? await pdfText(bytes) : docxText(bytes));

async function pdfText(data: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(data));
  return text.join('\n\n');
}

/** ECMA-376 part 1, 17.3: paragraphs of runs. Deleted text, field codes and pictures are other elements. */
function docxText(data: Uint8Array): string {
  const isBody = ({ name, originalSize }: { name: string; originalSize: number }): boolean =>
    name === 'word/document.xml' && originalSize <= MOST_XML_BYTES;
  const xml = unzipSync(data, { filter: isBody })['word/document.xml'];
  if (xml === undefined) throw new Error('No document.xml.');
  const { DOMParser } = parseHTML('<html></html>');
  return wordsOf(new DOMParser().parseFromString(strFromU8(xml), 'text/xml'));
}

interface XmlNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<XmlNode>;
}

function wordsOf(node: XmlNode): string {
  const name = node.nodeName.split(':').at(-1);
  const inner = (): string => Array.from(node.childNodes, wordsOf).join('');
  switch (name) {
    case 't':
      return node.textContent ?? '';
    case 'tab':
      return '\t';
    case 'br':
    case 'cr':
      return '\n';
    case 'p':
      return `${inner()}\n`;
    case 'tc':
      return `${inner().trim().replaceAll('\n', ' ')}\t`;
    case 'tr':
      return `${inner().trimEnd()}\n`;
    // Repeats what is in mc:Choice.
    case 'Fallback':
      return '';
    default:
      return inner();
  }
}

function parseWork(value: unknown): { readonly type: unknown; readonly bytes: Uint8Array } {
  const { type, bytes } = Object(value);
  if (!(bytes instanceof Uint8Array)) throw new Error('No document.');
  return { type, bytes };
}
