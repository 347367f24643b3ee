import { openApprovalClient } from '../../panel/approval/approval-client.ts';
import { chromePorts } from '../../panel/chrome-ports.ts';
import { openPage } from '../../panel/open-page.tsx';
import { Panel } from '../../panel/panel.tsx';
import { openSessions } from '../../panel/relay-sessions.ts';

openPage(
  chromePorts(),
  ({ panel }) => panel,
  <Panel openApprovalClient={openApprovalClient} openSessions={openSessions} />,
);
