import { openPage } from '@drawbridge/testbed';
import { expect, onTestFinished, vi } from 'vitest';
import type { TestHouse } from './test-house.suite.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

export const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  desk: { viewport: { width: 1360, height: 860 } },
} as const;

/** A busy machine shows things late. */
export const PATIENCE = { timeout: 20_000 };

export type Size = keyof typeof SIZES;

export interface VisitOptions {
  readonly size?: Size;
  readonly role?: 'owner' | 'person';
  readonly label?: string;
  readonly path?: string;
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
}

/** A browser of its own that was let in, and looks at a screen. Whatever the policy or the page complains of fails the test. */
export async function visit(house: TestHouse, options: VisitOptions = {}) {
  const { size = 'desk', role = 'person', label = 'Phone', path, ...context } = options;
  const { page, context: opened, close } = await openPage({ ...SIZES[size], ...context });
  onTestFinished(close);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|React|Warning:/.test(message.text())) faults.push(message.text());
  });
  onTestFinished(() => expect(faults).toEqual([]));
  await page.goto(await house.pairLink(role, label));
  await page.getByText('Live').waitFor();
  if (path !== undefined) await page.goto(house.url + path);
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    page,
    /** The conversation, without the list beside it. */
    talk: page.getByRole('main'),
    context: opened,
    composer,
    ticks: (stage: string) => page.locator(`[data-stage="${stage}"]`),
    async write(text: string) {
      await composer.fill(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    },
  };
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
