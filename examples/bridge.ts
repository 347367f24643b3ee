import { createBridge, systemClock } from 'drawbridge-relay/bridge';

const bridge = createBridge({ clock: systemClock, ids: (kind) => `${kind}-${crypto.randomUUID()}` });
const kitchen = bridge.connectRuntime({
  send(item) {
    if (item.type !== 'action_call') return;
    const { call_id, runtime_id } = item;
    kitchen.receive({ type: 'action_call_output', call_id, runtime_id, output: { brewed: item.arguments } });
  },
});
kitchen.receive({ type: 'runtime_ready', runtime_id: 'kitchen', url: 'https://kitchen.example/' });
console.log(await bridge.call({ name: 'tea.brew', arguments: { cups: 2 } }).output);
