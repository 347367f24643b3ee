import { launchChromium, type OpenPage, openPage } from '@drawbridge/testbed';
import { expect, onTestFinished } from 'vitest';
import type { WebHarness } from './web-harness.ts';

export const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desk: { viewport: { width: 1360, height: 860 } },
} as const;

/** Timeout for a busy machine. */
export const TIMEOUT = { timeout: 20_000 };

export type Size = keyof typeof SIZES;

export interface VisitOptions {
  readonly size?: Size;
  readonly role?: 'owner' | 'person';
  readonly path?: string;
  readonly label?: string;
  /** A browser for this test alone. */
  readonly isFresh?: boolean;
  /** A fresh full browser: a headless shell has no notifications. */
  readonly isWhole?: boolean;
  /** The pairing link, if the test needs it. */
  readonly link?: string;
  /** Called before the first navigation. */
  readonly onPage?: (page: OpenPage['page']) => void;
}

/** A relay that browsers can pair with, in this process or another. */
export type VisitedRelay = Pick<WebHarness, 'url' | 'pairLink'>;

const LABELS: Readonly<Record<Size, string>> = { phone: 'Ada\u2019s phone', desk: 'Desk' };

async function openWhole(size: Size) {
  const { context, close } = await launchChromium();
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize(SIZES[size].viewport);
  return { page, context, close };
}

async function enter(harness: VisitedRelay, options: VisitOptions) {
  const { size = 'desk', role = 'person', label = LABELS[size], isWhole = false } = options;
  const { page, context, close } = await (isWhole ? openWhole(size) : openPage(SIZES[size]));
  options.onPage?.(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|React|Warning:/.test(message.text())) faults.push(message.text());
  });
  await page.goto(options.link ?? (await harness.pairLink(role, label)));
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    page,
    context,
    close,
    faults,
    composer,
    /** The conversation without the list. */
    talk: page.getByRole('main'),
    ticks: (stage: string) => page.locator(`[data-stage="${stage}"]`),
    /** Navigates like a link, without a reload. */
    go: (path: string) =>
      page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path),
    async write(text: string) {
      await composer.fill(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    },
  };
}

export type Visitor = Awaited<ReturnType<typeof enter>>;

/** Paired browsers, reused because pairing takes longer than most tests. */
const idle = new WeakMap<VisitedRelay, Map<string, Visitor[]>>();

function idleIn(harness: VisitedRelay, kind: string): Visitor[] {
  const kinds = idle.get(harness) ?? new Map<string, Visitor[]>();
  idle.set(harness, kinds);
  const waiting = kinds.get(kind) ?? [];
  kinds.set(kind, waiting);
  return waiting;
}

/** A paired browser on a screen. Errors of the page or its policy fail the test. */
export async function visit(harness: VisitedRelay, options: VisitOptions = {}): Promise<Visitor> {
  const { size = 'desk', role = 'person', path = '/', isWhole = false, isFresh = isWhole } = options;
  const waiting = idleIn(harness, `${size} ${role}`);
  const visitor = (isFresh ? undefined : waiting.pop()) ?? (await enter(harness, options));
  onTestFinished(async () => {
    const faults = visitor.faults.splice(0);
    if (isFresh) await visitor.close();
    else waiting.push(visitor);
    expect(faults).toEqual([]);
  });
  const { page, go } = visitor;
  // After an earlier test went offline, the next retry may be far off.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await go('/');
  await page.getByText('Live', { exact: true }).waitFor();
  if (path !== '/') await go(path);
  return visitor;
}

export const sessionOf = (session_id: string, more: object = {}) => ({
  session_id,
  agent_type: 'codex',
  status: 'healthy',
  display_name: `Name of ${session_id}`,
  machine_label: 'studio',
  ...more,
});

export const promptOf = (
  session_id: string,
  prompt_id: string,
  prompt_text = 'Run npm publish?\nin web-shop',
) => ({
  type: 'permission_prompt',
  session_id,
  prompt_id,
  prompt_text,
  choices: [
    { choice_id: 'yes', label: 'Allow once', is_default: false, effect: 'allow' },
    { choice_id: 'no', label: 'Deny', is_default: true, effect: 'deny' },
  ],
  detected_at: new Date().toISOString(),
});
