import type { StepAnswer } from '@drawbridge/brain';

/** INT-315: how a person settled what a task waited for. */
export interface Resolution {
  readonly method: 'provide_in_chat' | 'user_action_on_web';
  /** May be a secret: goes to one decision, and into no row, message or log. */
  readonly data: Readonly<Record<string, string>>;
}

type Method = Resolution['method'] | 'alternative_action' | 'auto_retry';

type FieldType = 'password' | 'code' | 'email' | 'text';

interface Blocker {
  readonly type: 'captcha' | 'mfa_required' | 'login_failure' | 'missing_info' | Obstacle['type'];
  readonly description: string;
  readonly userMessage: string;
  readonly resolutionMethods: readonly Method[];
  /** For `rate_limit` alone. */
  readonly retryAfterSeconds?: number;
  /** How sure the model is that the person is needed. */
  readonly confidence?: number;
  readonly requiredFields?: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: FieldType;
  }[];
}

interface Obstacle {
  readonly type: 'rate_limit' | 'session_expired' | 'access_denied' | 'cookie_consent' | 'page_error';
  readonly pattern: RegExp;
  readonly resolutionMethods: readonly Method[];
}

/** INT-330: the first that matches the question. */
const OBSTACLES: readonly Obstacle[] = [
  {
    type: 'rate_limit',
    pattern: /rate limit|too many (?:requests|attempts|tries)|zu viele (?:anfragen|versuche)/i,
    resolutionMethods: ['auto_retry'],
  },
  {
    type: 'session_expired',
    pattern:
      /session (?:has |is )?(?:expired|ended|timed out)|signed (?:me |you )?out|logged out|sitzung (?:ist )?abgelaufen/i,
    resolutionMethods: ['user_action_on_web', 'provide_in_chat'],
  },
  {
    type: 'access_denied',
    pattern: /access (?:is |was )?denied|no (?:access|permission)|\b403\b|forbidden|zugriff verweigert/i,
    resolutionMethods: ['user_action_on_web'],
  },
  {
    type: 'cookie_consent',
    pattern:
      /cookie[- ]?(?:consent|banner|notice|settings|hinweis)|(?:accept|reject|allow) (?:the |all )?cookies/i,
    resolutionMethods: ['alternative_action', 'user_action_on_web'],
  },
  {
    type: 'page_error',
    pattern:
      /page (?:shows an error|did not load|does not load|was not found|is broken|crashed)|server error|\b(?:404|50[0234])\b/i,
    resolutionMethods: ['alternative_action'],
  },
];

/** When the page names no time. */
const RETRY_SECONDS = 60;
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/(\d{1,4})\s*(?:s|sec\w*|sek\w*)\b/i, 1],
  [/(\d{1,4})\s*(?:m|min\w*)\b/i, 60],
  [/(\d{1,4})\s*(?:h|hours?|stunden?)\b/i, 3_600],
];

function retrySecondsIn(text: string): number {
  const found = TIMES.flatMap(([pattern, seconds]) => {
    const count = pattern.exec(text)?.[1];
    return count === undefined ? [] : [Number(count) * seconds];
  });
  return found.length === 0 ? RETRY_SECONDS : Math.max(...found);
}

const CAPTCHA = /captcha|not a robot|kein roboter/i;
/** INT-319: the first that matches a field's name. */
const FIELD_TYPES: readonly (readonly [FieldType, RegExp])[] = [
  ['password', /pass ?word|passphrase|pass ?wort|kennwort|\bpin\b/i],
  [
    'code',
    /(?:one[- ]time|verification|security|sms|2fa|authenticator|bestätigungs|sicherheits)[- ]?(?:pass)?code|^code$|\botp\b/i,
  ],
  ['email', /e-?mail/i],
];

/** INT-314: a question to the person, in the words of the newer document. */
export function blockerOf(answer: StepAnswer, confidence?: number): Blocker | undefined {
  if (answer.status !== 'needs_user_input') return undefined;
  const { userQuestion, thought = '', missingInformation = [] } = answer;
  const userMessage = userQuestion ?? thought;
  const texts = {
    description: thought === '' ? userMessage : thought,
    userMessage,
    ...(confidence !== undefined && { confidence }),
  };
  if (CAPTCHA.test(userMessage)) {
    return { type: 'captcha', ...texts, resolutionMethods: ['user_action_on_web'] };
  }
  const names = missingInformation.filter((each) => typeof each === 'string');
  const fields = names.map((name) => ({ name, label: name, type: fieldTypeOf(name) }));
  const types = fields.map(({ type }) => type);
  const required = fields.length > 0 ? { requiredFields: fields } : {};
  if (types.includes('code')) {
    return {
      type: 'mfa_required',
      ...texts,
      resolutionMethods: ['user_action_on_web', 'provide_in_chat'],
      ...required,
    };
  }
  const obstacle = types.includes('password')
    ? undefined
    : OBSTACLES.find(({ pattern }) => pattern.test(userMessage));
  if (obstacle !== undefined) {
    const { type, resolutionMethods } = obstacle;
    const retry = type === 'rate_limit' ? { retryAfterSeconds: retrySecondsIn(userMessage) } : {};
    return { type, ...texts, resolutionMethods, ...retry, ...required };
  }
  return {
    type: types.includes('password') ? 'login_failure' : 'missing_info',
    ...texts,
    resolutionMethods: ['provide_in_chat', 'user_action_on_web'],
    ...required,
  };
}

const fieldTypeOf = (name: string): FieldType =>
  FIELD_TYPES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'text';

/** A resolution in words that a decider reads as the person's answer. */
export function resolutionWords({ method, data }: Resolution): string {
  const given = Object.entries(data);
  if (method === 'user_action_on_web' || given.length === 0) return 'Again: I did it on the page.';
  const [only] = given;
  return given.length === 1 && only ? only[1] : given.map(([name, value]) => `${name}: ${value}`).join('\n');
}

export type Hide = <Value>(value: Value) => Value;

/** Shorter values are hidden only where they are the whole text: they would match anywhere. */
const LEAST_CHARS = 4;
const HIDDEN = '•••';

/** Replaces these values in every text of a JSON value. */
export function hidingValues(values: readonly string[]): Hide {
  const hideText = (text: string): string =>
    values.reduce((left, value) => {
      if (left === value) return HIDDEN;
      return value.length < LEAST_CHARS ? left : left.replaceAll(value, HIDDEN);
    }, text);
  if (values.length === 0) return (value) => value;
  return (value) =>
    value === undefined
      ? value
      : JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? hideText(each) : each));
}
