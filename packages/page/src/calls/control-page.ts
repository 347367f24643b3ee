/** Declaration in every HTML page of a relay (BRG-174). */
const DECLARATION = 'meta[name=drawbridge][content=control-plane]';

/** Whether a document is a page of a relay, under any address. Stays true once seen. */
export function watchControlPage(document: Document): () => boolean {
  let isControl = false;
  return () => {
    isControl ||= document.head !== null && document.head.querySelector(DECLARATION) !== null;
    return isControl;
  };
}
