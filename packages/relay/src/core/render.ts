import { CHAT_PROTOCOL_VERSION } from '@drawbridge/protocol';
import type { JsonObject } from '../ledger/records.ts';
import { timeText } from './frames.ts';
import type { RelayEvent } from './ports.ts';

interface Shape {
  readonly type: string;
  readonly body: JsonObject;
}

interface FeatureEvent {
  readonly feature: string;
  readonly rich: (body: JsonObject) => JsonObject;
  readonly plain: (body: JsonObject, event: RelayEvent) => Shape;
}

/** CHT-272: fallback form of a feature's event for a peer without that feature. */
const FEATURE_EVENTS = new Map<string, FeatureEvent>(
  Object.entries({
    message_cancelled: {
      feature: 'queue',
      rich: (body) => body,
      plain: ({ cancelled_at = null, ...sent }) => ({
        type: 'message_failed',
        body: {
          ...sent,
          status: 'failed',
          failed_at: cancelled_at,
          error: { code: 'cancelled', message: 'A person took the message back before it was delivered.' },
        },
      }),
    },
    message_edited: {
      feature: 'queue',
      rich: ({ message: _, ...edit }) => edit,
      plain: ({ message = null }) => ({ type: 'message_event', body: { message } }),
    },
    permission_prompt_answered: {
      feature: 'prompt_answered',
      rich: (body) => body,
      plain: ({ prompt_id = null, choice_id = null }) => ({
        type: 'permission_prompt_expired',
        body: { prompt_id, applied_choice: choice_id },
      }),
    },
    agent_question: {
      feature: 'questions',
      rich: (body) => body,
      plain: (_, { at }) => ({
        type: 'session_status',
        body: { activity: { kind: 'waiting_for_user', updated_at: timeText(at) } },
      }),
    },
  } satisfies Record<string, FeatureEvent>),
);

const NO_FEATURES: ReadonlySet<string> = new Set();

/** An event as seen by a peer with these features. */
export function eventText(event: RelayEvent, features: ReadonlySet<string> = NO_FEATURES): string {
  const special = FEATURE_EVENTS.get(event.type);
  const { type, body } =
    special === undefined
      ? { type: event.type, body: event.payload }
      : features.has(special.feature)
        ? { type: event.type, body: special.rich(event.payload) }
        : special.plain(event.payload, event);
  return JSON.stringify({
    type,
    protocol_version: CHAT_PROTOCOL_VERSION,
    event_id: event.event_id,
    sequence: event.sequence,
    // A session_up has its session_id within `session`.
    session_id: type === 'session_up' ? undefined : event.session_id,
    server_ts: timeText(event.at),
    ...body,
  });
}

/** Renders each form of an event once for all peers. */
export function createRendering(event: RelayEvent): (features: ReadonlySet<string>) => string {
  const feature = FEATURE_EVENTS.get(event.type)?.feature;
  let rich: string | undefined;
  let plain: string | undefined;
  return (features) => {
    if (feature !== undefined && features.has(feature)) {
      rich ??= eventText(event, features);
      return rich;
    }
    plain ??= eventText(event);
    return plain;
  };
}
