import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { openPage, pageFaults, sampled } from '@drawbridge/testbed';
import { SIZES, TIMEOUT, visit } from '@drawbridge/web/test/visit';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';

test.each(sampled(['phone', 'desk'] as const, 2))(
  'a web app, a proxy and a waiting message outlast a restart that opens the relay to the network, at %s size',
  async (size) => {
    const data = temporaryFolder();
    const args = ['up', '--no-browser', '--json', '--data', data];
    const before = startProgram([...args, '--port', '0']);
    const first = await before.line(({ event }) => event === 'listening');
    const url = String(first['url']);
    const { command } = scriptedAgent();
    const proxy = startProgram([
      ...['proxy', '--agent', `scripted=${JSON.stringify(command)}`, '--workspace', data],
      ...['--data', data, '--json'],
    ]);
    await proxy.line(({ event, state }) => event === 'relay' && state === 'open');
    const invited = { url, pairLink: async () => String(first['pair_url']) };
    const { page, talk, go, write, ticks } = await visit(invited, { size, role: 'owner', isFresh: true });
    await page.getByRole('button', { name: 'Start an agent' }).and(page.locator(':visible')).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await write('say hello');
    await talk.getByText('hello', { exact: true }).waitFor(TIMEOUT);

    before.child.kill('SIGINT');
    await before.exited;
    await page.getByText('No connection to the relay').waitFor(TIMEOUT);
    await write('say again');
    await ticks('queued').waitFor();
    const opened = startProgram([...args, '--port', new URL(url).port, '--host', '0.0.0.0']);
    const after = await opened.line(({ event }) => event === 'listening');
    expect(after['url']).toBe(url);
    await talk.getByText('again', { exact: true }).waitFor(TIMEOUT);
    await page.getByText('No connection to the relay').waitFor({ state: 'detached' });
    expect(await talk.getByText('say again', { exact: true }).count()).toBe(1);
    const deliveries = proxy.output.filter(
      ({ event, result }) => event === 'delivery' && result === 'delivered',
    );
    expect(deliveries).toHaveLength(2);
    await go('/devices');
    await talk.getByRole('button', { name: 'Make a link' }).waitFor();
    expect(await talk.getByText('A phone can open a link only if').count()).toBe(0);
    expect(await pageFaults(page)).toEqual([]);

    // The phone, over the network.
    const paired = await drawbridge(['pair', '--json', '--role', 'person', '--data', data]);
    const link = String(JSON.parse(paired.text).pair_url);
    expect(link).toContain(String(after['outside_url']));
    const phone = await openPage({ ...SIZES.phone, ignoreHTTPSErrors: true });
    onTestFinished(phone.close);
    await phone.page.goto(link);
    await phone.page.locator('a[href^="/s/"]').first().click();
    await phone.page.getByRole('main').getByText('again', { exact: true }).waitFor(TIMEOUT);
  },
);
