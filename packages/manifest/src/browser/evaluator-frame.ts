/**
 * The inside of a sandboxed frame: it has no origin, so nothing of the extension or the page is within its
 * reach. It only starts a worker and passes messages on, for a loop in the frame itself could block the page
 * around it. When the frame is removed, its worker ends with it.
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
