import { RecentMap } from '@drawbridge/base';
import { hasRoom, isPresence, type Member, peopleOf, presenceText } from './presence.ts';
import type { ChannelNews } from './webhook.ts';

/** One open connection, as a channel sees it. */
export interface Subscriber {
  readonly socket_id: string;
  readonly send: (text: string) => void;
}

export interface ChannelEvent {
  readonly event: string;
  readonly channel: string;
  /** A string, as servers send it (INT-62). */
  readonly data: string;
  /** Sender, on a presence channel. */
  readonly user_id?: string | undefined;
}

/** Subscriptions by channel. A channel exists while it has a subscriber. */
export interface Channels {
  /** Data of the subscription answer; undefined when a presence channel is full. */
  readonly join: (channel: string, subscriber: Subscriber, member?: Member) => string | undefined;
  readonly leave: (channel: string, subscriber: Subscriber) => void;
  /** Publishes to all subscribers but `except`. */
  readonly publish: (event: ChannelEvent, except?: string) => void;
  /** INT-187: the first event for a subscriber of a cache channel; undefined for any other channel. */
  readonly cached: (channel: string) => string | undefined;
  readonly memberOf: (channel: string, subscriber: Subscriber) => Member | undefined;
  readonly names: () => readonly string[];
  readonly sizeOf: (channel: string) => number;
  readonly people: (channel: string) => ReadonlyMap<string, Member>;
}

/** Number of cached events, newest kept. */
const MAX_CACHED = 100;

export function createChannels(onNews: (news: ChannelNews) => void = () => {}): Channels {
  const channels = new Map<string, Map<Subscriber, Member | undefined>>();
  const last = new RecentMap<string, string>(MAX_CACHED);

  const people = (channel: string) => peopleOf(channels.get(channel)?.values() ?? []);
  const sizeOf = (channel: string): number => channels.get(channel)?.size ?? 0;

  const send = (event: ChannelEvent, except?: string): void => {
    const text = JSON.stringify(event);
    for (const subscriber of [...(channels.get(event.channel)?.keys() ?? [])]) {
      if (subscriber.socket_id !== except) subscriber.send(text);
    }
  };

  /** A presence channel reports its members instead. */
  const tellSize = (channel: string, except?: string): void => {
    if (isPresence(channel)) return;
    const data = JSON.stringify({ subscription_count: sizeOf(channel) });
    send({ event: 'pusher_internal:subscription_count', channel, data }, except);
  };

  return {
    join(channel, subscriber, member) {
      const there = people(channel);
      if (member !== undefined && !hasRoom(there, member)) return undefined;
      const subscribers = channels.get(channel) ?? new Map();
      const isNew = !subscribers.has(subscriber);
      if (subscribers.size === 0) onNews({ name: 'channel_occupied', channel });
      channels.set(channel, subscribers.set(subscriber, member));
      if (member !== undefined && !there.has(member.user_id)) {
        const data = JSON.stringify(member);
        send({ event: 'pusher_internal:member_added', channel, data }, subscriber.socket_id);
        onNews({ name: 'member_added', channel, user_id: member.user_id });
      }
      if (isNew) tellSize(channel, subscriber.socket_id);
      return member === undefined ? '{}' : presenceText(people(channel));
    },
    leave(channel, subscriber) {
      const subscribers = channels.get(channel);
      const member = subscribers?.get(subscriber);
      if (subscribers?.delete(subscriber) !== true) return;
      const isEmpty = subscribers.size === 0;
      if (isEmpty) channels.delete(channel);
      if (member !== undefined && !people(channel).has(member.user_id)) {
        const data = JSON.stringify({ user_id: member.user_id });
        send({ event: 'pusher_internal:member_removed', channel, data });
        onNews({ name: 'member_removed', channel, user_id: member.user_id });
      }
      if (isEmpty) onNews({ name: 'channel_vacated', channel });
      tellSize(channel);
    },
    publish(event, except) {
      send(event, except);
      const isKept = isCache(event.channel) && !event.event.startsWith('client-');
      if (!isKept) return;
      last.set(event.channel, JSON.stringify(event));
    },
    cached(channel) {
      if (!isCache(channel)) return undefined;
      return last.get(channel) ?? JSON.stringify({ event: 'pusher:cache_miss', channel, data: '{}' });
    },
    memberOf: (channel, subscriber) => channels.get(channel)?.get(subscriber),
    names: () => [...channels.keys()],
    sizeOf,
    people,
  };
}

/** Channels that need a signature. */
export const isPrivate = (channel: string): boolean => /^(private|presence)-/.test(channel);

const isCache = (channel: string): boolean => /^((private|presence)-)?(encrypted-)?cache-/.test(channel);
