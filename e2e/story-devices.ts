import { askInPage } from '@drawbridge/testbed';
import { type Size, visit } from '@drawbridge/web/test/visit';
import { createAuditor } from './story-auditor.ts';
import type { StoryRelay } from './story-relay.ts';

/** On a machine that does much else. */
export const PATIENCE = { timeout: 90_000 };
/** When something was said, and that nobody can tell whether it arrived. */
const ASIDE = /^\d{1,2}:\d{2}|^The proxy went away while it was delivering this/;

/** A browser of its own with the web app, let in by a link; all that goes over its wire is written down. */
export async function letIn(relay: StoryRelay, size: Size, label: string) {
  const witness = createAuditor(size);
  const visitor = await visit(relay, {
    ...{ size, label, isFresh: true },
    onPage(page) {
      page.setDefaultTimeout(PATIENCE.timeout);
      witness.watch(page);
    },
  });
  const { page, context, talk, go } = visitor;
  const offline = page.getByText('No connection to the relay');
  const decision = talk.getByRole('region', { name: 'Needs your decision' });
  return {
    ...visitor,
    ...{ witness, offline, decision },
    /** Says it, and resolves when it has left; `atOnce` is called in that moment. */
    async say(words: string, atOnce = async () => {}): Promise<void> {
      const left = witness.leaving(words).then(atOnce);
      await visitor.write(words);
      await left;
    },
    /** What a tab asks, by the list of who needs somebody. */
    async openPrompt(words: string): Promise<void> {
      await go('/');
      await page.locator('a[href^="/s/browser_"]').first().click();
      await decision.getByText(words).first().waitFor();
    },
    async answer(choice: string): Promise<void> {
      const button = decision.getByRole('button', { name: choice });
      await button.and(page.locator('[data-armed=true]')).click();
    },
    /** Starts a coding agent, and looks at it. */
    async launch(name: string) {
      await go('/');
      await page.getByRole('button', { name: 'Start an agent' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Agent', { exact: true }).selectOption('');
      await dialog.getByLabel('Agent’s name').fill(name);
      await dialog.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/\/s\/(?!browser_)/);
      return new URL(page.url()).pathname.slice('/s/'.length);
    },
    startTask: async (order: object): Promise<{ readonly task_id: string; readonly session_id: string }> =>
      (await askInPage(page, 'POST /api/tasks', order)).body,
    /** Its network goes, and its page is loaded again from what it keeps. */
    async enterTunnel(): Promise<void> {
      await context.setOffline(true);
      await page.reload();
      await offline.waitFor();
    },
    leaveTunnel: () => context.setOffline(false),
    /** On a screen on which all of it has room. */
    async look(session_id: string): Promise<void> {
      await page.setViewportSize({ width: 1_000, height: 3_000 });
      await go(`/s/${session_id}`);
    },
    texts: () =>
      talk.locator('[data-index] :is(article, section) p', { hasNotText: ASIDE }).allTextContents(),
    /** What became of what was asked, as far as it was here to see. */
    decisions: () =>
      talk.locator('[data-index] p', { hasText: 'Pay ' }).locator('span span').allTextContents(),
  };
}
