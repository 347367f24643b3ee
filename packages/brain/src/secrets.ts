import type { InteractRequest, SemanticNodeV2 } from '@drawbridge/protocol';

/** The request without what an unmodified client says of password, one-time-code and card fields (INT-279). */
export function withoutSecrets(request: InteractRequest): InteractRequest {
  const { semanticNodes, dom, skeletonDom } = request;
  return {
    ...request,
    ...(semanticNodes !== undefined && { semanticNodes: semanticNodes.map(withoutSecretValue) }),
    ...(dom !== undefined && { dom: withoutSecretInputs(dom) }),
    ...(skeletonDom !== undefined && { skeletonDom: withoutSecretInputs(skeletonDom) }),
  };
}

function withoutSecretValue(node: SemanticNodeV2): SemanticNodeV2 {
  const { value, ...rest } = node;
  if (value === undefined || node.type?.toLowerCase() !== 'password') return node;
  return value === '' ? rest : { ...rest, state: node.state ? `${node.state},filled` : 'filled' };
}

const INPUT = /<input\b/gi;
const SECRET =
  /\b(?:type\s*=\s*["']?password|autocomplete\s*=\s*["']?[^"'>]{0,200}(?:password|one-time-code|cc-))/i;
const VALUE = /\bvalue\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+)/gi;

/** One pass: each tag is read once, however broken the text is. */
function withoutSecretInputs(html: string): string {
  let clean = '';
  let done = 0;
  for (const { index } of html.matchAll(INPUT)) {
    if (index < done) continue;
    const end = endOfTag(html, index);
    const tag = html.slice(index, end);
    clean += html.slice(done, index) + (SECRET.test(tag) ? tag.replaceAll(VALUE, 'value="(filled)"') : tag);
    done = end;
  }
  return clean + html.slice(done);
}

/** Just after the `>` that ends it: one inside quotes does not. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const char = html[at];
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at + 1;
  }
  return html.length;
}
