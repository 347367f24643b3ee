import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import { useWords } from '../words/use-words.ts';

export interface HealthPart {
  readonly name: string;
  readonly state: 'up' | 'problem' | 'down' | 'unknown';
  readonly says: string;
}

const ICONS = { up: CircleCheck, problem: TriangleAlert, down: CircleX, unknown: CircleHelp } as const;
const TONES = { up: 'text-done', problem: 'text-wait', down: 'text-fail', unknown: 'text-quiet' } as const;

/** Three independent parts: a live socket does not make an agent healthy (CHT-113). */
export function HealthParts({ parts }: { readonly parts: readonly HealthPart[] }) {
  const words = useWords();
  return (
    <ul aria-label={words.link.health} className="flex flex-col gap-1">
      {parts.map(({ name, state, says }) => {
        const Icon = ICONS[state];
        return (
          <li key={name} className="flex items-start gap-2 text-meta">
            <Icon size={15} aria-hidden className={`mt-0.5 shrink-0 ${TONES[state]}`} />
            <span className="min-w-0">
              <span className="text-quiet">{name}: </span>
              {says}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
