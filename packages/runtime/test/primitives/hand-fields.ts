/** A slider that hears the mouse alone, a date and a colour that hear a person's input alone, and a date that a cover hides. */
export const HAND_FIELDS = `<!doctype html><meta charset=utf-8><title>Fields</title>
<label>Mouse <input type=range id=mouse min=10 max=60 step=5 value=20></label> <output id=o1></output>
<label>Day <input type=date id=day></label> <output id=o2></output>
<label>Plain <input type=date id=plain></label>
<label>Paint <input type=color id=paint value="#102030"></label> <output id=o3></output>
<label>Locked <input type=date id=locked></label>
<div id=divider role=separator tabindex=0 aria-label=Divider aria-valuemin=90 aria-valuemax=500 aria-valuenow=150 style="width:6px;height:60px;cursor:col-resize"></div> <output id=o4></output>
<script>
  divider.onpointerdown = ({ pointerId, clientX }) => {
    const from = Number(divider.ariaValueNow) - clientX / 2;
    divider.setPointerCapture(pointerId);
    divider.onpointermove = (move) => { divider.ariaValueNow = String(Math.round(from + move.clientX / 2)); };
    divider.onpointerup = () => { divider.onpointermove = null; o4.value = 'divider at ' + divider.ariaValueNow; };
  };
  mouse.addEventListener('pointerup', () => { o1.value = 'mouse set to ' + mouse.value; });
  day.addEventListener('input', ({ isTrusted }) => { if (isTrusted) o2.value = 'day set to ' + day.value; });
  day.addEventListener('keydown', ({ key }) => { if (key === 'ArrowDown') day.title = 'heard'; });
  paint.addEventListener('change', ({ isTrusted }) => { if (isTrusted) o3.value = 'paint set to ' + paint.value; });
  locked.addEventListener('input', () => { locked.disabled = true; });
</script>`;
