import { Ban, Check, CheckCheck, CircleAlert, CircleEllipsis, CircleHelp, Clock } from 'lucide-react';
import { exactTime } from '../time-words.ts';
import { useWords } from '../words/use-words.ts';
import type { Delivery } from './entry.ts';

export interface DeliveryTickProps {
  readonly delivery: Delivery;
  /** The agent has sent something after it. */
  readonly isStarted: boolean;
}

type DeliveryStage = Delivery['status'] | 'checking' | 'started' | 'unknown';

export function stageOf(delivery: Delivery, isStarted: boolean): DeliveryStage {
  if (delivery.status === 'failed') return delivery.isUnknown ? 'unknown' : 'failed';
  if (delivery.status === 'accepted' && delivery.isChecking) return 'checking';
  return delivery.status === 'delivered' && isStarted ? 'started' : delivery.status;
}

const ICONS = {
  queued: Clock,
  accepted: Check,
  checking: CircleEllipsis,
  delivered: CheckCheck,
  started: CheckCheck,
  failed: CircleAlert,
  unknown: CircleHelp,
  cancelled: Ban,
} as const;

const TONES = {
  queued: 'text-quiet',
  accepted: 'text-quiet',
  checking: 'text-wait',
  delivered: 'text-quiet',
  started: 'text-accent',
  failed: 'text-fail',
  unknown: 'text-wait',
  cancelled: 'text-quiet',
} as const;

/** The tooltip and the accessible name give the state and the time. */
export function DeliveryTick({ delivery, isStarted }: DeliveryTickProps) {
  const words = useWords();
  const stage = stageOf(delivery, isStarted);
  const Icon = ICONS[stage];
  const at = 'at' in delivery && delivery.at ? `, ${exactTime(delivery.at, words)}` : '';
  return (
    <span
      role="img"
      data-stage={stage}
      aria-label={words.tick[stage]}
      title={words.tick[stage] + at}
      className={`inline-flex ${TONES[stage]}`}
    >
      <Icon size={15} aria-hidden strokeWidth={stage === 'started' ? 2.75 : 2} />
    </span>
  );
}
