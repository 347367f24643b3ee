import { pageElement } from './parts/page-element.ts';

/** Copies the page's stylesheet: page styles do not apply in a shadow tree. */
function dress(root: ShadowRoot, ...content: Node[]): void {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = '/shop.css';
  root.append(sheet, ...content);
}

class PriceAlert extends HTMLElement {
  connectedCallback(): void {
    if (this.shadowRoot || this.dataset['ready'] !== undefined) return;
    this.dataset['ready'] = '';
    const mode = this.getAttribute('mode') === 'closed' ? 'closed' : 'open';
    dress(this.attachShadow({ mode }), this.createForm());
  }

  private createForm(): HTMLFormElement {
    const form = document.createElement('form');
    form.className = 'stack';
    const what = document.createElement('slot');
    what.name = 'what';
    const label = document.createElement('label');
    const price = document.createElement('input');
    price.name = 'price';
    price.inputMode = 'decimal';
    label.append('Tell me below (€) ', price);
    const button = document.createElement('button');
    button.textContent = 'Set alert';
    form.append(what, label, button);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.announce(price.value);
    });
    return form;
  }

  private announce(price: string): void {
    const detail = { what: this.textContent.trim(), price };
    this.dispatchEvent(new CustomEvent('shop:alert-set', { detail, bubbles: true, composed: true }));
  }
}

class AlertBoard extends HTMLElement {
  connectedCallback(): void {
    if (this.shadowRoot) return;
    const alert = document.createElement('price-alert');
    const what = document.createElement('span');
    what.slot = 'what';
    what.textContent = 'Wool blanket';
    alert.append(what);
    dress(this.attachShadow({ mode: 'open' }), alert);
  }
}

customElements.define('price-alert', PriceAlert);
customElements.define('alert-board', AlertBoard);

const alerts = pageElement('#alerts', HTMLOutputElement);
function addAlert(text: string): void {
  alerts.textContent = alerts.textContent === 'none' ? text : `${alerts.textContent}; ${text}`;
}

document.addEventListener('shop:alert-set', (event) => {
  if (event instanceof CustomEvent) addAlert(`${event.detail.what} below ${event.detail.price} €`);
});
pageElement('#declared', HTMLElement)
  .shadowRoot?.querySelector('button')
  ?.addEventListener('click', () => addAlert('spring'));
