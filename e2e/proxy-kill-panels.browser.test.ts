import { mapOf, setUpPanels } from '@drawbridge/proxy/test/cdp/panel-harness';
import { createSeededRandom } from '@drawbridge/testbed';
import { test } from 'vitest';
import { createSender, PANEL_KILLS, passed, SEED, startKillHarness } from './proxy-kill.ts';

const { open, running, log } = setUpPanels();

test(
  `[CHT-160] [CHT-161] a proxy or a relay, killed ${PANEL_KILLS} times while a panel is given a message, doubles nothing and loses nothing`,
  async () => {
    const random = createSeededRandom(SEED);
    const page = await open('claude', { id: 'killed' });
    const input = page.frameLocator('#active-frame').getByRole('textbox', { name: 'Message input' });
    const taken = () => log('killed').flatMap(({ kind, text }) => (kind === 'sent' ? [text] : []));
    const harness = await startKillHarness(() => ({
      agents: { map: mapOf('claude'), endpoint: running().endpoint },
    }));
    const { person, outcomes } = harness;
    const session_id = await new Promise<string>((resolve) => {
      person.onEvent((event) => event.type === 'session_up' && resolve(event.session.session_id));
      person.onFrame((frame) => {
        if (frame.type === 'session_snapshot' && frame.sessions[0]) resolve(frame.sessions[0].session_id);
        if (frame.type === 'session_up') resolve(frame.session.session_id);
      });
    });
    const sender = createSender(person, session_id, outcomes);
    const killed = { proxy: 0, relay: 0 };
    for (let kill = 0; kill < PANEL_KILLS; kill += 1) {
      const before = taken().length;
      harness.proxy.skip();
      sender.sendMessage();
      const moment = random.pick(['on the way', 'on the way', 'taken', 'delivered'] as const);
      if (moment === 'taken') await sender.until(() => taken().length > before);
      if (moment === 'delivered') await sender.until(() => harness.proxy.has('delivery'));
      // Looking, typing and pressing take about this long.
      await passed(moment === 'on the way' ? random.int(20, 250) : random.int(0, 3));
      if (kill % 4 === 1) {
        await harness.killRelay();
        killed.relay += 1;
      } else {
        await harness.killProxy();
        killed.proxy += 1;
        // Typed but unsent text is a draft to the next proxy. The person clears it.
        await input.fill('');
      }
    }
    sender.sendMessage();
    const counts = await sender.check(taken);
    console.log(`killed ${JSON.stringify(killed)}, seed ${SEED}: ${JSON.stringify(counts)}`);
    await page.close();
  },
  240_000 + PANEL_KILLS * 20_000,
);
