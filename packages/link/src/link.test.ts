import { linkConformance } from './conformance.suite.ts';
import { layDirect, layPolling, layPort, layWebSocket } from './tracks.suite.ts';

linkConformance('WebSocket', layWebSocket, { drop: true });
linkConformance('HTTP polling', layPolling, { drop: true });
linkConformance('message port', layPort, { drop: true });
linkConformance('in process', layDirect, { drop: false });
