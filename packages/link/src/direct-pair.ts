import type { ItemLink } from './link.ts';
import { LinkEnd } from './link-end.ts';
import { transportFailed } from './transport-error.ts';

/** Two ends in one process. Items still pass as text, so that neither end can change the other's objects. */
export function directPair(): readonly [ItemLink, ItemLink] {
  const ends = [new LinkEnd(), new LinkEnd()] as const;
  join(ends[0], ends[1]);
  join(ends[1], ends[0]);
  queueMicrotask(() => {
    for (const end of ends) end.become({ kind: 'open', resumed: false });
  });
  return ends;
}

function join(from: LinkEnd, to: LinkEnd): void {
  from.carry({
    deliver: ({ number, text }) => {
      from.outbox.confirm(number);
      queueMicrotask(() => to.receive(text));
    },
    goodbye: () => {
      const error = transportFailed('The other end closed the link.', { reason: 'closed_by_peer' });
      queueMicrotask(() => to.end('closed_by_peer', error));
    },
  });
}
