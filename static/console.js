/* Every page works without this file. It adds the keys, keeps the list in step with the open item, guards against a
   second click, and lets messages go away by themselves. */

const root = document.documentElement;
const DOUBLE_PRESS_MS = 250; // a key that comes again within this time was pressed twice by mistake
const DOUBLE_CLICK_MS = 500;
const TOAST_MS = 10_000;

const isTyping = (element) =>
  element.matches('input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]');
/* Safari ends the composition before it sends the key that ended it, and marks that key with 229 only. */
const isComposing = (event) => event.isComposing || event.keyCode === 229;
const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });

/* ------------------------------------------------------------------ keys */

/** The control that answers to a key: in the open menu or dialog if there is one, else in the pair of duplicates that is
    at hand, in the page, in the frame. While somebody types in a form, only one that belongs to that form. */
function controlFor(key, form = null) {
  const open = [...document.querySelectorAll(':popover-open')].pop();
  const selector = `[aria-keyshortcuts~="${CSS.escape(key)}"]`;
  const inPair = open ? [] : document.querySelectorAll(`main .pair[aria-current="true"] ${selector}`);
  const inMain = open ? [] : document.querySelectorAll(`main ${selector}`);
  const found = [...inPair, ...inMain, ...(open ?? document).querySelectorAll(selector)];
  return found.find((control) => isVisible(control) && (!form || control.form === form));
}

function press(control, key) {
  if (control.matches('[type="submit"]')) pressed = { key, item: itemInView()?.dataset.id, at: performance.now() };
  control.focus({ preventScroll: true });
  if (!control.matches('input[type="search"]')) control.click();
  control.closest('.choice')?.scrollIntoView({ block: 'nearest' });
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || isComposing(event) || event.altKey || event.repeat) return;
  const isChord = event.metaKey || event.ctrlKey;
  if (isChord && event.key !== 'Enter') return;
  if (!isChord && (root.dataset.keys === 'off' || isTyping(event.target))) return;
  const key = isChord ? 'Control+Enter' : event.key === '?' ? '?' : event.key.toUpperCase();
  const form = isTyping(event.target) ? event.target.form : null;
  const control = controlFor(key, form);
  if (!control && !waiting.length) return;
  event.preventDefault();
  if (isBusy()) keepWaiting(key, form);
  else if (control) press(control, key);
});

/* To another pair of duplicates; beyond the last one on the page, to the next page. */
addEventListener('click', (event) => {
  const step = Number(event.target.closest('[data-step]')?.dataset.step);
  if (!step) return;
  const pairs = [...document.querySelectorAll('.pair')];
  const at = pairs.findIndex((pair) => pair.getAttribute('aria-current') === 'true');
  const pair = pairs[at + step];
  if (!pair) {
    document.querySelector(`.page a[rel="${step > 0 ? 'next' : 'prev'}"]`)?.click();
    return;
  }
  pairs[at]?.removeAttribute('aria-current');
  pair.setAttribute('aria-current', 'true');
  pair.focus();
});

addEventListener('keydown', (event) => {
  const cancel = event.key === 'Escape' && !isComposing(event) && document.querySelector('#item [data-cancel]');
  if (cancel && !document.querySelector(':popover-open')) cancel.click();
});

/* ------------------------------------------------------------- decisions */

/* A key is meant for the item in view when it is pressed. While an answer is on its way, and as long after a press as a
   second one can only be a double press, the item is busy. Keys that come meanwhile wait for the item that follows. One
   that decides is not passed on to an item that nobody had seen: it does nothing, and that is said. */

let pressed = { key: '', item: '', at: -Infinity }; // the last key that sent something, and the item it was for
let waiting = [];
let restsUntil = 0;
let resting;

const itemInView = () => document.getElementById('item');
const isBusy = () => Boolean(document.querySelector('#item[aria-busy], #split[aria-busy]'));

function keepWaiting(key, form) {
  const item = itemInView().dataset.id;
  const isDouble = key === pressed.key && performance.now() < pressed.at + DOUBLE_PRESS_MS;
  if (!isDouble) waiting.push({ key, item, form });
  else if (item !== pressed.item) sayTooSoon();
}

function sayTooSoon() {
  const said = document.getElementById('too-soon');
  if (said && !toasts.querySelector('[data-too-soon]')) toasts.append(said.content.cloneNode(true));
}

/** The item takes keys and clicks again: first those keys that waited for it. What a key opened to type in ends them,
    except the one that was pressed in it to send it. */
function goOn() {
  itemInView().removeAttribute('aria-busy');
  while (waiting.length && !isBusy()) {
    const { key, item, form } = waiting.shift();
    if (isTyping(document.activeElement) && !(form && document.activeElement.form === form)) continue;
    const control = controlFor(key, form);
    if (control?.matches('[data-decides]') && item !== itemInView().dataset.id) {
      waiting = [];
      sayTooSoon();
    } else if (control) {
      press(control, key);
    }
  }
  if (!isBusy()) waiting = [];
}

/* The second click of a double click, or one that lands on an item which has only just come into view. */
addEventListener('click', (event) => {
  if (!event.target.closest('[data-decides], #item [type="submit"]')) return;
  if (event.detail > 1 || isBusy()) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  restsUntil = performance.now() + (event.detail ? DOUBLE_CLICK_MS : DOUBLE_PRESS_MS);
}, { capture: true });

/* After a partial swap the address is no longer the one that a form of the frame was rendered for. */
addEventListener('submit', (event) => {
  const form = event.target;
  for (const field of form.querySelectorAll('input[name="next"]')) field.value = location.pathname + location.search;
});

/** Mark the open item in the list, show the pane it belongs in, and move the focus there. */
function showItem(item) {
  for (const link of document.querySelectorAll('.queue-item')) {
    if (link.dataset.id === item.dataset.id) {
      link.ariaCurrent = 'true';
      link.scrollIntoView({ block: 'nearest' });
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const split = item.closest('.split');
  if (split) split.dataset.view = item.dataset.view;
  item.scrollTop = 0;
  scrollTo({ top: 0, behavior: 'instant' });
  const field = '#edit-form :is(textarea, input:not([type="hidden"]))';
  const first = item.querySelector('[role="alert"]') ?? item.querySelector(field) ?? item;
  if (first === document.activeElement) return; // somebody is in it already: the selection is theirs
  first.focus({ preventScroll: true });
  if (first.matches('textarea')) first.setSelectionRange(first.value.length, first.value.length);
}

document.querySelector('.queue-item[aria-current]')?.scrollIntoView({ block: 'nearest' });

document.addEventListener('htmx:afterSettle', (event) => {
  const item = document.getElementById('item');
  if (!item || !['item', 'split'].includes(event.detail.elt.id)) return;
  restoreDraft();
  if (event.detail.elt.id === 'item') showItem(item);
  clearTimeout(resting);
  resting = setTimeout(goOn, Math.max(0, restsUntil - performance.now()));
});

document.addEventListener('htmx:beforeRequest', (event) => {
  if (event.detail.elt.closest('#claim')) return;
  if (event.detail.target.matches('#item, #split')) clearTimeout(resting);
  for (const menu of document.querySelectorAll('#item :popover-open, #bulk-all:popover-open')) menu.hidePopover();
});

/* ---------------------------------------------------------------- claims */

const RENEW_MS = 60_000;

/** While the page is visible, keep the open item in hand, and show who else has it and what the tabs hold now. */
async function renewClaim() {
  const claim = document.getElementById('claim');
  const token = document.querySelector('#item [name="csrfmiddlewaretoken"]')?.value;
  if (!claim?.dataset.renew || !token || document.visibilityState !== 'visible') return;
  const headers = { 'X-CSRFToken': token, 'HX-Request': 'true' };
  // A claim that could not be renewed costs nothing: it runs out, and the next decision says what is wrong.
  const answer = await fetch(claim.dataset.renew, { method: 'POST', headers, redirect: 'manual' }).catch(() => null);
  if (!answer?.ok || answer.headers.has('HX-Redirect')) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (claim.isConnected) for (const part of [...fresh.body.children]) showAnew(part);
}

/** Put a part in the place of the one with its id, unless nothing changed or the focus is in it. */
function showAnew(part) {
  const shown = document.getElementById(part.id);
  const isSame = part.dataset.state ? part.dataset.state === shown?.dataset.state : shown?.isEqualNode(part);
  if (!shown || isSame || shown.contains(document.activeElement)) return;
  part.removeAttribute('hx-swap-oob');
  shown.replaceWith(part);
  htmx.process(part);
}

setInterval(renewClaim, RENEW_MS);
document.addEventListener('visibilitychange', renewClaim);

/* ---------------------------------------------------------------- drafts */

/* What was typed in the form of an item outlives a lost session and a way taken by mistake, in this tab only. */

const SENT = 'sent';
const typedFields = (form) => [...form.elements].filter((field) => field.name && field.type !== 'hidden');
const stateOf = (field) => (field.type === 'checkbox' ? 'checked' : 'value');

addEventListener('input', (event) => {
  const form = event.target.closest('[data-draft]');
  if (!form) return;
  const draft = Object.fromEntries(typedFields(form).map((field) => [field.name, field[stateOf(field)]]));
  sessionStorage.setItem(form.dataset.draft, JSON.stringify(draft));
});

function restoreDraft() {
  const form = document.querySelector('[data-draft]');
  const draft = JSON.parse(form && sessionStorage.getItem(form.dataset.draft));
  if (!draft) return;
  for (const field of typedFields(form)) field[stateOf(field)] = draft[field.name] ?? field[stateOf(field)];
}
restoreDraft();

document.addEventListener('htmx:afterRequest', (event) => {
  const { requestConfig, xhr } = event.detail; // its own `elt` is another one once the form is gone
  if (requestConfig.verb === 'post' && !xhr.getResponseHeader('HX-Redirect')) sessionStorage.removeItem(SENT);
  const key = requestConfig.elt.dataset.draft;
  if (key && xhr.status === 200 && !xhr.getResponseHeader('HX-Redirect')) sessionStorage.removeItem(key);
});

/* Before htmx hears of it. */
addEventListener('click', (event) => {
  const cancel = event.target.closest('[data-cancel]');
  const key = cancel?.closest('[data-draft]').dataset.draft;
  if (!key || !sessionStorage.getItem(key)) return;
  if (confirm(cancel.dataset.ask)) {
    sessionStorage.removeItem(key);
  } else {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, { capture: true });

/* Any other form is kept when it is sent. If the answer is the sign-in page, what it held comes back afterwards, as soon
   as the form is there again; hidden fields stay as the server gives them, and secrets are not kept. */

const isKept = (field) => field.name && !['hidden', 'password', 'file', 'submit', 'button'].includes(field.type);
const isTicked = (field) => ['checkbox', 'radio'].includes(field.type);
let sent = null;

addEventListener('submit', ({ target }) => {
  if (target.method !== 'post' || target.matches('[data-draft]') || !target.closest('.app main')) return;
  const fields = [...target.elements].filter(isKept);
  const values = fields.map((field) => [field.name, field.value, isTicked(field) && field.checked]);
  sessionStorage.setItem(SENT, JSON.stringify({ action: target.action, values }));
}, { capture: true });

/** Fill in what was sent when the session had ended. Fields of one name are taken in their order. */
function restoreSent() {
  const form = sent && [...document.forms].find(({ action, method }) => action === sent.action && method === 'post');
  if (!form) return;
  const values = [...sent.values];
  for (const field of [...form.elements].filter(isKept)) {
    const ticked = isTicked(field);
    const at = values.findIndex(([name, value]) => name === field.name && (!ticked || value === field.value));
    if (at < 0) continue;
    const [[, value, checked]] = values.splice(at, 1);
    if (ticked) field.checked = checked;
    else field.value = value;
  }
  sent = null;
}

if (!document.querySelector('.login')) {
  const cameFromSignIn = document.referrer && new URL(document.referrer).pathname.endsWith('/login/');
  if (cameFromSignIn) sent = JSON.parse(sessionStorage.getItem(SENT));
  sessionStorage.removeItem(SENT);
  restoreSent();
}
document.addEventListener('htmx:afterSettle', restoreSent);

/* ------------------------------------------------------ messages, errors */

function letGo(toast) {
  let timer;
  const start = () => { timer = setTimeout(() => toast.remove(), TOAST_MS); };
  const stop = () => clearTimeout(timer);
  for (const name of ['pointerenter', 'focusin']) toast.addEventListener(name, stop);
  for (const name of ['pointerleave', 'focusout']) toast.addEventListener(name, start);
  start();
}

const toasts = document.getElementById('toasts');
if (toasts) {
  for (const toast of toasts.querySelectorAll('.toast')) letGo(toast);
  new MutationObserver((records) => {
    for (const node of records.flatMap((record) => [...record.addedNodes])) {
      if (node.matches?.('.toast:not([role="alert"])')) letGo(node);
    }
  }).observe(toasts, { childList: true });
}

/* On narrow windows messages stand above the action bar, however many lines it has. */
const actions = new ResizeObserver(([{ target }]) => toasts?.style.setProperty('--actionbar', `${target.offsetHeight}px`));
function watchActions() {
  actions.disconnect();
  const bar = document.querySelector('.actionbar');
  if (bar) actions.observe(bar);
}
watchActions();
document.addEventListener('htmx:afterSettle', watchActions);

/** Say that a request failed: in the words of the server if it answered, else that the connection may be at fault. */
function showFailure(event) {
  const failure = document.getElementById('request-failed')?.content.cloneNode(true);
  if (!failure || !toasts) return;
  const answer = new DOMParser().parseFromString(event.detail.xhr?.responseText ?? '', 'text/html');
  const reason = answer.querySelector('[data-detail]')?.textContent;
  if (reason) failure.querySelector('span').textContent = reason;
  toasts.replaceChildren(failure);
  showConnection();
}
for (const name of ['htmx:responseError', 'htmx:sendError', 'htmx:timeout']) document.addEventListener(name, showFailure);

/** Say that there is no connection for as long as there is none. */
function showConnection() {
  const shown = toasts?.querySelector('[data-offline]');
  if (navigator.onLine) shown?.remove();
  else if (!shown) toasts?.append(document.getElementById('offline').content.cloneNode(true));
}
for (const name of ['online', 'offline']) addEventListener(name, showConnection);

/* A part that is being asked for anew says so to those who hear the page; those who see it, see it fade after a while. */
document.addEventListener('htmx:beforeRequest', (event) => event.detail.target.setAttribute('aria-busy', 'true'));
document.addEventListener('htmx:afterRequest', ({ detail }) => {
  detail.target.removeAttribute('aria-busy');
  if (detail.target === itemInView()) waiting = []; // nothing came in its place
});

addEventListener('click', (event) => {
  event.target.closest('[data-close]')?.closest('.toast')?.remove();
  const copy = event.target.closest('[data-copy]');
  if (copy) navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).textContent.trim());
});

/* Tabs that are wider than the window begin where the open one is. */
for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const tabs = tab.closest('.tabs');
  if (tab.offsetLeft + tab.offsetWidth > tabs.clientWidth) tabs.scrollLeft = tab.offsetLeft - tabs.clientWidth / 2 + tab.offsetWidth / 2;
}

/* --------------------------------------------------- preferences, choice */

/* Whoever chooses an outcome sees what it does before saving it; the choice itself stays in view, too. */
addEventListener('change', ({ target }) => {
  if (!target.matches('.outcome [name="outcome"]')) return;
  target.closest('.outcome').querySelector('.after').scrollIntoView({ block: 'nearest' });
  target.closest('.choice').scrollIntoView({ block: 'nearest' });
});

/* What is typed beside "Other" is what is chosen. */
addEventListener('input', (event) => {
  const field = event.target;
  const radio = field.matches('.custom :is([type="text"], textarea)') && field.closest('.custom').querySelector('[type="radio"]');
  if (radio && field.value.trim()) radio.checked = true;
});

/* Tick everything in view, or nothing when everything is ticked. */
addEventListener('click', (event) => {
  if (!event.target.closest('[data-tick-all]')) return;
  const ticks = [...document.querySelectorAll('.tick input')];
  const isTicked = !ticks.every((tick) => tick.checked);
  for (const tick of ticks) tick.checked = isTicked;
  ticks[0]?.dispatchEvent(new Event('change', { bubbles: true }));
});

addEventListener('change', (event) => {
  const field = event.target;
  if (field.name === 'theme') root.dataset.theme = field.value;
  if (field.name === 'single_keys') root.dataset.keys = field.checked ? 'on' : 'off';
  if (field.matches('.tick input')) {
    const ticked = document.querySelectorAll('.tick input:checked').length;
    for (const count of document.querySelectorAll('[data-ticked]')) count.textContent = ticked;
  }
});
