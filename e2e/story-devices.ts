import { askInPage } from '@drawbridge/testbed';
import { type Size, visit } from '@drawbridge/web/test/visit';
import { createAuditor } from './story-auditor.ts';
import type { StoryRelay } from './story-relay.ts';

/** Timeout for a busy machine. */
export const LONG_POLL = { timeout: 90_000 };
/** Timestamps, and the notes on a delivery that is being checked or unknown. */
const ASIDE = /^\d{1,2}:\d{2}|^Checking whether|the agent may get it twice/;

/** A separate browser with the web app, paired by a link; all frames are recorded. */
export async function letIn(relay: StoryRelay, size: Size, label: string) {
  const witness = createAuditor(size);
  const visitor = await visit(relay, {
    ...{ size, label, isFresh: true },
    onPage(page) {
      page.setDefaultTimeout(LONG_POLL.timeout);
      witness.watch(page);
    },
  });
  const { page, context, talk, go } = visitor;
  const offline = page.getByText('No connection to the relay');
  const needs = page.getByRole('region', { name: 'Needs you' });
  const decision = talk.getByRole('region', { name: 'Needs your decision' });
  return {
    ...visitor,
    ...{ witness, offline, decision },
    /** Sends a message and resolves when it is on the wire; `atOnce` is called at that moment. */
    async sendMessage(words: string, atOnce = async () => {}): Promise<void> {
      const left = witness.leaving(words).then(atOnce);
      await visitor.write(words);
      await left;
    },
    /** Opens the waiting session with this prompt from the list. */
    async openPrompt(words: string): Promise<void> {
      await go('/');
      await needs.getByRole('link').filter({ hasText: words }).first().click();
      await decision.getByText(words).first().waitFor();
    },
    async answer(choice: string): Promise<void> {
      const button = decision.getByRole('button', { name: choice });
      await button.and(page.locator('[data-armed=true]')).click();
    },
    /** Launches a coding agent and opens its session. */
    async launch(name: string) {
      await go('/');
      await page.getByRole('button', { name: 'Start an agent' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name }).check();
      await dialog.getByRole('checkbox', { name: 'May use the browser' }).uncheck();
      await dialog.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/\/s\/(?!browser_)/);
      return new URL(page.url()).pathname.slice('/s/'.length);
    },
    startTask: async (order: object): Promise<{ readonly task_id: string; readonly session_id: string }> =>
      (await askInPage(page, 'POST /api/tasks', order)).body,
    /** Cuts the network and reloads the page from its cache. */
    async enterTunnel(): Promise<void> {
      await context.setOffline(true);
      await page.reload();
      await offline.waitFor();
    },
    leaveTunnel: () => context.setOffline(false),
    /** Opens the session on a screen that fits all of it. */
    async look(session_id: string): Promise<void> {
      await page.setViewportSize({ width: 1_000, height: 3_000 });
      await go(`/s/${session_id}`);
    },
    texts: () =>
      talk.locator('[data-index] :is(article, section) p', { hasNotText: ASIDE }).allTextContents(),
    /** Decisions on prompts that this device has seen. */
    decisions: () =>
      talk.locator('[data-index] p', { hasText: 'Pay ' }).locator('span span').allTextContents(),
  };
}
