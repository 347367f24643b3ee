import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import type { InPageContext } from './in-page-context.ts';
import { isFound, until } from './located.ts';
import { textContentOf, tidy } from './readable-text.ts';

type Waiting = InputOf<'page.wait'>;

const WAIT_MS = 10_000;

export async function wait(args: Waiting, context: InPageContext): Promise<OutputOf<'page.wait'>> {
  const { timeout_ms = WAIT_MS } = args;
  const lateNow = (): Pick<OutputOf<'page.wait'>, 'late'> => {
    const late = context.page.lateEffect();
    return late ? { late: trustEffect(late) } : {};
  };
  const condition = conditionOf(args, context);
  const found = { isGone: false };
  const isMet = () => {
    if (condition()) return true;
    found.isGone = wasSaid(args, context);
    return found.isGone;
  };
  try {
    const elapsed_ms =
      args.for === 'stable'
        ? await untilStill(args, timeout_ms, context)
        : await until(isMet, timeout_ms, `Waiting for ${args.for}`, context);
    return {
      matched: true,
      for: args.for,
      elapsed_ms,
      url: context.document.URL,
      ...(found.isGone && { gone: true }),
      ...lateNow(),
    };
  } catch (error) {
    if (!(error instanceof PageError) || error.code !== 'handler_timeout') throw error;
    throw new PageError(error.code, error.message, { ...error.evidence, ...lateNow() });
  }
}

/** A message may come and go between an answer and the next call. */
function wasSaid(args: Waiting, { page }: InPageContext): boolean {
  const text = plain(args.text ?? '');
  return args.for === 'text' && page.said().some((said) => plain(said).includes(text));
}

/** A page writes its quotes and dashes curly, an agent seldom. */
const plain = (text: string): string =>
  tidy(text)
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replaceAll('…', '...');

/** A given quiet time counts from the call: a page at rest may be about to change. */
async function untilStill(
  { quiet_ms }: Waiting,
  timeoutMs: number,
  { page }: InPageContext,
): Promise<number> {
  const { stable, reason, waited_ms } = await page.untilStable({
    timeoutMs,
    ...(quiet_ms !== undefined && { quietMs: quiet_ms, fromNow: true }),
  });
  if (stable || reason === 'leaving') return waited_ms;
  const message = `The page did not come to rest within ${timeoutMs} ms (${reason}). Go on with care, or wait longer.`;
  throw new PageError('handler_timeout', message, { reason: 'timeout', elapsed_ms: waited_ms, why: reason });
}

function conditionOf(args: Waiting, context: InPageContext): () => boolean {
  const { document, pageInternals } = context;
  switch (args.for) {
    case 'text':
    case 'text_gone': {
      const text = plain(required(args.text, 'text'));
      const isThere = () => plain(textContentOf(document.body, pageInternals.cleaner())).includes(text);
      return args.for === 'text' ? isThere : () => !isThere();
    }
    case 'url': {
      const part = required(args.url_contains, 'url_contains');
      return () => pageInternals.cleaner()(document.URL).includes(part);
    }
    case 'locator':
    case 'locator_gone': {
      const locator = required(args.locator, 'locator');
      const isThere = () => isFound(locator, 'visible', context);
      return args.for === 'locator' ? isThere : () => !isThere();
    }
    case 'stable':
      return () => true;
  }
}

function required<Value>(value: Value | undefined, field: string): Value {
  if (value !== undefined) return value;
  throw new PageError('invalid_input', `This wait needs ${field}.`, { path: field });
}

/** Page code's lists are read-only; the wire's are not. */
function trustEffect(effect: unknown): NonNullable<OutputOf<'page.wait'>['late']> {
  return effect as NonNullable<OutputOf<'page.wait'>['late']>;
}
