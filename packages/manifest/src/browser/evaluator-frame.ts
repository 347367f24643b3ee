/**
 * Runs in a sandboxed frame without an origin, which cannot reach the extension or the page. The frame only
 * starts a worker and forwards messages, because a loop in the frame could block the page around it. Removing
 * the frame ends its worker.
 */
export function serveFrame(createWorker: () => Worker): void {
  const onMessage = (event: MessageEvent) => {
    const [port] = event.ports;
    if (event.source !== window.parent || port === undefined) return;
    window.removeEventListener('message', onMessage);
    const worker = createWorker();
    worker.onmessage = ({ data }) => port.postMessage(data);
    worker.onerror = ({ message }) => port.postMessage({ crashed: message });
    port.onmessage = ({ data }) => worker.postMessage(data);
  };
  window.addEventListener('message', onMessage);
}
