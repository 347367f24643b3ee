import { isObject, readJson } from '@drawbridge/protocol/manifest';

/** A member of a presence channel. */
export interface Member {
  readonly user_id: string;
  readonly user_info?: unknown;
}

const MAX_BYTES = 2_048;
const MAX_MEMBERS = 100;

export const isPresence = (channel: string): boolean => channel.startsWith('presence-');

/** From the signed `channel_data`: undefined when it names nobody or is too long. */
export function parseMember(signed: string | null | undefined): Member | undefined {
  const channel_data = signed ?? '';
  const read = readJson(channel_data, MAX_BYTES);
  const value = read.ok && isObject(read.value) ? read.value : {};
  const { user_id, user_info } = value;
  const isId = (typeof user_id === 'string' && user_id !== '') || typeof user_id === 'number';
  if (!isId || Buffer.byteLength(channel_data) > MAX_BYTES) return undefined;
  return { user_id: String(user_id), ...(user_info !== undefined && { user_info }) };
}

/** One entry per person, for any number of connections. */
export const peopleOf = (members: Iterable<Member | undefined>): ReadonlyMap<string, Member> =>
  new Map([...members].flatMap((member) => (member === undefined ? [] : [[member.user_id, member]])));

export const hasRoom = (people: ReadonlyMap<string, Member>, { user_id }: Member): boolean =>
  people.has(user_id) || people.size < MAX_MEMBERS;

/** INT-184 */
export function presenceText(people: ReadonlyMap<string, Member>): string {
  const hash = Object.fromEntries(
    [...people].map(([user_id, { user_info }]) => [user_id, user_info ?? null]),
  );
  return JSON.stringify({ presence: { ids: [...people.keys()], hash, count: people.size } });
}
