import { type ChatEvent, type ChatLink, connectChat } from '@drawbridge/link/chat';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>;

/** The person at the terminal: a device with a chat link. */
export interface Person {
  readonly link: ChatLink;
  /** The first matching past or future event. */
  readonly event: <Type extends ChatEvent['type']>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean,
  ) => Promise<EventOf<Type>>;
  readonly close: () => void;
}

export async function connectPerson(url: string, token: string): Promise<Person> {
  const link = connectChat({
    url: `${url.replace(/^http/, 'ws')}/ws/chat`,
    token,
    peer_role: 'browser',
    client_name: 'drawbridge-demo',
    features: ['prompt_answered'],
  });
  const log: ChatEvent[] = [];
  const waiting = new Set<() => void>();
  link.onEvent((event) => {
    log.push(event);
    for (const look of [...waiting]) look();
  });
  await new Promise<void>((resolve, reject) => {
    link.onState((state) => {
      if (state.kind === 'open') resolve();
      if (state.kind === 'closed') reject(state.error);
    });
  });
  return {
    link,
    close: link.close,
    event: (type, fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = log.find((event) => isOf(event, type) && fits(event));
          if (found === undefined || !isOf(found, type)) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

const isOf = <Type extends ChatEvent['type']>(event: ChatEvent, type: Type): event is EventOf<Type> =>
  event.type === type;
