import { LIMITS } from '@drawbridge/protocol';
import { isObject, readJson } from '@drawbridge/protocol/manifest';
import type { Resolution } from './blockers.ts';
import { invalid } from './interact-refusal.ts';
import type { MessagePart } from './message-list.ts';
import type { SessionPage } from './tab-session.ts';

/** Bodies and queries of the newer session calls. Throws an `InteractError` that names the field. */

const SESSION_BODY_BYTES = 65_536;
const ID = /^[\w.:-]{1,200}$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MOST_MESSAGES = 200;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(text: string): Fields {
  const read = readJson(text, SESSION_BODY_BYTES);
  if (!read.ok || !isObject(read.value)) throw invalid('', 'The body is no JSON object.');
  return read.value;
}

function sessionIdIn({ sessionId }: Fields): string {
  if (typeof sessionId === 'string' && ID.test(sessionId)) return sessionId;
  throw invalid('sessionId', 'sessionId takes 1 to 200 letters, digits, ".", "_", ":" and "-".');
}

function textIn(fields: Fields, name: string, most: number): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= most) return value;
  throw invalid(name, `${name} is a text of at most ${most} characters.`);
}

export interface SessionInit {
  readonly sessionId: string;
  readonly page: SessionPage;
}

/** INT-307: the client sends an empty `url`, or none, before a page has loaded. */
export function parseSessionInit(text: string): SessionInit {
  const fields = fieldsOf(text);
  const sessionId = sessionIdIn(fields);
  if (!UUID.test(sessionId))
    throw invalid('sessionId', 'sessionId is a UUID, such as crypto.randomUUID() makes.');
  const url = textIn(fields, 'url', LIMITS.url.value) ?? '';
  if (url !== '' && !URL.canParse(url)) throw invalid('url', 'url is an absolute URL, or empty.');
  const { tabId } = fields;
  const isTab = typeof tabId === 'number' && Number.isSafeInteger(tabId) && tabId > 0;
  const [domain, title, query] = [
    textIn(fields, 'domain', LIMITS.domain.value),
    textIn(fields, 'title', LIMITS.page_title.value),
    textIn(fields, 'initialQuery', LIMITS.query.value),
  ];
  return {
    sessionId,
    page: {
      url,
      ...(domain !== undefined && { domain }),
      ...(title !== undefined && { title }),
      ...(query !== undefined && { query }),
      ...(isTab && { tabId }),
    },
  };
}

export const parseArchive = (text: string): string => sessionIdIn(fieldsOf(text));

/** INT-315 */
export function parseResolution(text: string): Resolution {
  const { resolutionMethod: method, resolutionData = {} } = fieldsOf(text);
  if (method !== 'provide_in_chat' && method !== 'user_action_on_web') {
    throw invalid('resolutionMethod', 'resolutionMethod is "provide_in_chat" or "user_action_on_web".');
  }
  if (!isObject(resolutionData)) throw invalid('resolutionData', 'resolutionData is an object of texts.');
  const data = Object.entries(resolutionData).filter(([, value]) => value !== '');
  const texts = data.filter((each): each is [string, string] => typeof each[1] === 'string');
  if (texts.length < data.length) throw invalid('resolutionData', 'resolutionData is an object of texts.');
  return { method, data: Object.fromEntries(texts) };
}

type Query = (name: string) => string | undefined;

export function parseMessagePart(query: Query): MessagePart {
  const since = query('since');
  const at = since === undefined ? undefined : Date.parse(since);
  if (at !== undefined && Number.isNaN(at)) throw invalid('since', 'since is an ISO 8601 time.');
  return { limit: countIn(query, 'limit', 1, MOST_MESSAGES), since: at };
}

export function parseSessionPart(query: Query) {
  return {
    limit: countIn(query, 'limit', 1, MOST_MESSAGES) ?? 50,
    offset: countIn(query, 'offset', 0, 100_000) ?? 0,
    isWithArchived: query('includeArchived') === 'true' || query('status') === 'archived',
    status: query('status'),
  };
}

function countIn(query: Query, name: string, least: number, most: number): number | undefined {
  const text = query(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw invalid(name, `${name} is a whole number from ${least} to ${most}.`);
}

const FORMATS = ['json', 'csv', 'markdown'] as const;
export type ReportFormat = (typeof FORMATS)[number];

export function parseReportFormat(query: Query): ReportFormat {
  const named = query('format') ?? 'json';
  const format = FORMATS.find((each) => each === named);
  if (format === undefined) throw invalid('format', `format is ${FORMATS.join(', ')}.`);
  return format;
}
