import { saysCommit } from '@drawbridge/protocol/wording';
import type { SurfaceHost } from '../host.ts';
import { type ElementContext, effectOfPress } from './element-context.ts';
import type { OfferedAddresses } from './offered-addresses.ts';
import type { ClassifiedCall } from './primitive-effect.ts';

const REMOVES = /^(?:delete|remove|destroy|deactivate|unsubscribe|purge|erase|terminate|revoke)$/i;
const ORDERS = /^(?:action|act|do|op|operation|cmd|command|task|method|_method)$/i;
const NAMES_ONE = /^(?:.*[_-])?(?:id|uid|uuid|token|key|code|hash|sig|signature|user|account|e?mail)$/i;
const CONFIRMS = /^(?:confirm(?:ed|ation)?|sure|yes|really|force)$/i;
const ONE = /^(?:\d+|[\da-f]{8,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/**
 * Getting an address does what the links to it do. An address of itself says that getting it removes one thing:
 * by its words with an id, a token or a confirmation. A page about removing has none of these.
 */
export async function effectOfAddress(
  given: unknown,
  host: SurfaceHost,
  offered: OfferedAddresses,
): Promise<ClassifiedCall> {
  if (typeof given !== 'string') return { effect: 'act' };
  const found = (await offered.of(given, host)).filter((each) => effectOfPress(each) === 'irreversible');
  const [shown = ownContext(given, host)] = found;
  if (shown === undefined) return { effect: 'act' };
  return { effect: 'irreversible', elementContext: shown, elementContexts: [shown] };
}

function ownContext(given: string, host: SurfaceHost): ElementContext | undefined {
  const url = URL.parse(given, host.surface().url);
  const words = url === null ? undefined : removingWords(url);
  if (url === null || words === undefined) return undefined;
  const content = { url: url.href, fields: [], amounts: [], text: '' };
  return { label: words, submits: false, sensitive: false, secret: false, sends: 'surely', content };
}

/** The part of an address that says what getting it does. */
export function removingWords({ pathname, searchParams }: URL): string | undefined {
  const parts = pathname.split('/').filter((part) => part !== '');
  const query = [...searchParams];
  const order = query.find(([name, value]) => ORDERS.test(name) && REMOVES.test(value));
  if (order !== undefined) return order.join('=');
  const confirms = query.find(([name, value]) => CONFIRMS.test(name) && !/^(?:0|false|no)$/i.test(value));
  const said = parts.find((part) => saysCommit(part.replace(/[-_.]+/g, ' ')));
  if (confirms !== undefined && said !== undefined) return `${said} ${confirms.join('=')}`;
  const removes = parts.find((part) => {
    const [first = '', ...others] = part.split(/[-_.]/);
    return REMOVES.test(first) && others.length < 2;
  });
  const isOfOne = parts.some((part) => ONE.test(part)) || query.some(([name]) => NAMES_ONE.test(name));
  return isOfOne ? removes : undefined;
}
