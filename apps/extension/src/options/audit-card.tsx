import { Button, Notice } from '@drawbridge/ui';
import { Download } from '@drawbridge/ui/icons';
import { useState } from 'react';
import { Card } from '../panel/card.tsx';
import { usePage } from '../panel/page-context.ts';
import { usePairing } from '../panel/use-relay.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import { readAudit } from './audit-log.ts';

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

export function AuditCard() {
  const words = usePanelWords();
  const { ports } = usePage();
  const pairing = usePairing();
  const [said, setSaid] = useState<{ readonly meaning: 'done' | 'fail'; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (pairing === undefined) return;
    setBusy(true);
    setSaid(undefined);
    try {
      if (!(await ports.askForSite(pairing.url)))
        return setSaid({ meaning: 'fail', text: words.options.refusedSite });
      const log = await readAudit(pairing, fetch);
      saveFile('drawbridge-audit.json', JSON.stringify(log, null, 2));
      setSaid({ meaning: 'done', text: words.options.exported(log.length) });
    } catch (error) {
      setSaid({
        meaning: 'fail',
        text: words.task.failed(error instanceof Error ? error.message : String(error)),
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={words.options.audit} says={words.options.auditSays}>
      <Button
        icon={<Download size={16} aria-hidden />}
        disabled={isBusy || pairing === undefined}
        onClick={() => void run()}
      >
        {isBusy ? words.options.exporting : words.options.export}
      </Button>
      {said ? (
        <Notice meaning={said.meaning} className="mt-2 rounded-md">
          {said.text}
        </Notice>
      ) : null}
    </Card>
  );
}
