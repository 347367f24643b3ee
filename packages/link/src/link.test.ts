import { linkConformance } from '../test/link.contract.ts';
import { layDirect, layPolling, layPort, layWebSocket } from '../test/tracks.ts';

linkConformance('WebSocket', layWebSocket, { drop: true });
linkConformance('HTTP polling', layPolling, { drop: true });
linkConformance('message port', layPort, { drop: true });
linkConformance('in process', layDirect, { drop: false });
