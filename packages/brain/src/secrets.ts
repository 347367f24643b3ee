import { BridgeError, type InteractRequest, type SemanticNodeV2 } from '@drawbridge/protocol';
import { echoesOf, maskEchoes } from '@drawbridge/protocol/secrets';

/** Limit: each is searched for in the whole page. */
const MOST_SECRETS = 100;
const TOO_MANY_SECRETS = `The page has more than ${MOST_SECRETS} different values in password, code and card fields. Send it without them.`;

/**
 * Removes values of password, one-time-code and card fields that an unmodified client sent (INT-279), and
 * their echoes in the page.
 */
export function withoutSecrets(request: InteractRequest): InteractRequest {
  const { semanticNodes, dom, skeletonDom, url, title } = request;
  const values = new Set<string>();
  const met = (value: string) => {
    values.add(value);
    if (values.size > MOST_SECRETS) throw new BridgeError('invalid_message', TOO_MANY_SECRETS);
  };
  const nodes = semanticNodes?.map((node) => withoutSecretValue(node, met));
  const whole = dom === undefined ? undefined : withoutSecretInputs(dom, met);
  const skeleton = skeletonDom === undefined ? undefined : withoutSecretInputs(skeletonDom, met);
  const echoes = echoesOf([...values]);
  const clean = (text: string): string => (values.size === 0 ? text : maskEchoes(text, echoes));
  return {
    ...request,
    url: clean(url),
    ...(title !== undefined && { title: clean(title) }),
    ...(nodes !== undefined && { semanticNodes: nodes.map((node) => cleanNode(node, clean)) }),
    ...(whole !== undefined && { dom: clean(whole) }),
    ...(skeleton !== undefined && { skeletonDom: clean(skeleton) }),
  };
}

function cleanNode(node: SemanticNodeV2, clean: (text: string) => string): SemanticNodeV2 {
  const { name, value } = node;
  return { ...node, name: clean(name), ...(value !== undefined && { value: clean(value) }) };
}

function withoutSecretValue(node: SemanticNodeV2, met: (value: string) => void): SemanticNodeV2 {
  const { value, ...rest } = node;
  if (value === undefined || node.type?.toLowerCase() !== 'password') return node;
  met(value);
  return value === '' ? rest : { ...rest, state: node.state ? `${node.state},filled` : 'filled' };
}

const INPUT = /<input\b/gi;
const SECRET =
  /\b(?:type\s*=\s*["']?password|autocomplete\s*=\s*["']?[^"'>]{0,200}(?:password|one-time-code|cc-))/i;
const VALUE = /\bvalue\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

/** One pass: reads each tag once, even in broken markup. */
function withoutSecretInputs(html: string, met: (value: string) => void): string {
  const hide = (_: string, double?: string, single?: string, bare?: string): string => {
    met(double ?? single ?? bare ?? '');
    return 'value="(filled)"';
  };
  let clean = '';
  let done = 0;
  for (const { index } of html.matchAll(INPUT)) {
    if (index < done) continue;
    const end = endOfTag(html, index);
    const tag = html.slice(index, end);
    clean += html.slice(done, index) + (SECRET.test(tag) ? tag.replaceAll(VALUE, hide) : tag);
    done = end;
  }
  return clean + html.slice(done);
}

/** Index after the closing `>`, ignoring those inside quotes. */
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
