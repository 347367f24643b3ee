import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { plainText } from '../ask/plain-text.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { openRunningRelay } from './local-relay.ts';

type Confirmation = ReplyTo<'GET /api/confirmations'>['confirmations'][number];

const MAX_LABEL = 40;

/** Foreign text on one line. */
const plain = (text: string): string => plainText(text, MAX_LABEL);

const ACTS: Readonly<Record<Confirmation['act'], (one: Confirmation) => string>> = {
  invite: ({ label, roles }) => `a link that lets in ${plain(label)} as ${roles.join(', ')}`,
  mint: ({ label, roles }) => `a token for ${plain(label)} as ${roles.join(', ')}`,
  approve: ({ label, roles }) => `${plain(label)} let in as ${roles.join(', ')}`,
  add_passkey: ({ label }) => `a passkey for ${plain(label)}`,
  remove_passkey: ({ label }) => `the passkey ${plain(label)} removed`,
  give_back: () => 'agents read and act in every lent tab again',
  give_back_tab: ({ label }) => `agents read and act in the tab ${plain(label)} again`,
  add_task_client: ({ label }) => `an address for ${plain(label)}`,
  read_pusher_secret: ({ label }) => `the secret of ${plain(label)} read`,
  add_webhook: ({ label }) => `notices sent to ${plain(label)}`,
  choose_model: ({ label }) => `${plain(label)} as the model of tasks`,
};

/** Confirms a web app's request as the relay's own terminal. */
export async function approve(
  folder: string,
  id: string,
  { print }: Pick<Terminal, 'print'>,
): Promise<ExitCode> {
  const { call } = await openRunningRelay(folder);
  const { confirmations } = await call('GET /api/confirmations');
  const one = confirmations.find((each) => each.id === id);
  await call('POST /api/confirmations/{id}', { id, body: { verdict: 'confirm' } });
  const what = one && ACTS[one.act](one);
  const whose = one === undefined ? '' : ` for ${plain(one.device_label)}`;
  print(`Confirmed${whose}${what === undefined ? '' : `: ${what}`}.`);
  return 0;
}
